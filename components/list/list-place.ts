import { callApi } from "@/components/client/api.ts";
import type { Conversation, Page } from "@/lib/api/shapes.ts";
import { parseFilters, toQuery } from "./filters/filters.ts";

/** The list as it was left for a conversation: its filters, its order, and which conversation was looked at last. */
export interface ListPlace {
  /** The query of the list's address, with its question mark; empty without filters. */
  query: string;
  ids: readonly string[];
  /** How the list goes on after these; null at its end. */
  next: string | null;
  /** Looked at last; null once the list has come back to it. */
  at: string | null;
  /** How far the list was scrolled, px. */
  top: number;
}

/** One a tab: two tabs may show two lists. */
const KEY = "obelus-list";

/** As many conversations as one walks through; the API's largest page. */
const PAGE = 200;

export function readPlace(): ListPlace | null {
  const text = sessionStorage.getItem(KEY);
  return text === null ? null : JSON.parse(text);
}

/** Without a place to keep it the list still works: it begins at its top. */
export function keepPlace(place: ListPlace): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(place));
  } catch (error) {
    console.warn("The place in the list could not be kept", error);
  }
}

/** What stands before or after a conversation in the list; `unknown`: not among what is loaded. */
export function neighbourOf(place: ListPlace, id: string, by: 1 | -1): { id: string } | "end" | "further" | "unknown" {
  const index = place.ids.indexOf(id);
  if (index === -1) return "unknown";
  const next = place.ids[index + by];
  if (next !== undefined) return { id: next };
  return by === 1 && place.next !== null ? "further" : "end";
}

/** The conversation before or after one, in the list as it was left; of who did not come from there, in the whole list. */
export async function findNeighbour(id: string, by: 1 | -1): Promise<string | null> {
  let place = readPlace() ?? { query: "", ids: [], next: null, at: null, top: 0 };
  let found = neighbourOf(place, id, by);
  if (found === "unknown") {
    const page = await readList(place.query, null);
    place = { ...place, ids: page.items.map((row) => row.id), next: page.next };
    found = neighbourOf(place, id, by);
    // It has no place in the list: walking begins at the top.
    if (found === "unknown") found = place.ids[0] === undefined ? "end" : { id: place.ids[0] };
  } else if (found === "further") {
    const page = await readList(place.query, place.next);
    const known = new Set(place.ids);
    const more = page.items.map((row) => row.id).filter((one) => !known.has(one));
    place = { ...place, ids: [...place.ids, ...more], next: page.next };
    found = neighbourOf(place, id, by);
  }
  keepPlace(place);
  return typeof found === "object" ? found.id : null;
}

function readList(query: string, cursor: string | null): Promise<Page<Conversation>> {
  const filters = parseFilters(new URLSearchParams(query));
  return callApi("/api/conversations", { query: { ...toQuery(filters, Date.now()), cursor, limit: PAGE } });
}
