import type { InfiniteData } from "@tanstack/react-query";
import type { AuditEntry, Page } from "@/lib/api/shapes.ts";
import type { Filters } from "./filters.ts";

/** Entries per page; the API's default. */
export const PAGE_SIZE = 50;

/** The loaded pages, each fetched with the cursor of the one before. */
export type AuditPages = InfiniteData<Page<AuditEntry>, string | null>;

export function auditKey(filters: Filters) {
  return ["audit", filters] as const;
}
