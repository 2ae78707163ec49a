import type { AuditedAction } from "../access/audit.ts";
import { actorOf, type Caller, may } from "../access/caller.ts";
import { claimedId, demandOf, isPersonsAct } from "../session/events/authority.ts";
import { PAYLOADS } from "../session/events/catalogue.ts";
import type { AuthorizedEvent } from "../session/events/families/family.ts";
import { isJsonObject } from "../session/json/json.ts";
import { isActorHere } from "../session/json/reserved-names.ts";
import { Problem } from "./problem.ts";
import { permit } from "./request/requester.ts";

/**
 * Throws a `Problem` for an event that the caller may not record, in any operation but an import. Nobody records one under an id
 * that is derived here: what it is derived from would be taken for stored, and lost.
 */
export function requireAuthority(caller: Caller, event: AuthorizedEvent): void {
  const claimed = claimedId(event);
  if (claimed !== null)
    throw new Problem(
      "forbidden",
      `The id ${claimed} is reserved for what this server makes of spans and AG-UI streams; use another id, or send an export that has it to POST /api/import.`,
    );
  requireAuthorityToImport(caller, event);
}

/** Throws a `Problem` for an event that the caller may not import. Exports have ids that were derived by the server they come from. */
export function requireAuthorityToImport(caller: Caller, event: AuthorizedEvent): void {
  requirePermission(caller, demandOf(event));
}

/** Throws a `Problem` that says what requires the permission, if the caller does not have it. */
export function requirePermission(caller: Caller, { authority, because }: ReturnType<typeof demandOf>): void {
  if (may(caller, authority)) return;
  if (caller.kind !== "key") return permit(caller, authority);
  throw new Problem(
    "forbidden",
    authority === "operate"
      ? `API keys cannot record ${because}; sign in to do this.`
      : `The key ${caller.name} does not have the scope ${authority}, which ${because} requires; use a key that has it.`,
  );
}

/**
 * The event as appended: a signed-in user's actions are recorded under their own name. Throws a `Problem` if it names
 * somebody else. Keys may record what people did elsewhere, and name them; the audit log names the key.
 */
export function underOwnName<Event extends AuthorizedEvent>(caller: Caller, event: Event): Event {
  if (caller.kind !== "person") return event;
  const self = actorOf(caller);
  const isAct = isPersonsAct(event);
  const { by, decided_by } = isJsonObject(event.payload) ? event.payload : {};
  for (const named of [event.actor, ...(isAct ? [by, decided_by] : [])]) {
    if (typeof named !== "string" || named === self) continue;
    if (isAct || isActorHere(named))
      throw new Problem(
        "forbidden",
        `You are signed in as ${self} and cannot act as ${named}; send your own name, or omit it.`,
      );
  }
  return isAct ? { ...event, actor: self } : event;
}

/**
 * The audit entry for events that record decisions. The actor in them is what the program claims: the audit log has the
 * sender.
 */
export function decisionsIn(events: readonly AuthorizedEvent[]): AuditedAction[] {
  return events.flatMap((event) => auditedDecision(event) ?? []);
}

function auditedDecision({ conversation_id, type, actor, payload }: AuthorizedEvent): AuditedAction | null {
  switch (type) {
    case "confirmation.approved":
    case "confirmation.denied": {
      const { confirmation_id } = PAYLOADS[type].parse(payload);
      const status = type === "confirmation.approved" ? "approved" : "denied";
      const target = `confirmation:${confirmation_id}`;
      return { action: "confirmation.decided", target, after: { status, conversation_id, told_of: actor } };
    }
    case "conversation.taken_over":
    case "conversation.handed_back":
      return { action: type, target: `conversation:${conversation_id}`, after: { told_of: actor } };
    default:
      return null;
  }
}
