import { printPath, valueAt } from "@/lib/plan/reference.ts";
import { diffValues } from "@/lib/session/json/diff.ts";
import { isSameJson, type Json } from "@/lib/session/json/json.ts";

/** A path at which an edit differs from the base; undefined for no value. */
export interface ThreeWayRow {
  path: (string | number)[];
  base: Json | undefined;
  theirs: Json | undefined;
  mine: Json | undefined;
  /** Who changed it; "both" differ from each other as well. */
  by: "theirs" | "mine" | "both" | "same";
}

/**
 * A three-way comparison of a value, by path. Where one side replaced a value of which the other changed a part, the
 * whole value is one difference.
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
