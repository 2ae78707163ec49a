import { type Path, printPath } from "@/lib/plan/reference.ts";
import { isRef } from "@/lib/session/json/cite.ts";
import { isJsonObject, isSameJson, type Json } from "@/lib/session/json/json.ts";
import type { IsOpen } from "../json-rows.ts";

/** How a path differs between two steps; a collection with a difference inside is changed. */
export type PairKind = "same" | "add" | "change" | "remove";

/** A path of two states with both values. */
export interface PairRow {
  id: string;
  path: Path;
  depth: number;
  /** Undefined for no value. */
  before: Json | undefined;
  after: Json | undefined;
  kind: PairKind;
  expandable: boolean;
  expanded: boolean;
}

/**
 * The visible rows of two states, aligned by path (C6): the keys of the later one in order, then those that only the
 * earlier one has. Differences are expanded by default.
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

/** The number of plain values that differ. */
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
