import { ApiProblem, callApi } from "@/components/client/api.ts";
import type { Confirmation } from "@/lib/api/shapes.ts";
import type { Json, JsonObject } from "@/lib/session/json/json.ts";

/** A decision (P22, P23), as the API takes it. */
export interface DecisionBody {
  decision: "approve" | "deny";
  reason?: string;
  /** The action with edited parameters. */
  action?: { method: string; params: JsonObject };
  /** The result of an interrupted call, entered by a person. */
  result?: Json;
}

/**
 * The result for one confirmation. `already`: somebody had decided the same. `refused`: somebody had decided otherwise,
 * or `detail` has the reason. `unsent`: the server became unreachable.
 */
export interface Outcome {
  id: string;
  outcome: "decided" | "already" | "refused" | "unknown" | "unsent";
  /** Its current state. */
  confirmation?: Confirmation;
  /** The server's message. */
  detail?: string;
}

/** Whether the decision was recorded, and other people have to approve as well. */
export function isWaiting({ outcome, confirmation }: Outcome): boolean {
  return (outcome === "decided" || outcome === "already") && confirmation?.status === "requested";
}

/** The confirmation on screen: a decision applies to these values only, whatever the agent requests later. */
export interface Seen {
  id: string;
  requested_seq: number | null;
}

/** The API's maximum. */
const AT_ONCE = 200;

/**
 * Sends one decision about several confirmations and returns the result of each. Throws only when nothing was decided:
 * the server is unreachable, or the request is invalid.
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

/** A decision with its own values is sent alone. */
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
