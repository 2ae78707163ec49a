import { ORIGINS, type Origin } from "@/lib/prompt/prompt.ts";

/** A known origin, or "other". */
export type ShownOrigin = Origin | "other";

/** How an origin is shown; external agents may have their own. */
export function shownOrigin(origin: string): ShownOrigin {
  return ORIGINS.find((known) => known === origin) ?? "other";
}

/** The origins of some parts, in the order of the legend: that of `ORIGINS`. */
export function originsOf(parts: readonly { origin: string }[]): ShownOrigin[] {
  const present = new Set(parts.map(({ origin }) => shownOrigin(origin)));
  return [...ORIGINS, "other" as const].filter((origin) => present.has(origin));
}
