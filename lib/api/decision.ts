import { isDeepStrictEqual } from "node:util";
import type { Confirmation } from "../../db/repositories.ts";
import { actorOf, recorderOf } from "../access/caller.ts";
import type { Services } from "../server/services.ts";
import { isKnown } from "../session/event.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import { type ChangedRequest, changedSince } from "./changed-request.ts";
import type { Input } from "./operation.ts";

/** A decision on a confirmation. */
export interface DecisionInput {
  decision: "approve" | "deny";
  reason?: string | undefined;
  action?: { method: string; params: JsonObject } | undefined;
  result?: Json | undefined;
  /** The step of the request that the person saw. */
  requested_seq?: number | undefined;
}

/** The caller, and where the decision is recorded. */
export type Decider = Pick<Input<unknown, unknown, unknown>, "requester" | "audit">;

/** The result of a decision; `detail` is a sentence. */
export type Decided =
  | { outcome: "decided" | "already"; confirmation: Confirmation }
  | { outcome: "refused"; confirmation: Confirmation; detail: string; changed?: ChangedRequest }
  | { outcome: "unknown"; detail: string };

type Needed = Pick<Services, "confirmations" | "engine" | "events" | "log">;

/**
 * Decides a confirmation: of own runs in the engine, of external agents in the log. The first decision counts, and only
 * it is audited. Throws other errors of the engine.
 */
export async function decideOne(
  id: string,
  input: DecisionInput,
  { requester, audit }: Decider,
  services: Needed,
): Promise<Decided> {
  const asked = await services.confirmations.get(id);
  if (!asked) return { outcome: "unknown", detail: `There is no confirmation ${id}.` };
  if (asked.status !== "requested") return standing(asked, input, services);
  const changed = await changedSince(input.requested_seq, asked, services.events);
  if (changed) return { outcome: "refused", confirmation: asked, detail: sentenceOf(id, changed), changed };
  if (
    asked.approvals &&
    input.decision === "approve" &&
    !(asked.cause === "interrupted" && input.result !== undefined && requester.caller.kind !== "key")
  ) {
    const partly = await approveInPart(asked, input, { requester, audit }, services);
    if (partly) return partly;
  }
  const by = { actor: actorOf(requester.caller), by: recorderOf(requester.caller) };
  const decided = await (asked.own ? decideOwn : decideOutside)(asked, { ...input, ...by }, services);
  if (decided.outcome === "decided")
    await audit({
      action: "confirmation.decided",
      target: `confirmation:${id}`,
      before: { status: asked.status },
      after: {
        status: decided.confirmation.status,
        conversation_id: asked.conversation_id,
        method: asked.action.method,
        edited: input.action !== undefined,
      },
    });
  return decided;
}

/** Records one of several approvals; null if all others have approved, so this one decides. */
async function approveInPart(
  asked: Confirmation,
  { action, result, ...input }: DecisionInput,
  { requester: { caller }, audit }: Decider,
  services: Needed,
): Promise<Decided | null> {
  const { id, conversation_id, requested_seq: requestedSeq } = asked;
  const { reason = null } = input;
  const refused = (detail: string): Decided => ({ outcome: "refused", confirmation: asked, detail });
  const people = `${asked.approvals?.needed} different people have to approve ${asked.action.method}`;
  if (caller.kind === "key") return refused(`${people}, and API keys are not people; sign in to approve it.`);
  if (caller.kind !== "person")
    return refused(`${people}, and without sign-in nobody knows who is who; start the server with OBELUS_AUTH=1.`);
  if (action !== undefined || result !== undefined)
    return refused(`${people} as it was requested; deny it with a reason, and the agent can request something else.`);
  const approved = await services.log.approveInPart({
    confirmationId: id,
    requestedSeq,
    reason,
    actor: actorOf(caller),
  });
  if (!approved) throw new Error(`The confirmation ${id} is gone`);
  const { confirmation, outcome } = approved;
  switch (outcome) {
    case "last":
      return null;
    case "already":
      return { outcome, confirmation };
    case "stale":
      return refused(`The request of the confirmation ${id} has changed, or was decided; review it and decide again.`);
    case "recorded":
      await audit({
        action: "confirmation.partially_approved",
        target: `confirmation:${id}`,
        after: { conversation_id, method: asked.action.method, approvals: confirmation.approvals?.given.length ?? 0 },
      });
      return { outcome: "decided", confirmation };
    default:
      return outcome satisfies never;
  }
}

