import { withParams } from "@/components/client/address.ts";
import { AUDIT_ACTIONS, type AuditAction } from "@/lib/access/audit.ts";

/** The filters, by the names of their search parameters; empty for no filter. Dates are in the reader's time zone. */
export interface Filters {
  action: AuditAction | "";
  actor: string;
  target: string;
  /** The first day, `2026-01-31`. */
  from: string;
  /** The last day. */
  to: string;
}

export const NO_FILTERS: Filters = { action: "", actor: "", target: "", from: "", to: "" };

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the filters from search parameters; invalid ones are ignored. */
export function parseFilters(params: URLSearchParams): Filters {
  return {
    action: AUDIT_ACTIONS.find((action) => action === params.get("action")) ?? "",
    actor: params.get("actor") ?? "",
    target: params.get("target") ?? "",
    from: dayOf(params.get("from")),
    to: dayOf(params.get("to")),
  };
}

function dayOf(text: string | null): string {
  return text !== null && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : "";
}

/** The query string of changed filters, with its question mark; empty without filters. */
export function withFilters(params: URLSearchParams, change: Partial<Filters>): string {
  return withParams(params, change);
}

/** Whether any filter is set. */
export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== "");
}

/** The API's parameters for these filters; days start at midnight of the local time zone. */
export function toQuery({ action, actor, target, from, to }: Filters) {
  return {
    action: action || undefined,
    actor: actor || undefined,
    target: target || undefined,
    from: from ? startOf(from, 0) : undefined,
    to: to ? startOf(to, 1) : undefined,
  };
}

/** The start of a day, plus a number of days. */
function startOf(day: string, after: number): string {
  const time = new Date(`${day}T00:00`);
  time.setDate(time.getDate() + after);
  return time.toISOString();
}
