import type { Session } from "@/lib/session/session.ts";

/** So many tools tell one untitled conversation from another; more make a long name. */
const NAMED = 3;

/** A name for a conversation that nobody titled and in which nobody spoke: the first tools that it calls; null before any. */
export function runName({ plans, calls }: Pick<Session, "plans" | "calls">): string | null {
  const [plan] = plans.values();
  const proposed = plan?.calls.flatMap(({ _tool }) => (typeof _tool === "string" ? [_tool] : [])) ?? [];
  const tools = new Set(proposed.length > 0 ? proposed : [...calls.values()].map(({ tool }) => tool));
  if (tools.size === 0) return null;
  const named = [...tools].slice(0, NAMED).join(", ");
  return tools.size > NAMED ? `${named} +${tools.size - NAMED}` : named;
}

/**
 * What a conversation is called: its title, the name that its page was opened with, the first words of its user, the
 * first tools that it calls; null before any.
 */
export function conversationName(session: Pick<Session, "summary" | "plans" | "calls">, name: string | null) {
  const { title, subject } = session.summary;
  return title ?? name ?? subject ?? runName(session);
}
