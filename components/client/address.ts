/**
 * For how long what was written is taken for the address, in ms. Next puts an address back that an earlier change had,
 * when it comes to draw that one; on a slow machine that takes a second.
 */
const SETTLED_MS = 2_000;

let written: { path: string; search: string; entries: number; at: number } | null = null;

/**
 * The query of the address, as it is or is about to be. Who changes a part of it has to begin from here: `location.search`
 * may be an earlier one for a moment, and the change between the two would be lost.
 */
export function currentSearch(): string {
  const { pathname, search } = window.location;
  const holds =
    written?.path === pathname &&
    written.entries === window.history.length &&
    performance.now() - written.at < SETTLED_MS;
  return written && holds ? written.search : search;
}

/** A query with changed parameters, with its question mark; an empty one is taken away, and nothing is left of none. */
export function withParams(params: URLSearchParams, change: Readonly<Record<string, string>>): string {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(change)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text ? `?${text}` : "";
}

/** A visit that goes on, and whether it is an entry of the history by now. */
let visit: { isEntry: boolean } | null = null;

/** Writes a query, `?at=3` or empty, in place of the address's own; in a visit, as an entry of the history. */
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

/** All that `change` writes at once is one entry of the history: Back returns to the address before it. */
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
