import { withParams } from "@/components/client/address.ts";
import { QUEUE_VIEWS, type QueueView } from "@/lib/queue/queue.ts";
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
export interface Filters {
  q: string;
  channel: string;
  status: ConversationStatus | "";
  stage: string;
  agent: string;
  period: Period | "";
  /** A view of the queue. */
  queue: QueueView | "";
  assignee: string;
  tag: string;
  /** By scores, as the API reads it: `rating<3`. */
  score: string;
  /** What happened in them, as the overview counts it, when and with what. Times are ISO 8601, `over` is in ms. */
  happened: Happening | "";
  since: string;
  until: string;
  version: string;
  model: string;
  tool: string;
  over: string;
}

/** What can have happened in a conversation. */
export const HAPPENINGS = [
  "began",
  "turn",
  "failed_turn",
  "escalated",
  "approval",
  "call",
  "failed_call",
  "scored",
] as const;
export type Happening = (typeof HAPPENINGS)[number];

export const NO_FILTERS: Filters = {
  ...{ q: "", channel: "", status: "", stage: "", agent: "", period: "", score: "" },
  ...{ queue: "", assignee: "", tag: "" },
  ...{ happened: "", since: "", until: "", version: "", model: "", tool: "", over: "" },
};

/** Reads the filters from search parameters; invalid ones are ignored. */
export function parseFilters(params: URLSearchParams): Filters {
  return {
    q: params.get("q") ?? "",
    channel: params.get("channel") ?? "",
    status: STATUSES.find((status) => status === params.get("status")) ?? "",
    stage: params.get("stage") ?? "",
    agent: params.get("agent") ?? "",
    period: PERIODS.find((period) => period === params.get("period")) ?? "",
    queue: QUEUE_VIEWS.find((view) => view === params.get("queue")) ?? "",
    assignee: params.get("assignee") ?? "",
    tag: params.get("tag") ?? "",
    score: parseScoreFilter(params.get("score") ?? "") ? (params.get("score") ?? "") : "",
    happened: HAPPENINGS.find((happening) => happening === params.get("happened")) ?? "",
    since: timeOf(params.get("since")),
    until: timeOf(params.get("until")),
    version: params.get("version") ?? "",
    model: params.get("model") ?? "",
    tool: params.get("tool") ?? "",
    over: /^\d{1,9}$/.exec(params.get("over") ?? "")?.[0] ?? "",
  };
}

function timeOf(text: string | null): string {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? "" : new Date(time).toISOString();
}

/** The query string of changed filters, with its question mark; empty without filters. */
export function withFilters(params: URLSearchParams, change: Partial<Filters>): string {
  return withParams(params, change);
}

/** Whether any filter is set. */
export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== "");
}

/** The API's parameters for these filters at `now` (epoch ms). */
export function toQuery(
  {
    q,
    channel,
    status,
    stage,
    agent,
    period,
    score,
    queue,
    assignee,
    tag,
    happened,
    since,
    until,
    version,
    model,
    tool,
    over,
  }: Filters,
  now: number,
) {
  return {
    happened: happened || undefined,
    score: score || undefined,
    queue: queue || undefined,
    assignee: assignee || undefined,
    tag: tag || undefined,
    since: since || undefined,
    until: until || undefined,
    version: version || undefined,
    model: model || undefined,
    tool: tool || undefined,
    longer_than: over || undefined,
    q: q.trim() || undefined,
    channel: channel || undefined,
    status: status || undefined,
    stage: stage || undefined,
    agent_id: agent || undefined,
    from: period ? new Date(now - HOURS[period] * 3_600_000).toISOString() : undefined,
  };
}
