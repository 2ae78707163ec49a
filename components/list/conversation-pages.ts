import type { InfiniteData } from "@tanstack/react-query";
import type { Conversation, ConversationPage } from "@/lib/api/shapes.ts";
import type { Filters } from "./filters/filters.ts";

/** Rows a page; the API's own default. */
export const PAGE_SIZE = 50;

/** The pages loaded so far; each is asked for by the cursor the one before it told. */
export type ConversationPages = InfiniteData<ConversationPage, string | null>;

export function conversationsKey(filters: Filters) {
  return ["conversations", filters] as const;
}

/** The pages when only the newest is known. */
export function fromHead(head: ConversationPage): ConversationPages {
  return { pages: [head], pageParams: [null] };
}

/** All rows, each once: one that moved while pages were being read can come with two of them. */
export function rowsOf({ pages }: ConversationPages): Conversation[] {
  return [...new Map(pages.flatMap(({ items }) => items).map((row) => [row.id, row])).values()];
}

/** Puts what the newest page knows into the rows that are there, and leaves every row in its place. */
export function updateInPlace(data: ConversationPages, head: ConversationPage): ConversationPages {
  const news = new Map(head.items.map((row) => [row.id, row]));
  const pages = data.pages.map((page) => ({ ...page, items: page.items.map((row) => news.get(row.id) ?? row) }));
  return { ...data, pages };
}

/** How many rows of the newest page are not in the list yet. */
export function countNew(data: ConversationPages, head: ConversationPage): number {
  const known = new Set(rowsOf(data).map(({ id }) => id));
  return head.items.filter(({ id }) => !known.has(id)).length;
}
