import { type Place, searchOf } from "./place.ts";

/** The page of a tool, within what a page shows. */
export function toolAddress(tool: string, place?: Place): string {
  return `/tools/${encodeURIComponent(tool)}${place ? searchOf(place, { view: "charts", by: "failed" }) : ""}`;
}
