/** Where earlier versions kept saved filters, in the browser. */
const KEY = "obelus-filters";

interface BrowserFilter {
  name: string;
  query: string;
}

/** Takes the filters that an earlier version saved in this browser out of it, to be saved as views. */
export function takeBrowserFilters(storage: Pick<Storage, "getItem" | "removeItem">): BrowserFilter[] {
  const text = storage.getItem(KEY);
  if (text === null) return [];
  storage.removeItem(KEY);
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored)
      ? stored.filter(isFilter).map(({ name, query }) => ({ name, query: query.slice(1) }))
      : [];
  } catch {
    return [];
  }
}

function isFilter(value: unknown): value is BrowserFilter {
  if (typeof value !== "object" || value === null || !("name" in value) || !("query" in value)) return false;
  return typeof value.name === "string" && typeof value.query === "string" && value.query.startsWith("?");
}
