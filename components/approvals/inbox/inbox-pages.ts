import type { InfiniteData } from "@tanstack/react-query";
import type { Confirmation, ListedConfirmation, Page } from "@/lib/api/shapes.ts";
import type { Status } from "../place.ts";

/** Items a page; the API's own default. */
export const PAGE_SIZE = 50;

/** The pages loaded so far; each is asked for by the cursor the one before it told. */
export type InboxPages = InfiniteData<Page<ListedConfirmation>, string | null>;

export function inboxKey(status: Status) {
  return ["approvals", status] as const;
}

/** The pages when only the first is known. `guest` was asked for by its id and may stand beyond it. */
export function fromHead(head: Page<ListedConfirmation>, guest: ListedConfirmation | null): InboxPages {
  const isKnown = guest === null || head.items.some(({ id }) => id === guest.id);
  return { pages: [isKnown ? head : { ...head, items: [...head.items, guest] }], pageParams: [null] };
}

/** All items, each once: one can come with two pages where others have left between them. */
export function itemsOf({ pages }: InboxPages): ListedConfirmation[] {
  return [...new Map(pages.flatMap(({ items }) => items).map((item) => [item.id, item])).values()];
}

/**
 * Puts what is known now into the items that are there, and leaves each in its place. A decision stands: an answer that
 * was on its way when it was taken does not undo it.
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
 * Where new items come in: who waits comes last (oldest first), a decision first (newest first). Only that page is read
 * again for news; null where it is not loaded, so that news comes on the way there.
 */
export function newsPage({ pages }: InboxPages, status: Status): number | null {
  if (status !== "requested") return 0;
  return pages.at(-1)?.next === null ? pages.length - 1 : null;
}

/** Adds what a page, read again, has that nobody knew; the items that are there keep their places. */
export function withNews(data: InboxPages, status: Status, index: number, fresh: Page<ListedConfirmation>): InboxPages {
  const known = new Set(itemsOf(data).map(({ id }) => id));
  const added = fresh.items.filter(({ id }) => !known.has(id));
  // So much is new that something may be missing between it and what is there.
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

/** Takes items away that the server no longer knows. */
export function without(data: InboxPages, gone: ReadonlySet<string>): InboxPages {
  const pages = data.pages.map((page) => ({ ...page, items: page.items.filter(({ id }) => !gone.has(id)) }));
  return { ...data, pages };
}
