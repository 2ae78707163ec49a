import { withParams } from "@/components/client/address.ts";
import { AUDIT_ACTIONS, type AuditAction } from "@/lib/access/audit.ts";

/** What narrows the audit. All of it stands in the address, under these names; empty is anything. Days are the reader's own. */
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

/** Reads the filters of an address; what it cannot mean is left out. */
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

/** The query part of an address with a change of filters, with its question mark; empty without filters. */
export function withFilters(params: URLSearchParams, change: Partial<Filters>): string {
  return withParams(params, change);
}

/** Whether anything narrows the list. */
export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== "");
}

/** What the API takes for these filters, where this runs: its days are those of the time zone here. */
export function toQuery({ action, actor, target, from, to }: Filters) {
  return {
    action: action || undefined,
    actor: actor || undefined,
    target: target || undefined,
    from: from ? startOf(from, 0) : undefined,
    to: to ? startOf(to, 1) : undefined,
  };
}

/** When a day begins, or one so many days after it. */
function startOf(day: string, after: number): string {
  const time = new Date(`${day}T00:00`);
  time.setDate(time.getDate() + after);
  return time.toISOString();
}
