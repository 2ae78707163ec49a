import type { Confirmation } from "@/lib/session/session.ts";

/** The tabs of the inbox, in their order; the first is its own page without a word in the address. */
export const STATUSES = ["requested", "approved", "denied"] as const satisfies readonly Confirmation["status"][];
export type Status = (typeof STATUSES)[number];

/** Where a reader is in the inbox. All of it stands in the address, under these names. */
export interface Place {
  status: Status;
  /** The confirmation that is looked at, by its id; null where the reader has chosen none. */
  selected: string | null;
}

/** Reads a place from an address; what it cannot mean is left out. */
export function parsePlace(params: URLSearchParams): Place {
  return {
    status: STATUSES.find((status) => status === params.get("status")) ?? "requested",
    selected: params.get("selected") || null,
  };
}

/** The query part of an address with a place in it, with its question mark; empty for the inbox itself. */
export function withPlace(params: URLSearchParams, { status, selected }: Place): string {
  const next = new URLSearchParams(params);
  next.delete("status");
  next.delete("selected");
  if (status !== "requested") next.set("status", status);
  if (selected !== null) next.set("selected", selected);
  const text = next.toString();
  return text ? `?${text}` : "";
}
