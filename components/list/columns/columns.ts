import type { Conversation } from "@/lib/api/shapes.ts";
import { parseSort, printSort, type Sort } from "@/lib/rollup/totals.ts";
import { RATING, THUMBS } from "@/lib/scores/score.ts";
import type { ListState } from "../filters/filters.ts";

/** The columns between a conversation and its last activity, in their order. */
export const COLUMNS = [
  "user",
  "agent",
  "stage",
  "owner",
  "tags",
  "due",
  "score",
  "activity",
  "started",
  "duration",
  "messages",
  "calls",
  "failures",
  "tokens",
  "cost",
] as const;
export type Column = (typeof COLUMNS)[number];

interface Look {
  /** In pixels, on wide screens and on those of middle width. */
  widths: readonly [wide: number, middle: number];
  isNumber?: boolean;
  /** Left out on screens of middle width, where it was not chosen. */
  isMinor?: boolean;
  isEmpty: (conversation: Conversation) => boolean;
}

const LOOKS: Record<Column, Look> = {
  user: { widths: [122, 104], isEmpty: ({ user_id }) => user_id === null },
  agent: { widths: [128, 112], isEmpty: ({ agent_id }) => agent_id === null },
  stage: { widths: [112, 104], isMinor: true, isEmpty: ({ stage }) => stage === null },
  owner: { widths: [176, 150], isEmpty: ({ queue }) => (queue?.assignee ?? null) === null },
  tags: { widths: [180, 150], isEmpty: ({ queue, note_count }) => (queue?.tags.length ?? 0) + note_count === 0 },
  due: { widths: [112, 104], isNumber: true, isEmpty: ({ queue }) => (queue?.due_at ?? null) === null },
  score: { widths: [96, 88], isEmpty: ({ scores }) => scores.length === 0 },
  activity: { widths: [176, 120], isEmpty: () => false },
  started: { widths: [96, 96], isNumber: true, isEmpty: () => false },
  duration: { widths: [84, 84], isNumber: true, isEmpty: () => false },
  messages: { widths: [76, 70], isNumber: true, isMinor: true, isEmpty: ({ message_count }) => message_count === 0 },
  calls: { widths: [58, 52], isNumber: true, isEmpty: ({ call_count }) => call_count === 0 },
  failures: { widths: [70, 66], isNumber: true, isEmpty: ({ error_count }) => error_count === 0 },
  tokens: { widths: [84, 78], isNumber: true, isEmpty: ({ tokens }) => !tokens },
  cost: { widths: [84, 78], isNumber: true, isEmpty: ({ cost }) => !cost },
};

const USUAL: readonly Column[] = ["user", "agent", "stage", "score", "activity", "messages", "calls"];
const IN_QUEUE: readonly Column[] = ["owner", "tags", "due"];
/** In the address: no columns, which is not the same as any. */
const NONE = "none";

/** The columns that an address names; null: it names none that there is, and leaves them to the list. */
export function parseColumns(text: string): readonly Column[] | null {
  if (text === NONE) return [];
  const named = text.split(",");
  const known = COLUMNS.filter((column) => named.includes(column));
  return known.length === 0 ? null : known;
}

export function printColumns(columns: readonly Column[]): string {
  return columns.length === 0 ? NONE : COLUMNS.filter((column) => columns.includes(column)).join(",");
}

/** The columns that are shown: those that were chosen, else the usual ones that have something in these rows, and that of the order. */
export function shownColumns(
  { columns, queue, sort }: Pick<ListState, "columns" | "queue" | "sort">,
  rows: readonly Conversation[],
): readonly Column[] {
  const chosen = parseColumns(columns);
  const by = parseSort(sort)?.by;
  if (chosen) return COLUMNS.filter((column) => column === by || chosen.includes(column));
  return COLUMNS.filter((column) => {
    if (column === by) return true;
    if (queue !== "") return IN_QUEUE.includes(column);
    return USUAL.includes(column) && !(rows.length > 0 && rows.every(LOOKS[column].isEmpty));
  });
}

/** The classes of a column's cells; `isChosen`: the person wants to see it. */
export function columnClass(column: Column, isChosen: boolean): string {
  const { isMinor, isNumber } = LOOKS[column];
  // When it is due is told on every screen.
  const screen = column === "due" ? "" : isMinor && !isChosen ? "minor" : "middling";
  return `${screen} ${isNumber ? "text-right" : ""}`;
}

/** The grid of the rows for each width of the screen, as custom properties. */
export function gridOf(columns: readonly Column[], isChosen: boolean): Record<`--grid-${string}`, string> {
  const widths = (side: 0 | 1, shown: readonly Column[]) => shown.map((column) => `${LOOKS[column].widths[side]}px`);
  const middle = columns.filter((column) => isChosen || !LOOKS[column].isMinor);
  const due = columns.includes("due");
  return {
    "--grid-wide": ["16px 110px 18px minmax(240px, 1fr)", ...widths(0, columns), "84px"].join(" "),
    "--grid-middle": ["16px 20px 18px minmax(200px, 1fr)", ...widths(1, middle), "84px"].join(" "),
    "--grid-narrow": `16px 20px 18px minmax(0, 1fr) ${due ? "104px " : ""}84px`,
    "--grid-phone": `20px 18px minmax(0, 1fr) ${due ? "auto " : ""}auto`,
  };
}

/** The order that a column stands for; null: the list cannot be sorted by it. */
export function sortOf(column: Column | "active", rows: readonly Conversation[]): Sort | null {
  switch (column) {
    case "active":
      return { by: "updated" };
    case "started":
    case "duration":
    case "failures":
    case "tokens":
    case "cost":
      return { by: column };
    case "score": {
      const names = new Set(rows.flatMap(({ scores }) => scores.map(({ name }) => name)));
      const [score] = [RATING, THUMBS, ...names].filter((name) => names.has(name));
      return score === undefined ? null : { by: "score", score };
    }
    default:
      return null;
  }
}

/** What the address says after a press on the head of a column: the largest first, then the smallest, then by activity again. */
export function toggledSort(sort: Sort, state: Pick<ListState, "sort" | "order">): Pick<ListState, "sort" | "order"> {
  const text = printSort(sort) === "updated" ? "" : printSort(sort);
  if (state.sort !== text) return { sort: text, order: "" };
  return state.order === "" ? { sort: text, order: "asc" } : { sort: "", order: "" };
}

/** The names of these columns in the table of the API's export. */
const IN_EXPORT: Record<Exclude<Column, "activity">, string> = {
  ...{ user: "user", agent: "agent", stage: "stage", owner: "assignee", tags: "tags", due: "due_at", score: "scores" },
  ...{ started: "created_at", duration: "duration_ms", messages: "messages", calls: "calls", failures: "errors" },
  ...{ tokens: "tokens", cost: "cost" },
};

/** The columns of an export of the list: all of them unless some were chosen. */
export function exportedColumns(columns: string): string | undefined {
  const chosen = parseColumns(columns);
  if (!chosen) return undefined;
  const names = chosen.flatMap((column) => (column === "activity" ? [] : IN_EXPORT[column]));
  return ["id", "title", "status", "channel", ...names, "updated_at"].join(",");
}
