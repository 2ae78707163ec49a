"use client";

import { useMutation } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Confirmation } from "@/db/repositories.ts";
import type { DecisionBody } from "./use-decide.ts";

/** One decision about one or more confirmations, each decided by itself. */
export interface SharedDecision extends Pick<DecisionBody, "decision" | "reason"> {
  /** As they are in view: a decision counts for what was seen. */
  confirmations: readonly Pick<Confirmation, "id" | "requested_seq">[];
}

/**
 * What became of one of them. `already`: somebody had decided the same. `refused`: somebody had decided otherwise, or
 * `detail` says why it could not be. `unsent`: the server was gone by then.
 */
export interface Outcome {
  id: string;
  outcome: "decided" | "already" | "refused" | "unknown" | "unsent";
  /** As it stands now. */
  confirmation?: Confirmation;
  /** A sentence of the server. */
  detail?: string;
}

/** As many as the API takes at once. */
const AT_ONCE = 200;

/** Decides confirmations the same way and tells what became of each. It fails only where nothing was decided at all. */
export function useDecideMany(onDecided: (outcomes: Outcome[]) => void) {
  return useMutation({ mutationFn: decideMany, onSuccess: onDecided });
}

async function decideMany({ confirmations, ...decision }: SharedDecision): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let start = 0; start < confirmations.length; start += AT_ONCE) {
    const part = confirmations.slice(start, start + AT_ONCE);
    const requested_seqs = Object.fromEntries(part.map(({ id, requested_seq }) => [id, requested_seq]));
    const body = { ids: part.map(({ id }) => id), requested_seqs, ...decision };
    const request = callApi<{ items: Outcome[] }>("/api/confirmations/decisions", { method: "POST", body });
    const answer = await request.catch((error: unknown) => {
      if (start === 0) throw error;
      return null;
    });
    if (!answer)
      return [...outcomes, ...confirmations.slice(start).map(({ id }) => ({ id, outcome: "unsent" as const }))];
    outcomes.push(...answer.items);
  }
  return outcomes;
}
