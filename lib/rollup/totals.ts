/** What a conversation adds up to, by which the list is filtered and sorted: ms, units of currency, numbers. */
export const MEASURES = ["duration", "cost", "tokens", "failures"] as const;
export type Measure = (typeof MEASURES)[number];

/** Both ends count. */
export interface Range {
  least?: number;
  most?: number;
}

export type Ranges = { [M in Measure]?: Range | undefined };

/** What the list can be sorted by: last activity, start, what it adds up to. */
export const SORTS = ["updated", "started", ...MEASURES] as const;
export const DIRECTIONS = ["desc", "asc"] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** An order of the list; `score` names the scores whose average counts. */
export type Sort = { by: (typeof SORTS)[number] } | { by: "score"; score: string };

/** The order of the list where nobody asks for another: last activity. */
export const BY_ACTIVITY: Sort = { by: "updated" };

const SCORE = "score:";
const LONGEST_NAME = 100;
const NUMBER = "\\d{1,13}(?:\\.\\d{1,6})?";
const RANGE = new RegExp(`^(${NUMBER})?(\\.\\.)?(${NUMBER})?$`);

/** Reads a range: `5..`, `..10`, `5..10`, or `5` alone. Null if it is none. */
export function parseRange(text: string): Range | null {
  const [, least, dots, most] = RANGE.exec(text.trim()) ?? [];
  if (least === undefined && most === undefined) return null;
  if (dots === undefined) return most === undefined ? { least: Number(least), most: Number(least) } : null;
  const range = {
    ...(least !== undefined && { least: Number(least) }),
    ...(most !== undefined && { most: Number(most) }),
  };
  return range.least !== undefined && range.most !== undefined && range.least > range.most ? null : range;
}

export function printRange({ least, most }: Range): string {
  if (least !== undefined && least === most) return String(least);
  return `${least ?? ""}..${most ?? ""}`;
}

/** Reads an order: `cost`, `score:rating`. Null if it is none. */
export function parseSort(text: string): Sort | null {
  const by = SORTS.find((one) => one === text);
  if (by !== undefined) return { by };
  const score = text.startsWith(SCORE) ? text.slice(SCORE.length) : "";
  return score === "" || score.length > LONGEST_NAME ? null : { by: "score", score };
}

export function printSort(sort: Sort): string {
  return sort.by === "score" ? `${SCORE}${sort.score}` : sort.by;
}
