import { dialogAgent } from "./dialog-agent.ts";
import { FORK_SCOPE } from "./fork-scope.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { type EventType, isEventType } from "./kinds.ts";
import {
  DIALOG_AGENTS,
  isActorHere,
  isDerivedId,
  isOfChannel,
  MEMORY_AGENTS,
  OBELUS_AGENTS,
} from "./reserved-names.ts";

/**
 * What telling of something asks of a program: `ingest` for what agents elsewhere do and what their users say, `decide` for
 * what tells of a person's act here, or of what only this server knows; `operate`, which no key has, for what belongs to
 * somebody else.
 */
type Authority = (typeof AUTHORITIES)[number];
const AUTHORITIES = ["ingest", "decide", "operate"] as const;

/** What is told, as far as it matters to whoever may tell it. */
export interface AuthorizedEvent {
  id: string;
  conversation_id: string | null;
  type: string;
  actor: string | null;
  payload: Json;
  /** Its ids were made here, of spans or of a stream of AG-UI. Otherwise they are those that somebody sent. */
  isDerived?: boolean;
}

/** What an event asks, and for what in it, in words that follow "asks for": `the actor operator:anna`. */
interface Demand {
  authority: Authority;
  because: string;
}

/** What a type asks by itself, or by what its payload says. */
type Rule = Authority | ((payload: JsonObject, event: AuthorizedEvent) => Authority);

/**
 * What each type of event asks, however it comes in. The question is what a program that has `ingest` alone could cause by
 * it: on people, on agents of this server, or on what others have written. A new type has to answer it before it compiles.
 */
const RULES: Readonly<Record<EventType, Rule>> = {
  // A fork is made here, by a person. Giving a conversation to another agent is refused where it is stored.
  "conversation.created": ({ forked_from }) => (forked_from === undefined ? "ingest" : "decide"),
  "conversation.titled": "ingest",
  // They silence this server's agent, and let it speak again.
  "conversation.taken_over": "decide",
  "conversation.handed_back": "decide",
  // What calls do in a fork: as an event it is of a fork elsewhere, for storage takes none for a fork of this server.
  "fork.mode_changed": "decide",
  "conversation.bookmarked": "decide",
  "conversation.unbookmarked": "decide",
  // A channel's user reads what a person has put into it, be it in the agent's place.
  "message.created": ({ role }, { conversation_id }) =>
    role === "operator" || (role !== "user" && conversation_id !== null && isOfChannel(conversation_id))
      ? "decide"
      : "ingest",
  // Of runs elsewhere: own runs are written by the engine alone, which storage sees to.
  "run.started": "ingest",
  "run.iteration": "ingest",
  "run.waiting": "ingest",
  "run.resumed": "ingest",
  "run.finished": "ingest",
  "run.failed": "ingest",
  "run.cancelled": "ingest",
  "prompt.rendered": "ingest",
  "history.truncated": "ingest",
  "placeholder.missing": "ingest",
  "model.requested": "ingest",
  "model.responded": "ingest",
  "model.failed": "ingest",
  "plan.proposed": "ingest",
  "plan.validated": "ingest",
  "plan.rejected": "ingest",
  "plan.simulated": "ingest",
  "call.started": "ingest",
  "call.succeeded": "ingest",
  "call.failed": "ingest",
  "call.retried": "ingest",
  "call.skipped": "ingest",
  "call.blocked": "ingest",
  "call.parked": "ingest",
  "call.denied": "ingest",
  "call.superseded": "ingest",
  "call.cancelled": "ingest",
  // In the view of its session alone, as `memory.updated` is: what is stored changes by `agent_state.*`.
  "state.written": "ingest",
  "memory.updated": "ingest",
  "selfcheck.warned": "ingest",
  // Asks people, which is what agents elsewhere tell it for. Who decides names which request they saw.
  "confirmation.requested": "ingest",
  "confirmation.approved": "decide",
  "confirmation.denied": "decide",
  "stage.entered": "ingest",
  "stage.changed": "ingest",
  // Calls managers, who are told that an agent elsewhere does.
  "manager.alerted": "ingest",
  "delegate.started": "ingest",
  "delegate.finished": "ingest",
  "agent_state.written": stateAuthority,
  "agent_state.deleted": stateAuthority,
  log: "ingest",
};

/** Of agents' state, what Obelus keeps is not a program's: memories of users, stages of dialogs, its own definitions. */
function stateAuthority({ agent_id }: JsonObject, { conversation_id }: AuthorizedEvent): Authority {
  if (typeof agent_id !== "string") return "ingest";
  // What a whole conversation brings along of its own dialog, as an export does.
  if (conversation_id !== null && agent_id === dialogAgent(conversation_id)) return "decide";
  return [MEMORY_AGENTS, DIALOG_AGENTS, OBELUS_AGENTS].some((kind) => agent_id.startsWith(kind)) ? "operate" : "ingest";
}

/** What an event asks of the program that tells it, by its type and by the names in it: the most that any of them does. */
export function demandOf(event: AuthorizedEvent): Demand {
  const demands = demandsOf(event);
  const authority = AUTHORITIES.findLast((one) => demands.some((demand) => demand.authority === one)) ?? "ingest";
  return demands.find((demand) => demand.authority === authority) ?? { authority, because: event.type };
}

/** Whether an event tells what a person did here. */
export function isPersonsAct(event: AuthorizedEvent): boolean {
  return byType(isJsonObject(event.payload) ? event.payload : {}, event) === "decide";
}

function demandsOf(event: AuthorizedEvent): Demand[] {
  const { id, conversation_id, type, actor, payload, isDerived = false } = event;
  const said = isJsonObject(payload) ? payload : {};
  const ids = [id, ...(typeof said.message_id === "string" ? [said.message_id] : [])];
  const reserved = [...(conversation_id === null ? [] : [conversation_id]), ...ids].find(isOfChannel);
  const derived = isDerived ? undefined : ids.find(isDerivedId);
  const { user_id } = said;
  return [
    ...(typeof user_id === "string" && isAnothersUser(user_id, conversation_id)
      ? [{ authority: "operate" as const, because: `the user ${user_id}` }]
      : []),
    { authority: byType(said, event), because: wordsOf(type, said) },
    ...(actor !== null && isActorHere(actor) ? [{ authority: "decide" as const, because: `the actor ${actor}` }] : []),
    ...(derived
      ? [{ authority: "decide" as const, because: `the id ${derived}, which this server makes itself` }]
      : []),
    ...(reserved ? [{ authority: "decide" as const, because: `the name ${reserved}, which is a channel's` }] : []),
  ];
}

/** Whether agents would work with the memory of a channel's user, outside of that channel, or with that of a fork. */
function isAnothersUser(userId: string, conversationId: string | null): boolean {
  if (userId.startsWith(FORK_SCOPE)) return true;
  return isOfChannel(userId) && (conversationId === null || !isOfChannel(conversationId));
}

function byType(payload: JsonObject, event: AuthorizedEvent): Authority {
  if (!isEventType(event.type)) return "ingest";
  const rule = RULES[event.type];
  return typeof rule === "string" ? rule : rule(payload, event);
}

function wordsOf(type: string, { role, agent_id, forked_from }: JsonObject): string {
  if (type === "message.created") return `a message of the role ${String(role)}`;
  if (type.startsWith("agent_state.")) return `${type} of ${String(agent_id)}`;
  return forked_from === undefined ? type : `${type} with forked_from`;
}
