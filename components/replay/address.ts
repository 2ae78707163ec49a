import { currentSearch, writeSearch } from "@/components/client/address.ts";

/** Reads `?at=`: null follows the newest step; `invalid` is what no session has, or this one does not reach. */
export function parseAt(text: string | null, last: number): { at: number | null } | { invalid: string } {
  if (text === null || text === "") return { at: null };
  if (!/^\d{1,15}$/.test(text)) return { invalid: text };
  const at = Number(text);
  return at <= last ? { at } : { invalid: text };
}

/** The query of the address with the playhead in it: absent while following. */
export function withAt(search: string, at: number | null): string {
  const params = new URLSearchParams(search);
  if (at === null) params.delete("at");
  else params.set("at", String(at));
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** Writes where the playhead is into the address. */
export function writeAt({ at, following }: { at: number; following: boolean }): void {
  const before = currentSearch();
  const search = withAt(before, following ? null : at);
  if (search !== before) writeSearch(search);
}