/** A decision and its actor. */
type Made = DecisionInput & { actor: string; by: "person" | "program" };

async function decideOwn(asked: Confirmation, input: Made, services: Needed): Promise<Decided> {
  const { decision, reason = null, action = null, result, actor } = input;
  if (asked.run_id === null) throw new Error(`The confirmation ${asked.id} is the engine's own and names no run`);
  try {
    await services.engine.decide(asked.id, asked.run_id, { decision, reason, action, result, actor });
  } catch (error) {
    const now = await reread(asked, services);
    // Somebody else decided first; other errors of the engine explain themselves.
    if (now.status === "requested" || !isRefusal(error)) throw error;
    return standing(now, input, services);
  }
  const confirmation = await reread(asked, services);
  // The engine accepts concurrent approvals of the same confirmation, edited or not.
  if (!(await isSame(confirmation, input, services))) return standing(confirmation, input, services);
  return { outcome: confirmation.decided_by === actor ? "decided" : "already", confirmation };
}

async function decideOutside(asked: Confirmation, input: Made, services: Needed): Promise<Decided> {
  const { reason = null, action = null, result, actor, by } = input;
  const decided = await services.log.decide({
    confirmationId: asked.id,
    status: statusOf(input),
    reason,
    action,
    result,
    actor,
    by,
    requestedSeq: asked.requested_seq,
  });
  if (!decided) throw new Error(`The confirmation ${asked.id} is gone`);
  const { confirmation } = decided;
  if (confirmation.status === "requested") {
    // Asked for again between the look and the decision: what they saw is what stood there then.
    const changed = await changedSince(asked.requested_seq, confirmation, services.events);
    if (!changed) return decideOutside(confirmation, input, services);
    return { outcome: "refused", confirmation, detail: sentenceOf(asked.id, changed), changed };
  }
  if (!decided.counted) return standing(decided.confirmation, input, services);
  return { outcome: "decided", confirmation: decided.confirmation };
}

async function reread({ id }: Confirmation, { confirmations }: Needed): Promise<Confirmation> {
  const confirmation = await confirmations.get(id);
  if (!confirmation) throw new Error(`The confirmation ${id} is gone`);
  return confirmation;
}

function sentenceOf(id: string, { now }: ChangedRequest): string {
  return `The request of the confirmation ${id} has changed; review step ${now.requested_seq} and decide with requested_seq ${now.requested_seq}.`;
}

/** A decision after another one: an equal one succeeds, a different one changes nothing. */
async function standing(confirmation: Confirmation, input: DecisionInput, services: Needed): Promise<Decided> {
  if (await isSame(confirmation, input, services)) return { outcome: "already", confirmation };
  const { id, status, decided_by, decided_at, reason } = confirmation;
  const because = reason === null ? "" : ` (${reason})`;
  const detail = `The confirmation ${id} was already ${status} by ${decided_by ?? "someone"} at ${decided_at}${because}; decisions are final.`;
  return { outcome: "refused", confirmation, detail };
}

/** Whether the recorded decision equals this one in the fields that it has. */
async function isSame(confirmation: Confirmation, input: DecisionInput, { events }: Needed): Promise<boolean> {
  if (confirmation.status !== statusOf(input)) return false;
  if (input.action === undefined && input.result === undefined) return true;
  const after = (confirmation.decided_seq ?? 0) - 1;
  const [event] = await events.list(confirmation.conversation_id, { after, limit: 1 });
  if (!event || !isKnown(event) || event.type !== "confirmation.approved")
    throw new Error(`The decision of ${confirmation.id} is not where it should be`);
  const { action = confirmation.action, result } = event.payload;
  return (
    (input.action === undefined || isDeepStrictEqual(input.action, action)) &&
    (input.result === undefined || isDeepStrictEqual(input.result, result))
  );
}

function statusOf({ decision }: DecisionInput): "approved" | "denied" {
  return decision === "approve" ? "approved" : "denied";
}

/** Errors of the engine, by code: Next's bundles and the server load its classes twice. */
const REFUSED = ["not_found", "conflict", "invalid_input"];

/** Whether the engine refused a decision; its message is a sentence without its full stop. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof Error && "code" in error && REFUSED.some((code) => code === error.code);
}
