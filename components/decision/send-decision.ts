import { ApiProblem, callApi } from "@/components/client/api.ts";
import type { Confirmation } from "@/lib/api/shapes.ts";
import type { Json, JsonObject } from "@/lib/session/json/json.ts";

/** What a person decides (P22, P23), as the API takes it. */
export interface DecisionBody {
  decision: "approve" | "deny";
  reason?: string;
  /** The action with edited parameters. */
  action?: { method: string; params: JsonObject };
  /** The result of an interrupted call, as the person found it. */
  result?: Json;
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

/** A confirmation as it was in view: a decision counts for what was seen, whatever its agent asks for by then. */
export interface Seen {
  id: string;
  requested_seq: number | null;
}

/** As many as the API takes at once. */
const AT_ONCE = 200;

/**
 * Decides confirmations the same way and tells what became of each. It fails only where nothing was decided at all:
 * the server is not there, or what was sent is not right.
 */
export async function sendDecision(confirmations: readonly Seen[], body: DecisionBody): Promise<Outcome[]> {
  const [first] = confirmations;
  if (first && (body.action !== undefined || body.result !== undefined)) return [await sendOwn(first, body)];
  const outcomes: Outcome[] = [];
  for (let start = 0; start < confirmations.length; start += AT_ONCE) {
    const part = confirmations.slice(start, start + AT_ONCE);
    const requested_seqs = Object.fromEntries(
      part.flatMap(({ id, requested_seq: seq }) => (seq === null ? [] : [[id, seq]])),
    );
    const request = callApi<{ items: Outcome[] }>("/api/confirmations/decisions", {
      method: "POST",
      body: { ids: part.map(({ id }) => id), requested_seqs, ...body },
    });
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

/** One that is decided with values of its own. */
async function sendOwn({ id, requested_seq }: Seen, decision: DecisionBody): Promise<Outcome> {
  const path = `/api/confirmations/${encodeURIComponent(id)}/decision`;
  const body = { ...decision, ...(requested_seq !== null && { requested_seq }) };
  try {
    return { id, outcome: "decided", confirmation: await callApi<Confirmation>(path, { method: "POST", body }) };
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 409) return { id, outcome: "refused", detail: error.message };
    throw error;
  }
}
