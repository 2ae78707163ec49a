import type { Conversations, Events } from "../../../db/repositories.ts";
import type { AgentRegistry } from "../../dialog/agent-registry.ts";
import { localeOf } from "../../dialog/locale.ts";
import { DIALOG_ZONE, userLocation } from "../../dialog/user-location.ts";
import { isKnown, type SessionEvent } from "../../session/event.ts";
import { isMarkdown } from "../../session/markdown.ts";
import { type Manner, writeDates } from "../answers/dates.ts";
import { chatIdOf } from "./names.ts";
import type { Recipient } from "./sender.ts";
import { fromAgentMarkdown } from "./text/markdown.ts";
import { type FormattedText, splitText } from "./text/split.ts";
import { alertText } from "./words.ts";

/** The subscription of managers' alerts. */
export const ALERTS = "alerts";

/** A manager has seen older alerts in the console. */
const ALERTED_WITHIN_MS = 24 * 3_600_000;

/** A part of the log that is sent to a recipient. */
export interface Feed {
  to: Recipient;
  /** The conversation it is in; undefined for the whole log. */
  conversationId?: string;
  /** An event as messages; none if it is not for the recipient. */
  messagesOf(event: SessionEvent): Promise<FormattedText[]>;
}

/** What feeds depend on. */
export interface FeedNeeds {
  conversations: Pick<Conversations, "get">;
  events: Pick<Events, "list">;
  agents: Pick<AgentRegistry, "find" | "default">;
  adminChat: Recipient | null;
  /** Whether it is quiet hours: alerts then are sent afterwards. */
  isQuiet: (at: number) => boolean;
  now: () => number;
  logger: { error(details: object, message: string): void };
}

/** Creates a feed by name: a chat's conversation, or the alerts; null if nobody reads it. */
export function createFeeds({
  conversations,
  events,
  agents,
  adminChat,
  isQuiet,
  now,
  logger,
}: FeedNeeds): (name: string) => Feed | null {
  /**
   * Answers of agents and messages of managers, in the order of the log. Events of programs and imports are history and
   * never sent.
   */
  function chatFeed(chatId: number, conversationId: string): Feed {
    return {
      to: chatId,
      conversationId,
      async messagesOf(event) {
        if (!isKnown(event) || event.type !== "message.created" || !isSaidHere(event)) return [];
        const { role, content } = event.payload;
        // Agents write Markdown; what a person typed is sent as plain text.
        if (role === "operator") return splitText({ text: content, entities: [] });
        if (role !== "assistant") return [];
        return splitText(formatted(event, content, await mannerOf(conversationId, content)));
      },
    };
  }

  /**
   * Text that cannot be parsed as Markdown, or would take long, is sent as plain text: otherwise it would block all
   * later messages.
   */
  function formatted({ id }: SessionEvent, content: string, manner: Manner): FormattedText {
    try {
      if (!isMarkdown(content)) return { text: content, entities: [] };
      return fromAgentMarkdown(content, (words) => writeDates(words, manner));
    } catch (error) {
      logger.error({ err: error, event_id: id }, "Could not parse an answer's Markdown; sending plain text");
      return { text: content, entities: [] };
    }
  }

  /** Alerts to the managers; those of quiet hours are sent as one message afterwards. */
  function alertFeed(to: Recipient): Feed {
    return {
      to,
      async messagesOf(event) {
        if (!isKnown(event) || event.type !== "manager.alerted" || event.conversation_id === null) return [];
        if (event.recorded_by === "import") return [];
        const at = Date.parse(event.occurred_at ?? event.recorded_at);
        if (now() - at > ALERTED_WITHIN_MS || isQuiet(at)) return [];
        const conversation = await conversations.get(event.conversation_id);
        const place = { title: conversation?.title ?? null, conversationId: event.conversation_id };
        return splitText({ text: alertText(event.payload.text, place), entities: [] });
      },
    };
  }

  /** In the language of the answer and the time zone of the conversation. */
  async function mannerOf(conversationId: string, answer: string): Promise<Manner> {
    const conversation = await conversations.get(conversationId);
    const { timezone } = await userLocation(events, conversationId);
    const id = conversation?.agent_id ?? null;
    const agent = id === null ? agents.default() : agents.find(id);
    return {
      timezone: timezone ?? agent?.timezone ?? DIALOG_ZONE,
      locale: localeOf(answer) ?? agent?.locale ?? "ru",
    };
  }

  return (name) => {
    if (name === ALERTS) return adminChat === null ? null : alertFeed(adminChat);
    const chatId = chatIdOf(name);
    return chatId === null ? null : chatFeed(chatId, name);
  };
}

/** Whether this server, or a person in its console, recorded it. No program can claim that: storage sets it. */
function isSaidHere({ recorded_by }: SessionEvent): boolean {
  return recorded_by === "engine" || recorded_by === "server" || recorded_by === "person";
}
