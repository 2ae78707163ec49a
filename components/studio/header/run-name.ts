import type { Session } from "@/lib/session/session.ts";

/** The most tools in a name. */
const NAMED = 3;

/** A name for a conversation without title and messages: its first tools; null without calls. */
export function runName({ plans, calls }: Pick<Session, "plans" | "calls">): string | null {
  const [plan] = plans.values();
  const proposed = plan?.calls.flatMap(({ _tool }) => (typeof _tool === "string" ? [_tool] : [])) ?? [];
  const tools = new Set(proposed.length > 0 ? proposed : [...calls.values()].map(({ tool }) => tool));
  if (tools.size === 0) return null;
  const named = [...tools].slice(0, NAMED).join(", ");
  return tools.size > NAMED ? `${named} +${tools.size - NAMED}` : named;
}

/**
 * A conversation's name: its title, the name at page load, its user's first words, or its first tools; null for none.
 */
export function conversationName(session: Pick<Session, "summary" | "plans" | "calls">, name: string | null) {
  const { title, subject } = session.summary;
  return title ?? name ?? subject ?? runName(session);
}
