import { WAYS, type Way } from "./snippets.ts";

/** The tab in the address; the first by default. */
export function parseWay(params: URLSearchParams): Way {
  return WAYS.find((way) => way === params.get("tab")) ?? WAYS[0];
}

/** The query string of a tab; empty for the first. */
export function withWay(params: URLSearchParams, way: Way): string {
  const next = new URLSearchParams(params);
  if (way === WAYS[0]) next.delete("tab");
  else next.set("tab", way);
  const text = next.toString();
  return text ? `?${text}` : "";
}
