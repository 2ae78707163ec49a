import { withParams } from "@/components/client/address.ts";
import { QUEUE_VIEWS, type QueueView } from "@/lib/queue/queue.ts";
import { HAPPENINGS } from "@/lib/rollup/happenings.ts";
import { type Direction, MEASURES, type Measure, parseRange, parseSort } from "@/lib/rollup/totals.ts";
import { parseScoreFilter } from "@/lib/scores/score.ts";
import type { ConversationStatus } from "@/lib/session/session.ts";

/** The statuses, in the order of the tabs. */
export const STATUSES = [
  "running",
  "waiting",
  "escalated",
  "failed",
  "idle",
] as const satisfies readonly ConversationStatus[];

/** Periods of last activity. */
export const PERIODS = ["1h", "24h", "7d", "30d"] as const;
export type Period = (typeof PERIODS)[number];

const HOURS = { "1h": 1, "24h": 24, "7d": 7 * 24, "30d": 30 * 24 } as const satisfies Record<Period, number>;

/** The filters, by the names of their search parameters; empty for no filter. */
export interface Filters extends Record<Measure, string> {
  q: string;
  channel: string;
  status: ConversationStatus | "";
  stage: string;
  agent: string;
  period: Period | "";
  /** Days of last activity instead of a period, both included: `2026-01-31`. */
  from: string;
  to: string;
  /** A view of the queue. */
  queue: QueueView | "";
  assignee: string;
  tag: string;
  /** By scores, as the API reads it: `rating<3`. */
  score: string;
  /** When that score was given, ISO 8601. */
  scored_since: string;
  scored_until: string;
  /** What happened in them, as the overview counts it, when and with what. Times are ISO 8601, `over` is in ms. */
  happened: (typeof HAPPENINGS)[number] | "";
  since: string;
  until: string;
  version: string;
  model: string;
  tool: string;
  over: string;
  /** The fingerprint of an error of the tool. */
  error: string;
}

/** How the list is shown: the order, and the columns; empty for what suits its rows. */
export interface Display {
  sort: string;
  order: Direction | "";
  columns: string;
}

/** All that the list's address says. */
export type ListState = Filters & Display;

export const NO_FILTERS: Filters = {
  ...{ q: "", channel: "", status: "", stage: "", agent: "", period: "", from: "", to: "" },
  ...{ score: "", scored_since: "", scored_until: "" },
  ...{ queue: "", assignee: "", tag: "" },
  ...{ happened: "", since: "", until: "", version: "", model: "", tool: "", over: "", error: "" },
  ...{ duration: "", cost: "", tokens: "", failures: "" },
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the filters from search parameters; invalid ones are ignored. */
export function parseFilters(params: URLSearchParams): ListState {
  const text = (name: string) => params.get(name) ?? "";
  const score = parseScoreFilter(text("score")) ? text("score") : "";
  const range = (name: Measure) => (parseRange(text(name)) ? text(name) : "");
  return {
    q: text("q"),
    channel: text("channel"),
    status: STATUSES.find((status) => status === params.get("status")) ?? "",
    stage: text("stage"),
    agent: text("agent"),
    period: PERIODS.find((period) => period === params.get("period")) ?? "",
    from: dayOf(text("from")),
    to: dayOf(text("to")),
    queue: QUEUE_VIEWS.find((view) => view === params.get("queue")) ?? "",
    assignee: text("assignee"),
    tag: text("tag"),
    score,
    scored_since: score && timeOf(params.get("scored_since")),
    scored_until: score && timeOf(params.get("scored_until")),
    happened: HAPPENINGS.find((happening) => happening === params.get("happened")) ?? "",
    since: timeOf(params.get("since")),
    until: timeOf(params.get("until")),
    version: text("version"),
    model: text("model"),
    tool: text("tool"),
    over: /^\d{1,9}$/.exec(text("over"))?.[0] ?? "",
    // It is one among the errors of a tool.
    error: text("tool") === "" ? "" : (/^[0-9a-f]{16}$/.exec(text("error"))?.[0] ?? ""),
    duration: range("duration"),
    cost: range("cost"),
    tokens: range("tokens"),
    failures: range("failures"),
    sort: parseSort(text("sort")) ? text("sort") : "",
    order: text("order") === "asc" ? "asc" : "",
    columns: text("columns"),
  };
}

function dayOf(text: string): string {
  return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : "";
}

function timeOf(text: string | null): string {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? "" : new Date(time).toISOString();
}

/** The query string of changed filters, with its question mark; empty without filters. */
export function withFilters(params: URLSearchParams, change: Partial<ListState>): string {
  return withParams(params, change);
}

/** Whether any filter is set. */
export function isFiltered(filters: Filters): boolean {
  return Object.keys(NO_FILTERS).some((name) => name in filters && Reflect.get(filters, name) !== "");
}

/** The API's parameters for the list: what it has, and its order. */
export function toListQuery(state: ListState, now: number) {
  return { ...toQuery(state, now), sort: state.sort || undefined, order: state.order || undefined };
}

/** The API's parameters for these filters at `now` (epoch ms); days are those of the local time zone. */
export function toQuery(filters: Filters, now: number) {
  const { agent, period, over, q, from, to, ...same } = filters;
  const given = (name: Exclude<keyof typeof same, keyof Display>) => same[name] || undefined;
  return {
    happened: same.happened || undefined,
    queue: same.queue || undefined,
    status: same.status || undefined,
    score: given("score"),
    scored_since: given("scored_since"),
    scored_until: given("scored_until"),
    assignee: given("assignee"),
    tag: given("tag"),
    since: given("since"),
    until: given("until"),
    version: given("version"),
    model: given("model"),
    tool: given("tool"),
    error: given("error"),
    channel: given("channel"),
    stage: given("stage"),
    ...Object.fromEntries(MEASURES.map((measure) => [measure, given(measure)])),
    longer_than: over || undefined,
    q: q.trim() || undefined,
    agent_id: agent || undefined,
    from: period ? new Date(now - HOURS[period] * 3_600_000).toISOString() : startOf(from, 0),
    to: period ? undefined : startOf(to, 1),
  };
}

/** The start of a day, plus a number of days. */
function startOf(day: string, after: number): string | undefined {
  if (day === "") return undefined;
  const time = new Date(`${day}T00:00`);
  time.setDate(time.getDate() + after);
  return time.toISOString();
}
