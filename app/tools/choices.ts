import { type Place, parsePlace } from "@/components/overview/place.ts";
import type { Choices } from "@/components/tools/tool-list.tsx";
import type { Overview } from "@/lib/api/shapes.ts";

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** What a page shows, by its address. */
export function placeOf(params: Awaited<SearchParams>): Place {
  const given = Object.entries(params).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []));
  return parsePlace(new URLSearchParams(given));
}

/** What versions and models there are to choose from. */
export function choicesOf({ where }: { where: Pick<Overview["where"], "version" | "model"> }): Choices {
  return { versions: where.version.map(({ name }) => name), models: where.model.map(({ name }) => name) };
}
