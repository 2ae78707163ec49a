import type { InfiniteData } from "@tanstack/react-query";
import type { AuditEntry, Page } from "@/lib/api/shapes.ts";
import type { Filters } from "./filters.ts";

/** Entries a page; the API's own default. */
export const PAGE_SIZE = 50;

/** The pages loaded so far; each is asked for by the cursor the one before it told. */
export type AuditPages = InfiniteData<Page<AuditEntry>, string | null>;

export function auditKey(filters: Filters) {
  return ["audit", filters] as const;
}
