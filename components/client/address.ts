/**
 * How long the last write is taken for the current address, ms. While Next renders an earlier change it can restore
 * that change's address; on a slow machine this takes a second.
 */
const SETTLED_MS = 2_000;

let written: { path: string; search: string; entries: number; at: number } | null = null;

/**
 * The current query, including a pending write. Changes have to be based on it: `location.search` can be stale for a
 * moment, and a change in between would be lost.
 */
export function currentSearch(): string {
  const { pathname, search } = window.location;
  const holds =
    written?.path === pathname &&
    written.entries === window.history.length &&
    performance.now() - written.at < SETTLED_MS;
  return written && holds ? written.search : search;
}

/** A query with changed parameters, with its question mark; empty ones are removed. */
export function withParams(params: URLSearchParams, change: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(change)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text ? `?${text}` : "";
}

/** The open visit, and whether it has added its history entry. */
let visit: { isEntry: boolean } | null = null;

/** Replaces the query, `?at=3` or empty; in a visit it adds a history entry. */
export function writeSearch(search: string): void {
  const { pathname, hash } = window.location;
  const address = `${pathname}${search}${hash}`;
  window.addEventListener("popstate", forget, { once: true });
  if (visit && !visit.isEntry && search !== currentSearch()) {
    visit.isEntry = true;
    window.history.pushState(null, "", address);
  } else window.history.replaceState(null, "", address);
  written = { path: pathname, search, entries: window.history.length, at: performance.now() };
}

/** All writes in `change` add one history entry: Back returns to the address before it. */
export function asVisit(change: () => void): void {
  if (visit) return change();
  visit = { isEntry: false };
  try {
    change();
  } finally {
    visit = null;
  }
}

function forget(): void {
  written = null;
}
