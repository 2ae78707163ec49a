import { FORK_SCOPE } from "../fork-scope.ts";
import { isJsonObject, type JsonObject } from "../json/json.ts";
import { isActorHere, isDerivedId, isOfChannel } from "../json/reserved-names.ts";
import { DEFINITIONS } from "./definitions.ts";
import { AUTHORITIES, type Authority, type AuthorizedEvent } from "./families/family.ts";
import { isEventType } from "./kinds.ts";

/**
 * The permission that an event requires, and because of what, in words that follow "asks for": `the actor
 * operator:anna`.
 */
interface Demand {
  authority: Authority;
  because: string;
}

/** The permission that a program needs to record an event, by its type and the names in it: the highest of them. */
export function demandOf(event: AuthorizedEvent): Demand {
  const demands = demandsOf(event);
  const authority = AUTHORITIES.findLast((one) => demands.some((demand) => demand.authority === one)) ?? "ingest";
  return demands.find((demand) => demand.authority === authority) ?? { authority, because: event.type };
}

/** The id of an event, or of its message, that only this server derives, from a span or a stream; null for none. */
export function claimedId(event: AuthorizedEvent): string | null {
  return event.isDerived ? null : (idsOf(event).find(isDerivedId) ?? null);
}

function idsOf({ id, payload }: AuthorizedEvent): string[] {
  return isJsonObject(payload) && typeof payload.message_id === "string" ? [id, payload.message_id] : [id];
}

/** Whether an event records an action of a person on this server. */
export function isPersonsAct(event: AuthorizedEvent): boolean {
  return byType(isJsonObject(event.payload) ? event.payload : {}, event) === "decide";
}

function demandsOf(event: AuthorizedEvent): Demand[] {
  const { conversation_id, type, actor, payload } = event;
  const said = isJsonObject(payload) ? payload : {};
  const reserved = [...(conversation_id === null ? [] : [conversation_id]), ...idsOf(event)].find(isOfChannel);
  const derived = claimedId(event);
  const { user_id } = said;
  return [
    ...(typeof user_id === "string" && isAnothersUser(user_id, conversation_id)
      ? [{ authority: "operate" as const, because: `the user ${user_id}` }]
      : []),
    { authority: byType(said, event), because: wordsOf(type, said) },
    ...(actor !== null && isActorHere(actor) ? [{ authority: "decide" as const, because: `the actor ${actor}` }] : []),
    ...(derived
      ? [{ authority: "decide" as const, because: `the id ${derived}, which is reserved for this server` }]
      : []),
    ...(reserved
      ? [{ authority: "decide" as const, because: `the name ${reserved}, which is reserved for a channel` }]
      : []),
  ];
}

/** Whether it would use the memory of a channel's user outside of that channel, or that of a fork. */
function isAnothersUser(userId: string, conversationId: string | null): boolean {
  if (userId.startsWith(FORK_SCOPE)) return true;
  return isOfChannel(userId) && (conversationId === null || !isOfChannel(conversationId));
}

function byType(payload: JsonObject, event: AuthorizedEvent): Authority {
  if (!isEventType(event.type)) return "ingest";
  const rule = DEFINITIONS[event.type].authority;
  return typeof rule === "string" ? rule : rule(payload, event);
}

function wordsOf(type: string, { role, agent_id, forked_from }: JsonObject): string {
  if (type === "message.created") return `a message of the role ${String(role)}`;
  if (type.startsWith("agent_state.")) return `${type} of ${String(agent_id)}`;
  return forked_from === undefined ? type : `${type} with forked_from`;
}
