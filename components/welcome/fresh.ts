import type { Conversation } from "@/lib/api/shapes.ts";

/** The ids of conversations that are begun on the welcome page. */
export const TALK_PREFIX = "welcome-";

/** The ids of the demo's sessions. */
const DEMO_PREFIX = "demo-";

/** Whether a conversation came with the server, or was begun on the welcome page: it is nobody's data. */
export function isOfWelcome(conversationId: string): boolean {
  return conversationId.startsWith(DEMO_PREFIX) || conversationId.startsWith(TALK_PREFIX);
}

/** Whether a server has nothing but the demo, by the first page of its list. */
export function isFresh({ items, next }: { items: readonly { id: string }[]; next: string | null }): boolean {
  return next === null && items.every(({ id }) => isOfWelcome(id));
}

/** The newest conversations among which one from outside is looked for. */
export const NEWEST = 50;

/**
 * The newest conversation that was sent from outside; undefined if there is none. Those that people begin in the console, with
 * an agent of this server, are not.
 */
export function newestForeign<T extends Pick<Conversation, "id" | "channel" | "agent_id">>(
  conversations: readonly T[],
  ownAgents: readonly string[],
): T | undefined {
  return conversations.find(({ id, channel, agent_id }) => {
    const isOfConsole = channel === "web" && agent_id !== null && ownAgents.includes(agent_id);
    return !isOfWelcome(id) && !isOfConsole;
  });
}
