"use client";

import { useMutation } from "@tanstack/react-query";
import { ApiProblem, callApi } from "@/components/client/api.ts";
import type { Confirmation as Listed } from "@/db/repositories.ts";
import type { Json, JsonObject } from "@/lib/session/json.ts";
import type { Confirmation } from "@/lib/session/session.ts";

/** What has to be known of a confirmation to decide it: a session's and a listed one alike. */
export type Decidable = Pick<Confirmation, "id" | "cause" | "action" | "requested_seq">;

/** What a person decides (P22, P23), as the API takes it. */
export interface DecisionBody {
  decision: "approve" | "deny";
  reason?: string;
  /** The action with edited parameters. */
  action?: { method: string; params: JsonObject };
  /** The result of an interrupted call, as the person found it. */
  result?: Json;
}

/** Who wants to know what became of a decision. */
interface Listener {
  onDecided: (decided: Listed) => void;
  /** It came after another, or could not be: the answer's sentence tells. */
  onConflict: () => void;
}

/**
 * Decides a confirmation. Nothing is shown ahead of the answer: what follows from it comes as events. A decision that
 * somebody took before is an `ApiProblem` that names them.
 */
export function useDecide({ id, requested_seq }: Pick<Decidable, "id" | "requested_seq">, listener?: Listener) {
  return useMutation({
    mutationFn: (decision: DecisionBody) => {
      // It counts for the request that is in view, whatever its agent asks for by then.
      const body = { ...decision, ...(requested_seq !== null && { requested_seq }) };
      return callApi<Listed>(`/api/confirmations/${encodeURIComponent(id)}/decision`, { method: "POST", body });
    },
    onSuccess: listener?.onDecided,
    onError: (error: Error) => error instanceof ApiProblem && error.status === 409 && listener?.onConflict(),
  });
}

export type Decide = ReturnType<typeof useDecide>;
