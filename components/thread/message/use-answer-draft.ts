"use client";

import { useCallback, useSyncExternalStore } from "react";
import type { Draft } from "@/components/client/drafts.ts";
import { draftOf, subscribeLive } from "@/components/client/live.ts";
import { useStudio } from "@/components/studio/use-studio.ts";

/** What a run of the conversation has said so far of the answer that is coming; null while it has said nothing. */
export function useAnswerDraft(runId: string): Draft | null {
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
