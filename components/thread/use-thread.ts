"use client";

import { useMemo, useState } from "react";
import { useResolvedSelection } from "@/components/selection/use-resolved-selection.ts";
import { useDeferredAtRest } from "@/components/studio/use-deferred-at-rest.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { Session } from "@/lib/session/session.ts";
import { type NowLine, nowLines } from "./now.ts";
import { sectionKeeper } from "./same-section.ts";
import { marksOf, type Section, sectionsOf } from "./sections.ts";

/**
 * The thread at the place of the playhead. Where that is moved, the thread may lag a frame behind, as the playhead never
 * waits for it; live it does not, since who writes waits for the answer.
 */
export function useThread(): { session: Session; sections: Section[]; lines: NowLine[] } {
  const newest = useStudio((state) => state.session);
  const following = useStudio((state) => state.following);
  const session = useDeferredAtRest(following ? null : newest) ?? newest;
  const timeline = useStudio((state) => state.timeline);
  const { instance } = useResolvedSelection(session);
  const marks = useMemo(() => marksOf(timeline), [timeline]);
  const [keepSame] = useState(sectionKeeper);
  const sections = useMemo(() => keepSame(sectionsOf(session, marks, instance)), [keepSame, session, marks, instance]);
  const lines = useMemo(() => nowLines(session, instance), [session, instance]);
  return { session, sections, lines };
}
