import { type Path, printPath } from "@/lib/plan/reference.ts";
import { isRef } from "@/lib/session/json/cite.ts";
import { isJsonObject, isSameJson, type Json } from "@/lib/session/json/json.ts";
import type { IsOpen } from "../json-rows.ts";

/** How the value at a path differs between two steps; a collection in which something differs has changed. */
export type PairKind = "same" | "add" | "change" | "remove";

/** One path of two states: what stands there at either step. */
export interface PairRow {
  id: string;
  path: Path;
  depth: number;
  /** Undefined where the path is not there. */
  before: Json | undefined;
  after: Json | undefined;
  kind: PairKind;
  expandable: boolean;
  expanded: boolean;
}

/**
 * The visible rows of two states side by side, aligned by path (C6): the keys of both, in the order of the later one with
 * those that only the earlier one has after them. What differs is open unless the reader says otherwise.
 */
export function pairRows(
  before: Json | undefined,
  after: Json | undefined,
  { isOpen, onlyChanges }: { isOpen: IsOpen; onlyChanges: boolean },
): PairRow[] {
  const rows: PairRow[] = [];
  const addChildren = (one: Json | undefined, other: Json | undefined, path: Path): void => {
    for (const key of keysOf(one, other)) add(childOf(one, key), childOf(other, key), [...path, key]);
  };
  const add = (one: Json | undefined, other: Json | undefined, path: Path): void => {
    const kind = kindOf(one, other);
    if (onlyChanges && kind === "same") return;
    const id = printPath(path);
    const expandable = isFilled(one) || isFilled(other);
    const expanded = expandable && isOpen(id, kind === "change");
    rows.push({ id, path, depth: path.length - 1, before: one, after: other, kind, expandable, expanded });
    if (expanded) addChildren(one, other, path);
  };
  addChildren(before, after, []);
  return rows;
}

/** How many plain values differ between two states. */
export function countDifferences(before: Json | undefined, after: Json | undefined): number {
  const open = { isOpen: () => true, onlyChanges: true };
  return pairRows(before, after, open).filter(({ expandable }) => !expandable).length;
}

function kindOf(before: Json | undefined, after: Json | undefined): PairKind {
  if (before === undefined) return "add";
  if (after === undefined) return "remove";
  return isSameJson(before, after) ? "same" : "change";
}

function keysOf(before: Json | undefined, after: Json | undefined): (string | number)[] {
  if (isArray(before) || isArray(after)) {
    const length = Math.max(isArray(before) ? before.length : 0, isArray(after) ? after.length : 0);
    const positions = Array.from({ length }, (_, index) => index);
    return [...new Set<string | number>([...positions, ...namesOf(after), ...namesOf(before)])];
  }
  return [...new Set([...namesOf(after), ...namesOf(before)])];
}

function namesOf(value: Json | undefined): string[] {
  return value !== undefined && isJsonObject(value) && !isRef(value) ? Object.keys(value) : [];
}

function childOf(value: Json | undefined, key: string | number): Json | undefined {
  if (isArray(value)) return typeof key === "number" ? value[key] : undefined;
  if (value === undefined || !isJsonObject(value) || isRef(value) || typeof key === "number") return undefined;
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function isArray(value: Json | undefined): value is Json[] {
  return Array.isArray(value);
}

function isFilled(value: Json | undefined): boolean {
  return isArray(value) ? value.length > 0 : namesOf(value).length > 0;
}
