import { currentSearch, writeSearch } from "@/components/client/address.ts";

/** Reads `?at=`: null follows the newest step; `invalid` is not a step of this session. */
export function parseAt(text: string | null, last: number): { at: number | null } | { invalid: string } {
  if (text === null || text === "") return { at: null };
  if (!/^\d{1,15}$/.test(text)) return { invalid: text };
  const at = Number(text);
  return at <= last ? { at } : { invalid: text };
}

/** The query with the current step; without one while following. */
export function withAt(search: string, at: number | null): string {
  const params = new URLSearchParams(search);
  if (at === null) params.delete("at");
  else params.set("at", String(at));
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** Writes the current step into the address. */
export function writeAt({ at, following }: { at: number; following: boolean }): void {
  const before = currentSearch();
  const search = withAt(before, following ? null : at);
  if (search !== before) writeSearch(search);
}

/** The whole address of what the page shows, at a step. */
export function addressOfStep(step: number): string {
  const { origin, pathname, search } = window.location;
  return `${origin}${pathname}${withAt(search, step)}`;
}
