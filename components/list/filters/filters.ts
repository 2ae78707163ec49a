import { withParams } from "@/components/client/address.ts";
import type { ConversationStatus } from "@/lib/session/session.ts";

/** The statuses a conversation can have, in the order of the list's tabs. */
export const STATUSES = [
  "running",
  "waiting",
  "escalated",
  "failed",
  "idle",
] as const satisfies readonly ConversationStatus[];

/** How far back the last activity may lie. */
export const PERIODS = ["1h", "24h", "7d", "30d"] as const;
export type Period = (typeof PERIODS)[number];

const HOURS = { "1h": 1, "24h": 24, "7d": 7 * 24, "30d": 30 * 24 } as const satisfies Record<Period, number>;

/** What narrows the list. All of it stands in the address, under these names; empty is anything. */
export interface Filters {
  q: string;
  channel: string;
  status: ConversationStatus | "";
  stage: string;
  agent: string;
  period: Period | "";
}

export const NO_FILTERS: Filters = { q: "", channel: "", status: "", stage: "", agent: "", period: "" };

/** Reads the filters of an address; what it cannot mean is left out. */
export function parseFilters(params: URLSearchParams): Filters {
  return {
    q: params.get("q") ?? "",
    channel: params.get("channel") ?? "",
    status: STATUSES.find((status) => status === params.get("status")) ?? "",
    stage: params.get("stage") ?? "",
    agent: params.get("agent") ?? "",
    period: PERIODS.find((period) => period === params.get("period")) ?? "",
  };
}

/** The query part of an address with a change of filters, with its question mark; empty without filters. */
export function withFilters(params: URLSearchParams, change: Partial<Filters>): string {
  return withParams(params, change);
}

/** Whether anything narrows the list. */
export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== "");
}

/** What the API takes for these filters, as of `now` (epoch ms). */
export function toQuery({ q, channel, status, stage, agent, period }: Filters, now: number) {
  return {
    q: q.trim() || undefined,
    channel: channel || undefined,
    status: status || undefined,
    stage: stage || undefined,
    agent_id: agent || undefined,
    from: period ? new Date(now - HOURS[period] * 3_600_000).toISOString() : undefined,
  };
}
