import type { Events, Messages, Sessions } from "../../../db/repositories.ts";
import { historyMessage } from "../../prompt/history/from-messages.ts";
import type { HistoryMessage } from "../../prompt/prompt.ts";
import type { Json } from "../../session/json/json.ts";
import type { Locale } from "../../session/locale.ts";
import type { View } from "../../session/session.ts";
import type { AgentRegistry } from "../agent-registry.ts";
import { MOST_CHARACTERS, MOST_MESSAGES } from "../history.ts";
import { NOWHERE, userLocation } from "../user-location.ts";
import { wholeState } from "../whole-state.ts";
import { type KnownMemory, type SessionContext, sessionContext } from "./session-context.ts";

/** The data for rendering a prompt. */
export interface PromptMaterial {
  /** Oldest first. */
  messages: readonly HistoryMessage[];
  /** The language of its agent; null if it has none on this server. */
  locale: Locale | null;
  /** The context at `now`, epoch ms, in that language. */
  contextAt(now: number, locale: Locale): SessionContext;
}

export interface MaterialNeeds {
  sessions: Pick<Sessions, "view">;
  messages: Pick<Messages, "before">;
  events: Pick<Events, "list">;
  agents: Pick<AgentRegistry, "find" | "default">;
  /** Null if it is not a memory document. */
  readMemory(memory: Json, now: number, locale: Locale): KnownMemory | null;
}

/** A step of a session; null for the last. */
export interface SessionStep {
  conversation_id: string;
  at: number | null;
}

/**
 * Reads what a session has for a prompt; references in its view are resolved if `names` has the state. Null: no such
 * conversation. Throws storage's `OutOfRange`.
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
  const [said, place, state] = await Promise.all([
    readMessages(messages, conversation_id, view),
    view.at > 0 ? userLocation(events, conversation_id) : NOWHERE,
    names.has("state") ? wholeState(view.state, conversation_id, events) : view.state,
  ]);
  return {
    messages: said,
    locale: agent_id === null ? null : (agent?.locale ?? null),
    contextAt(now, locale) {
      const memory = readMemory(view.memory, now, locale);
      return sessionContext({ ...view, state }, { place, agent, memory });
    },
  };
}

/** As in a turn, at the view's step. */
async function readMessages(
  messages: MaterialNeeds["messages"],
  conversationId: string,
  view: View,
): Promise<HistoryMessage[]> {
  const newest = view.messages.at(-1);
  if (!newest) return [];
  const said = await messages.before(conversationId, newest.id, MOST_MESSAGES - 1, MOST_CHARACTERS);
  // Answers after a message count among those before it.
  return said.filter(({ seq }) => seq <= view.at).map(historyMessage);
}
