import { printPath, valueAt } from "@/lib/plan/reference.ts";
import { diffValues } from "@/lib/session/json/diff.ts";
import { isSameJson, type Json } from "@/lib/session/json/json.ts";

/** One place in which two writers of a value differ from what both began with; undefined is absent. */
export interface ThreeWayRow {
  path: (string | number)[];
  base: Json | undefined;
  theirs: Json | undefined;
  mine: Json | undefined;
  /** Who changed it; "both" differ from each other as well. */
  by: "theirs" | "mine" | "both" | "same";
}

/**
 * What two writers made of the same value, place by place, in the order of the paths. Where one of them changed more
 * of it than the other, the whole of that is one place.
 */
export function threeWay(base: Json | undefined, theirs: Json | undefined, mine: Json | undefined): ThreeWayRow[] {
  const changed = [...diffValues(base, theirs), ...diffValues(base, mine)].map(({ path }) => path);
  const places = new Map(changed.map((path) => [printPath(path), path]));
  return [...places.values()]
    .filter((path) => !changed.some((other) => other.length < path.length && isWithin(path, other)))
    .map((path) => rowOf(path, base, theirs, mine));
}

function rowOf(
  path: (string | number)[],
  base: Json | undefined,
  theirs: Json | undefined,
  mine: Json | undefined,
): ThreeWayRow {
  const [before, their, my] = [base, theirs, mine].map((value) => at(value, path));
  const theirsChanged = !isSameJson(before, their);
  const mineChanged = !isSameJson(before, my);
  const both = isSameJson(their, my) ? "same" : "both";
  const by = theirsChanged && mineChanged ? both : theirsChanged ? "theirs" : "mine";
  return { path, base: before, theirs: their, mine: my, by };
}

function at(value: Json | undefined, path: (string | number)[]): Json | undefined {
  return value === undefined ? undefined : valueAt(value, path);
}

function isWithin(path: (string | number)[], place: (string | number)[]): boolean {
  return place.every((key, index) => path[index] === key);
}
