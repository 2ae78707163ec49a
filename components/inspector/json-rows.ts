import { type Path, printPath } from "@/lib/plan/reference.ts";
import { isRef } from "@/lib/session/json/cite.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";

/** The value of a row. */
export type RowKind = "object" | "array" | "text" | "number" | "boolean" | "null" | "cited";

/** A visible row of a JSON tree. */
export interface JsonRow {
  /** The path as in references; "" for the root. */
  id: string;
  path: Path;
  depth: number;
  value: Json;
  kind: RowKind;
  /** The size of a collection; 0 for anything else. */
  size: number;
  expandable: boolean;
  expanded: boolean;
  /** The position among its siblings, from 1, and their number. */
  position: number;
  siblings: number;
}

/** How the current step changed a value. */
export type RowMark = "add" | "change";

/** Whether a row is expanded, given the default. */
export type IsOpen = (id: string, byDefault: boolean) => boolean;

/** A longer text does not fit a line, so it can be expanded. */
const LINE = 48;

/** Larger collections are collapsed by default. */
const OPEN_UNASKED = 12;

/** The visible rows of a value, in order: the entries of a collection, else the value itself. */
export function jsonRows(value: Json, isOpen: IsOpen): JsonRow[] {
  const rows: JsonRow[] = [];
  const entries = entriesOf(value);
  if (entries === null) add(rows, value, [], 0, 1, 1, isOpen);
  else
    for (const [index, [key, entry]] of entries.entries())
      add(rows, entry, [key], 0, index + 1, entries.length, isOpen);
  return rows;
}

function add(
  rows: JsonRow[],
  value: Json,
  path: Path,
  depth: number,
  position: number,
  siblings: number,
  isOpen: IsOpen,
) {
  const entries = entriesOf(value);
  const size = entries?.length ?? 0;
  const kind = kindOf(value);
  const id = printPath(path);
  const expandable = size > 0 || (typeof value === "string" && (value.length > LINE || value.includes("\n")));
  const expanded = expandable && isOpen(id, entries !== null && depth === 0 && size <= OPEN_UNASKED);
  rows.push({ id, path, depth, value, kind, size, expandable, expanded, position, siblings });
  if (!expanded || entries === null) return;
  for (const [index, [key, entry]] of entries.entries())
    add(rows, entry, [...path, key], depth + 1, index + 1, entries.length, isOpen);
}

/** The entries of a collection; null for a plain value or one that is not loaded. */
function entriesOf(value: Json): [string | number, Json][] | null {
  if (isRef(value)) return null;
  if (Array.isArray(value)) return value.map((entry, index) => [index, entry]);
  return isJsonObject(value) ? Object.entries(value) : null;
}

function kindOf(value: Json): RowKind {
  if (isRef(value)) return "cited";
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  switch (typeof value) {
    case "string":
      return "text";
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    default:
      return "object";
  }
}

/** The row to which a key moves, as in the ARIA tree pattern; null for other keys. */
export function rowByKey(key: string, rows: readonly JsonRow[], from: number): number | null {
  const row = rows[from];
  switch (key) {
    case "ArrowDown":
      return Math.min(from + 1, rows.length - 1);
    case "ArrowUp":
      return Math.max(from - 1, 0);
    case "Home":
      return 0;
    case "End":
      return rows.length - 1;
    case "ArrowRight":
      return row?.expanded && row.size > 0 ? from + 1 : null;
    case "ArrowLeft":
      return row && !row.expanded && row.depth > 0
        ? rows.findLastIndex((one, index) => index < from && one.depth < row.depth)
        : null;
    default:
      return null;
  }
}

/** A value as it is copied: a string as it is, anything else as JSON. */
export function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
