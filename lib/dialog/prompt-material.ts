import type { Events, Messages, Sessions } from "../../db/repositories.ts";
import { historyMessage } from "../prompt/from-messages.ts";
import type { HistoryMessage } from "../prompt/prompt.ts";
import { isJsonObject, type Json, type JsonObject } from "../session/json.ts";
import type { Locale } from "../session/locale.ts";
import type { View } from "../session/session.ts";
import type { AgentRegistry } from "./agent-registry.ts";
import { MOST_CHARACTERS } from "./history.ts";
import { type KnownMemory, type SessionContext, sessionContext } from "./session-context.ts";
import { wholeState } from "./whole-state.ts";

/** So many of a conversation's messages are looked at, the newest: more than a history has room for. */
const MOST_MESSAGES = 1_000;

/** What there is to fill a prompt with. */
export interface PromptMaterial {
  /** Oldest first. */
  messages: readonly HistoryMessage[];
  /** The agent's language; null where no agent is known. */
  locale: Locale | null;
  /** The memory is checked at `now`, epoch ms, and told in that language. */
  contextAt(now: number, locale: Locale): SessionContext;
}

export interface MaterialNeeds {
  sessions: Pick<Sessions, "view">;
  messages: Pick<Messages, "before">;
  events: Pick<Events, "list">;
  agents: Pick<AgentRegistry, "find" | "default">;
  /** Null of a value that is no document. */
  readMemory(memory: Json, now: number, locale: Locale): KnownMemory | null;
}

/** A step of a session; null for the last. */
export interface SessionStep {
  conversation_id: string;
  at: number | null;
}

/**
 * Gathers what a session has for a prompt; values that its view only cites are read when `names` has the state. Null
 * when there is no such conversation. Throws storage's `OutOfRange`.
 */
export async function gatherMaterial(
  { sessions, messages, events, agents, readMemory }: MaterialNeeds,
  { conversation_id, at }: SessionStep,
  names: ReadonlySet<string>,
): Promise<PromptMaterial | null> {
  const text = await sessions.view(conversation_id, at);
  if (text === null) return null;
  const view: View = JSON.parse(text);
  const { agent_id } = view.summary;
  const agent = agent_id === null ? agents.default() : agents.find(agent_id);
  const [said, metadata, state] = await Promise.all([
    readMessages({ messages, events }, conversation_id, view),
    readMetadata(events, conversation_id, view.at),
    names.has("state") ? wholeState(view.state, conversation_id, events) : view.state,
  ]);
  return {
    messages: said,
    locale: agent?.locale ?? null,
    contextAt(now, locale) {
      const memory = readMemory(view.memory, now, locale);
      return sessionContext({ ...view, state }, { metadata, agent, memory });
    },
  };
}

/** The newest messages, each as long as it was said, as they stood after the view's step. */
async function readMessages(
  { messages, events }: Pick<MaterialNeeds, "messages" | "events">,
  conversationId: string,
  view: View,
): Promise<HistoryMessage[]> {
  const newest = view.messages.at(-1);
  if (!newest) return [];
  // Answers that came after it count among what was said before a message.
  const said = (await messages.before(conversationId, newest.id, MOST_MESSAGES - 1, MOST_CHARACTERS)).filter(
    ({ seq }) => seq <= view.at,
  );
  const tools = said.filter(({ role }) => role === "tool");
  const calls = tools[0] ? await readCalls(events, conversationId, tools[0].seq) : null;
  return said.map((message) => historyMessage({ ...message, tool_call_id: calls?.get(message.seq) }));
}

/** Whose results the messages from `first` on are, by their seq: only their events tell it. */
async function readCalls(events: MaterialNeeds["events"], conversationId: string, first: number) {
  const page = { after: first - 1, limit: MOST_MESSAGES, type: "message.created" };
  const created = await events.list(conversationId, page);
  return new Map(
    created.flatMap(({ seq, payload }): [number, string][] => {
      const call = isJsonObject(payload) ? payload.tool_call_id : undefined;
      return typeof call === "string" ? [[seq, call]] : [];
    }),
  );
}

/** What the conversation was created with, if it was by then. */
async function readMetadata(events: MaterialNeeds["events"], conversationId: string, at: number): Promise<JsonObject> {
  const [created] = await events.list(conversationId, { after: 0, limit: 1, type: "conversation.created" });
  if (!created || created.seq > at || !isJsonObject(created.payload)) return {};
  const { metadata } = created.payload;
  return isJsonObject(metadata) ? metadata : {};
}
