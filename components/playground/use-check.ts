"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ApiProblem, callApi } from "@/components/client/api.ts";
import type { PlanProblem } from "@/lib/plan/problem.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import type { Draft } from "./draft/documents.ts";
import type { Refused } from "./editor/place-problems.ts";

/** How often a server that does not answer is asked again, ms. */
const AGAIN = 3_000;

/** What is sent to the server; the same object while the texts say the same. */
export interface PlanRequest {
  plan: JsonObject[];
  context: JsonObject[];
  tools: JsonObject[];
}

/** What the server says of a plan (P16). */
export interface Check {
  ok: boolean;
  problems: readonly PlanProblem[];
  /** What of the context or the tools it does not take, so that the plan was not read at all. */
  refused: readonly Refused[];
}

export interface CheckState {
  /** The newest answer; while the next one is on its way, the former. */
  check: Check | null;
  /** It is not, or not yet, that of the texts as they stand. */
  isStale: boolean;
  /** The server does not answer, or fails; it is asked again and again. */
  failure: Error | null;
}

/** Has the server check a plan; what was asked for an older text is dropped. Null asks for nothing. */
export function useCheck(draft: Draft | null, request: PlanRequest | null): CheckState {
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ["plan-check", draft],
    queryFn: ({ signal }) => checkPlan(request, signal),
    enabled: request !== null,
    placeholderData: keepPreviousData,
    gcTime: 0,
    retry: false,
    refetchInterval: ({ state }) => (state.error ? AGAIN : false),
  });
  return { check: data ?? null, isStale: request === null || !data || isPlaceholderData, failure: error };
}

async function checkPlan(body: PlanRequest | null, signal: AbortSignal): Promise<Check> {
  try {
    const answer = await callApi<Omit<Check, "refused">>("/api/plans/validate", { method: "POST", body, signal });
    return { ok: answer.ok, problems: answer.problems, refused: [] };
  } catch (error) {
    if (!(error instanceof ApiProblem) || error.status >= 500) throw error;
    return { ok: false, problems: [], refused: refusedOf(error) };
  }
}

/** Each field that a request was refused for; the sentence itself where it names none. */
export function refusedOf({ errors, message }: ApiProblem): Refused[] {
  return errors.length > 0 ? errors : [{ path: "/plan", message }];
}
