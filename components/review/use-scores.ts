"use client";

import { sendApi } from "@/components/client/api.ts";
import type { Score, ScoreTarget, ScoreValue } from "@/lib/scores/score.ts";
import { useReview } from "./use-review.ts";

/** A score that a person gives. */
export interface GivenScore extends ScoreTarget {
  name: string;
  value: ScoreValue;
  comment: string;
}

/** The scores of a conversation. */
export function useScores(conversationId: string) {
  return useReview<Score, GivenScore>("scores", conversationId, ({ seq, run_id, call_id, name, value, comment }) => {
    const target = {
      ...(seq !== null && { seq }),
      ...(run_id !== null && { run_id }),
      ...(call_id !== null && { call_id }),
    };
    const body = { conversation_id: conversationId, ...target, name, value, comment, source: "person" };
    return sendApi("/api/scores", { method: "POST", body });
  });
}
