import type { Origin } from "@/lib/prompt/prompt.ts";

/** Where parts of prompts come from, in the order of the legend. */
const ORIGINS = [
  "history",
  "user",
  "household",
  "time",
  "timezone",
  "state",
  "summary",
  "memory",
  "configuration",
  "warnings",
  "tools",
  "default",
  "missing",
  "unknown",
] as const satisfies readonly Origin[];

/** An origin that has a word and a colour of its own, or any other. */
export type ShownOrigin = Origin | "other";

/** What an origin is shown as: agents from outside may have origins of their own. */
export function shownOrigin(origin: string): ShownOrigin {
  return ORIGINS.find((known) => known === origin) ?? "other";
}

/** The origins of some parts, each once, in the order of the legend. */
export function originsOf(parts: readonly { origin: string }[]): ShownOrigin[] {
  const present = new Set(parts.map(({ origin }) => shownOrigin(origin)));
  return [...ORIGINS, "other" as const].filter((origin) => present.has(origin));
}
