import type { InfiniteData } from "@tanstack/react-query";
import type { Conversation, ConversationPage } from "@/lib/api/shapes.ts";
import type { ListState } from "./filters/filters.ts";

/** Rows per page; the API's default. */
export const PAGE_SIZE = 50;

/** The loaded pages, each fetched with the cursor of the one before. */
export type ConversationPages = InfiniteData<ConversationPage, string | null>;

/** The columns are not fetched. */
export function conversationsKey({ columns: _columns, ...asked }: ListState) {
  return ["conversations", asked] as const;
}

/** The pages when only the newest is loaded. */
export function fromHead(head: ConversationPage): ConversationPages {
  return { pages: [head], pageParams: [null] };
}

/** All rows without duplicates: one that moved between two fetches can be on two pages. */
export function rowsOf({ pages }: ConversationPages): Conversation[] {
  return [...new Map(pages.flatMap(({ items }) => items).map((row) => [row.id, row])).values()];
}

/** Updates the loaded rows from the newest page, without moving any. */
export function updateInPlace(data: ConversationPages, head: ConversationPage): ConversationPages {
  const news = new Map(head.items.map((row) => [row.id, row]));
  const pages = data.pages.map((page) => ({ ...page, items: page.items.map((row) => news.get(row.id) ?? row) }));
  return { ...data, pages };
}

/** How many rows of the newest page are not listed yet. */
export function countNew(data: ConversationPages, head: ConversationPage): number {
  const known = new Set(rowsOf(data).map(({ id }) => id));
  return head.items.filter(({ id }) => !known.has(id)).length;
}
