"use client";

import { useMutation } from "@tanstack/react-query";
import { callApi } from "@/components/client/api.ts";
import type { Call } from "@/lib/session/session.ts";

type RunAction =
  | { kind: "cancel"; run: string }
  /** Runs these failed calls again; all of them by default (P24). */
  | { kind: "resume"; run: string; calls?: Pick<Call, "id" | "iteration" | "instance">[] };

/** Cancels or resumes a run. The result arrives as events. */
export function useRunAction() {
  return useMutation({
    mutationFn: (action: RunAction) =>
      callApi<unknown>(`/api/runs/${encodeURIComponent(action.run)}/${action.kind}`, {
        method: "POST",
        body: bodyOf(action),
      }),
  });
}

function bodyOf(action: RunAction): object | undefined {
  if (action.kind === "cancel") return undefined;
  if (!action.calls) return {};
  return { calls: action.calls.map(({ id, iteration, instance }) => ({ call_id: id, iteration, instance })) };
}
