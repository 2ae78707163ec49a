import type { Origin } from "@/lib/prompt/prompt.ts";

/** Origins of replaced parts, in the order of the legend. */
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

/** A known origin, or "other". */
export type ShownOrigin = Origin | "other";

/** How an origin is shown; external agents may have their own. */
export function shownOrigin(origin: string): ShownOrigin {
  return ORIGINS.find((known) => known === origin) ?? "other";
}

/** The origins of some parts, in the order of the legend. */
export function originsOf(parts: readonly { origin: string }[]): ShownOrigin[] {
  const present = new Set(parts.map(({ origin }) => shownOrigin(origin)));
  return [...ORIGINS, "other" as const].filter((origin) => present.has(origin));
}
