/** A named filter; the query is that of the list's address. */
export interface SavedFilter {
  name: string;
  /** With its question mark. */
  query: string;
}

/** Stored in this browser only. */
export const SAVED_KEY = "obelus-filters";

/** Longer names do not fit the menu. */
export const NAME_LENGTH = 60;

/** Reads stored filters; invalid entries are ignored. */
export function parseSaved(text: string | null): SavedFilter[] {
  if (text === null) return [];
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored.filter(isSaved) : [];
  } catch {
    return [];
  }
}

function isSaved(value: unknown): value is SavedFilter {
  if (typeof value !== "object" || value === null || !("name" in value) || !("query" in value)) return false;
  return typeof value.name === "string" && typeof value.query === "string" && value.query.startsWith("?");
}

/** Adds a filter, or replaces the one with the same name. */
export function withSaved(all: readonly SavedFilter[], { name, query }: SavedFilter): SavedFilter[] {
  const clean = { name: name.trim().slice(0, NAME_LENGTH), query };
  if (clean.name === "") return [...all];
  const known = all.findIndex((one) => one.name === clean.name);
  return known === -1 ? [...all, clean] : all.with(known, clean);
}

/** Renames a filter in place; an existing name is refused. */
export function renamed(all: readonly SavedFilter[], from: string, to: string): SavedFilter[] {
  const name = to.trim().slice(0, NAME_LENGTH);
  if (name === "" || all.some((one) => one.name === name)) return [...all];
  return all.map((one) => (one.name === from ? { ...one, name } : one));
}

/** Whether two queries have the same filters, in any order. */
export function isSameQuery(a: string, b: string): boolean {
  const sorted = (query: string) =>
    [...new URLSearchParams(query)]
      .map((pair) => pair.join("="))
      .sort()
      .join("&");
  return sorted(a) === sorted(b);
}
