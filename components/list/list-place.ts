import { callApi } from "@/components/client/api.ts";
import type { Conversation, Page } from "@/lib/api/shapes.ts";
import { parseFilters, toListQuery } from "./filters/filters.ts";

/** The list as it was when a conversation was opened: its filters, order, and the visited conversation. */
export interface ListPlace {
  /** The query string, with its question mark; empty without filters. */
  query: string;
  ids: readonly string[];
  /** The cursor of the next page; null at the end. */
  next: string | null;
  /** The last visited conversation; null after the list has scrolled to it. */
  at: string | null;
  /** The scroll position, px. */
  top: number;
}

/** Per tab, because tabs can show different lists. */
const KEY = "obelus-list";

/** The most conversations for next and previous; the API's largest page. */
const PAGE = 200;

export function readPlace(): ListPlace | null {
  const text = sessionStorage.getItem(KEY);
  return text === null ? null : JSON.parse(text);
}

/** Without storage the list starts at its top. */
export function keepPlace(place: ListPlace): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(place));
  } catch (error) {
    console.warn("The place in the list could not be kept", error);
  }
}

/** The previous or next conversation; `unknown`: not loaded. */
export function neighbourOf(place: ListPlace, id: string, by: 1 | -1): { id: string } | "end" | "further" | "unknown" {
  const index = place.ids.indexOf(id);
  if (index === -1) return "unknown";
  const next = place.ids[index + by];
  if (next !== undefined) return { id: next };
  return by === 1 && place.next !== null ? "further" : "end";
}

/** The conversation before or after one in the last list; in the unfiltered list by default. */
export async function findNeighbour(id: string, by: 1 | -1): Promise<string | null> {
  let place = readPlace() ?? { query: "", ids: [], next: null, at: null, top: 0 };
  let found = neighbourOf(place, id, by);
  if (found === "unknown") {
    const page = await readList(place.query, null);
    place = { ...place, ids: page.items.map((row) => row.id), next: page.next };
    found = neighbourOf(place, id, by);
    // It is not in the list: start at the top.
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
  return callApi("/api/conversations", { query: { ...toListQuery(filters, Date.now()), cursor, limit: PAGE } });
}
