"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ApiProblem, callApi } from "@/components/client/api.ts";
import { pageTurn } from "@/components/graph/layout/in-slices.ts";
import type { PlanProblem } from "@/lib/plan/problem.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { DOCUMENTS, type Draft, EMPTY_DRAFT } from "./draft/documents.ts";
import type { Refused } from "./editor/place-problems.ts";

/** The retry interval while the server is unreachable, ms. */
const AGAIN = 3_000;

/** The request; the same object while the texts are the same. */
export interface PlanRequest {
  plan: JsonObject[];
  context: JsonObject[];
  tools: JsonObject[];
}

/** The validation result (P16). */
export interface Check {
  ok: boolean;
  problems: readonly PlanProblem[];
  /** Invalid fields of context or tools, because of which the plan was not validated. */
  refused: readonly Refused[];
}

export interface CheckState {
  /** The newest result; while the next one loads, the previous. */
  check: Check | null;
  /** It is not of the current texts. */
  isStale: boolean;
  /** The server is unreachable or fails; the request is retried. */
  failure: Error | null;
}

/** Validates a plan on the server; requests for older texts are cancelled. Null requests nothing. */
export function useCheck(draft: Draft | null, request: PlanRequest | null): CheckState {
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["plan-check", numberOf(draft)],
    queryFn: ({ signal }) => checkPlan(draft ?? EMPTY_DRAFT, signal),
    enabled: request !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.error ? AGAIN : false),
  });
  return { check: data ?? null, isStale: request === null || !data || isPlaceholderData, failure: error };
}

const numbers = new WeakMap<Draft, number>();
let newest = 0;

/** A key of a draft: as a key, its texts would be serialized at each rendering. */
export function numberOf(draft: Draft | null): number {
  if (!draft) return 0;
  const number = numbers.get(draft) ?? ++newest;
  numbers.set(draft, number);
  return number;
}

async function checkPlan(draft: Draft, signal: AbortSignal): Promise<Check> {
  // Sending a long text takes a while, and the graph is drawn first.
  await pageTurn();
  // The texts are valid JSON, so they need not be serialized.
  const lists = DOCUMENTS.map((name) => `"${name}":${draft[name].trim() === "" ? "[]" : draft[name]}`);
  const call = { method: "POST", text: `{${lists.join(",")}}`, signal } as const;
  try {
    const answer = await callApi<Omit<Check, "refused">>("/api/plans/validate", call);
    return { ok: answer.ok, problems: answer.problems, refused: [] };
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status >= 500) throw error;
    return { ok: false, problems: [], refused: refusedOf(error) };
  }
}

/** The invalid fields of a refused request; the message itself without any. */
export function refusedOf({ errors, message }: ApiProblem): Refused[] {
  return errors.length > 0 ? errors : [{ path: "/plan", message }];
}
