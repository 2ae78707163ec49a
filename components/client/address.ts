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

/** Puts a query, `?at=3` or empty, in place of the address's own. */
export function replaceSearch(search: string): void {
  const { pathname, hash } = window.location;
  written = { path: pathname, search, entries: window.history.length, at: performance.now() };
  window.addEventListener("popstate", forget, { once: true });
  window.history.replaceState(null, "", `${pathname}${search}${hash}`);
}

function forget(): void {
  written = null;
}
