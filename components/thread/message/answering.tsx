"use client";

import { useCallback, useDeferredValue, useSyncExternalStore } from "react";
import type { Draft } from "@/components/client/drafts.ts";
import { draftOf, subscribeLive } from "@/components/client/live.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { Run, Session } from "@/lib/session/session.ts";
import { TurnLine } from "../turn-line.tsx";
import { MarkdownText } from "./markdown.tsx";
import { MemoryCheck } from "./memory-check.tsx";

interface AnsweringProps {
  session: Session;
  run: Run;
  /** The step follows, so drafts are shown. */
  live: boolean;
  /** The self-check's warnings before the answer. */
  warnings: readonly string[];
}

/** The end of a running turn: the draft of its answer while live, else its status. */
export function Answering({ live, ...props }: AnsweringProps) {
  const { session, run } = props;
  if (!live || run.status !== "running") return <TurnLine session={session} run={run} />;
  return <Coming {...props} />;
}

function Coming({ session, run, warnings }: Omit<AnsweringProps, "live">) {
  const draft = useAnswerDraft(run.id);
  // Replaced by the message in the same render.
  const isComing = draft !== null && (draft.until === null || session.at < draft.until);
  if (!isComing) return <TurnLine session={session} run={run} />;
  return <DraftMessage draft={draft} name={draft.agent_id ?? run.agent_id} warnings={warnings} />;
}

interface DraftMessageProps {
  draft: Draft;
  name: string | null;
  warnings: readonly string[];
}

/** Looks like a message without a time. Not a live region: the complete answer is announced. */
function DraftMessage({ draft, name, warnings }: DraftMessageProps) {
  // Rendering a long text is deferred, so that the page stays responsive.
  const text = useDeferredValue(draft.text);
  return (
    <div className="draft flow-root px-3">
      <article aria-busy className="my-1 rounded-r-1 border-line-strong border-l-2 py-0.5 pr-1 pl-2.5">
        <header className="mb-0.5 flex items-baseline gap-1.5">
          <b className="min-w-0 truncate font-semibold">{name}</b>
        </header>
        <MarkdownText text={text} id={`draft-${draft.run_id}`} />
        {warnings.length > 0 && (
          <div className="mt-1 border-line border-t">
            <MemoryCheck warnings={warnings} open />
          </div>
        )}
      </article>
    </div>
  );
}

/** The draft of a run's answer; null for none. */
function useAnswerDraft(runId: string): Draft | null {
  const conversationId = useStudio((state) => state.conversationId);
  const subscribe = useCallback(
    (onDraft: () => void) => subscribeLive({ conversationId }, { onDraft }),
    [conversationId],
  );
  return useSyncExternalStore(
    subscribe,
    () => draftOf(runId),
    () => null,
  );
}
