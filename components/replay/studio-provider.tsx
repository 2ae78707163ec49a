"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useState } from "react";
import { StudioContext } from "@/components/studio/use-studio.ts";
import type { Summary } from "@/lib/session/session.ts";
import type { BareView } from "@/lib/session/view.ts";
import { createStudioStore } from "./create-studio-store.ts";
import { PaceContext } from "./deferred-pane.tsx";
import { weightOfText } from "./session-cache.ts";
import { useAddressSync } from "./use-address-sync.ts";

interface StudioProviderProps {
  conversationId: string;
  /** The server-rendered view as a JSON string: as an object, React would visit each of its values twice. */
  view: string;
  /** The conversation's status after its newest step. */
  now: Summary;
  /** The step in the address; null follows the newest. */
  at: number | null;
  /** The source of a fork. */
  forkedFrom: Summary["forked_from"];
  children: ReactNode;
}

/** Provides the replay of a conversation; use the conversation's id as its key. */
export function StudioProvider({ conversationId, view, now, at, forkedFrom, children }: StudioProviderProps) {
  const t = useTranslations("timeline");
  const [replay] = useState(() => {
    const read: BareView = JSON.parse(view);
    const weight = weightOfText(view);
    return createStudioStore({
      conversationId,
      view: read,
      weight,
      now,
      at,
      forkedFrom,
      unreachable: t("unreachable"),
    });
  });
  // The outside system is the server: its stream, and the timeline.
  useEffect(() => replay.start(), [replay]);
  useAddressSync(replay.store);
  return (
    <StudioContext value={replay.store}>
      <PaceContext value={replay.pace}>{children}</PaceContext>
    </StudioContext>
  );
}
