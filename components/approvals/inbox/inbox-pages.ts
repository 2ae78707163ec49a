import type { InfiniteData } from "@tanstack/react-query";
import type { Confirmation, ListedConfirmation, Page } from "@/lib/api/shapes.ts";
import type { Status } from "../place.ts";

/** Items per page; the API's default. */
export const PAGE_SIZE = 50;

/** The loaded pages, each fetched with the cursor of the one before. */
export type InboxPages = InfiniteData<Page<ListedConfirmation>, string | null>;

export function inboxKey(status: Status) {
  return ["approvals", status] as const;
}

/** The pages when only the first is loaded. `guest` was fetched by its id and may be on a later page. */
export function fromHead(head: Page<ListedConfirmation>, guest: ListedConfirmation | null): InboxPages {
  const isKnown = guest === null || head.items.some(({ id }) => id === guest.id);
  return { pages: [isKnown ? head : { ...head, items: [...head.items, guest] }], pageParams: [null] };
}

/** All items without duplicates: when items leave between two fetches, one can be on two pages. */
export function itemsOf({ pages }: InboxPages): ListedConfirmation[] {
  return [...new Map(pages.flatMap(({ items }) => items).map((item) => [item.id, item])).values()];
}

/**
 * Replaces items in their places. A decided item stays decided: a response from before the decision does not undo it.
 */
export function withKnown(data: InboxPages, known: readonly Confirmation[]): InboxPages {
  const news = new Map(known.map((item) => [item.id, item]));
  const update = (item: ListedConfirmation) => {
    const now = news.get(item.id);
    const isOld = now?.status === "requested" && item.requested_seq === now.requested_seq && item.status !== now.status;
    return isOld ? item : { ...item, ...now };
  };
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(update) })) };
}

/**
 * The page to which new items belong: the last for pending ones (oldest first), the first for decisions (newest first).
 * Null when it is not loaded: then they come with that page.
 */
export function newsPage({ pages }: InboxPages, status: Status): number | null {
  if (status !== "requested") return 0;
  return pages.at(-1)?.next === null ? pages.length - 1 : null;
}

/** Adds the new items of a refetched page; the other items keep their places. */
export function withNews(data: InboxPages, status: Status, index: number, fresh: Page<ListedConfirmation>): InboxPages {
  const known = new Set(itemsOf(data).map(({ id }) => id));
  const added = fresh.items.filter(({ id }) => !known.has(id));
  // All items are new, so some may be missing between them and the loaded ones.
  if (status !== "requested" && fresh.next !== null && added.length === fresh.items.length)
    return fromHead(fresh, null);
  const pages = data.pages.map((page, at) => {
    if (at !== index) return page;
    return status === "requested"
      ? { ...page, items: [...page.items, ...added], next: fresh.next }
      : { ...page, items: [...added, ...page.items] };
  });
  return withKnown({ ...data, pages }, fresh.items);
}

/** Removes items that the server no longer has. */
export function without(data: InboxPages, gone: ReadonlySet<string>): InboxPages {
  const pages = data.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => !gone.has(id)) }));
  return { ...data, pages };
}
