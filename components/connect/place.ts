import { WAYS, type Way } from "./snippets.ts";

/** The tab in the address; the first by default. */
export function parseWay(params: URLSearchParams): Way {
  return WAYS.find((way) => way === params.get("tab")) ?? WAYS[0];
}

/** The framework in the address, of those that there are; the first by default. */
export function parseFramework<T extends string>(params: URLSearchParams, all: readonly [T, ...T[]]): T {
  return all.find((one) => one === `otel-${params.get("framework")}`) ?? all[0];
}

/** The query string of a framework; it is a part of the tab of OpenTelemetry. */
export function withFramework(params: URLSearchParams, framework: string): string {
  const next = new URLSearchParams(params);
  next.set("framework", framework.replace(/^otel-/, ""));
  return `?${next}`;
}

/** The query string of a tab; empty for the first. */
export function withWay(params: URLSearchParams, way: Way): string {
  const next = new URLSearchParams(params);
  next.delete("framework");
  if (way === WAYS[0]) next.delete("tab");
  else next.set("tab", way);
  const text = next.toString();
  return text ? `?${text}` : "";
}
