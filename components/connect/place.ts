import { WAYS, type Way } from "./snippets.ts";

/** The way that an address shows; the first where it names none. */
export function parseWay(params: URLSearchParams): Way {
  return WAYS.find((way) => way === params.get("tab")) ?? WAYS[0];
}

/** The query part of an address that shows a way; the first needs none. */
export function withWay(params: URLSearchParams, way: Way): string {
  const next = new URLSearchParams(params);
  if (way === WAYS[0]) next.delete("tab");
  else next.set("tab", way);
  const text = next.toString();
  return text ? `?${text}` : "";
}
