import type { Conversations, Events } from "../../../db/repositories.ts";
import type { AgentRegistry } from "../../dialog/agent-registry.ts";
import { localeOf } from "../../dialog/locale.ts";
import { DIALOG_ZONE, whereabouts } from "../../dialog/whereabouts.ts";
import { isKnown, type SessionEvent } from "../../session/event.ts";
import { isMarkdown } from "../../session/markdown.ts";
import { type Manner, writeDates } from "../answers/dates.ts";
import { chatIdOf } from "./names.ts";
import type { Recipient } from "./sender.ts";
import { fromAgentMarkdown } from "./text/markdown.ts";
import { type FormattedText, splitText } from "./text/split.ts";
import { alertText } from "./words.ts";

/** What managers are alerted to is followed under this name. */
export const ALERTS = "alerts";

/** A manager who hears of it a day later has long seen it in the console. */
const ALERTED_WITHIN_MS = 24 * 3_600_000;

/** A part of the log that is sent to somebody. */
export interface Feed {
  to: Recipient;
  /** The conversation it is in; undefined for the whole log. */
  conversationId?: string;
  /** An event as messages; none where it tells nothing to those who read there. */
  messagesOf(event: SessionEvent): Promise<FormattedText[]>;
}

/** What feeds are made of. */
export interface FeedNeeds {
  conversations: Pick<Conversations, "get">;
  events: Pick<Events, "list">;
  agents: Pick<AgentRegistry, "find" | "default">;
  adminChat: Recipient | null;
  /** Whether managers are told nothing at this time: what calls them then is told after. */
  isQuiet: (at: number) => boolean;
  now: () => number;
  logger: { error(details: object, message: string): void };
}

/** Makes what finds a feed by its name: a chat's conversation, or the alerts; null where nobody reads. */
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
   * Each answer of an agent and each word of a manager, in the order of the log. What a program has told, or an import brought,
   * is history: it is never sent to anybody.
   */
  function chatFeed(chatId: number, conversationId: string): Feed {
    return {
      to: chatId,
      conversationId,
      async messagesOf(event) {
        if (!isKnown(event) || event.type !== "message.created" || !isSaidHere(event)) return [];
        const { role, content } = event.payload;
        // Agents write Markdown; what a person has typed stands as it was typed.
        if (role === "operator") return splitText({ text: content, entities: [] });
        if (role !== "assistant") return [];
        return splitText(formatted(event, content, await mannerOf(conversationId, content)));
      },
    };
  }

  /** What cannot be read as Markdown, or would take long to be, is said nevertheless: else nothing would come after it. */
  function formatted({ id }: SessionEvent, content: string, manner: Manner): FormattedText {
    try {
      if (!isMarkdown(content)) return { text: content, entities: [] };
      return fromAgentMarkdown(content, (words) => writeDates(words, manner));
    } catch (error) {
      logger.error({ err: error, event_id: id }, "Could not parse an answer's Markdown; sending plain text");
      return { text: content, entities: [] };
    }
  }

  /** Each alert to the managers, but those of quiet hours, which are told in one message after. */
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

  /** In the language that the answer itself is in, and the dialog's zone. */
  async function mannerOf(conversationId: string, answer: string): Promise<Manner> {
    const conversation = await conversations.get(conversationId);
    const { timezone } = await whereabouts(events, conversationId);
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

/** Whether this server, or a person in its console, has said it. No program can claim that: storage alone writes it. */
function isSaidHere({ recorded_by }: SessionEvent): boolean {
  return recorded_by === "engine" || recorded_by === "server" || recorded_by === "person";
}
