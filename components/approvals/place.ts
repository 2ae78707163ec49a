import type { Confirmation } from "@/lib/session/session.ts";

/** The tabs in order; the first has no parameter. */
export const STATUSES = ["requested", "approved", "denied"] as const satisfies readonly Confirmation["status"][];
export type Status = (typeof STATUSES)[number];

/** The reader's tab and selection, by the names of their search parameters. */
export interface Place {
  status: Status;
  /** The selected confirmation's id; null for none. */
  selected: string | null;
}

/** Reads tab and selection from search parameters; invalid ones are ignored. */
export function parsePlace(params: URLSearchParams): Place {
  return {
    status: STATUSES.find((status) => status === params.get("status")) ?? "requested",
    selected: params.get("selected") || null,
  };
}

/** The query string with its question mark; empty for the first tab without a selection. */
export function withPlace(params: URLSearchParams, { status, selected }: Place): string {
  const next = new URLSearchParams(params);
  next.delete("status");
  next.delete("selected");
  if (status !== "requested") next.set("status", status);
  if (selected !== null) next.set("selected", selected);
  const text = next.toString();
  return text ? `?${text}` : "";
}
