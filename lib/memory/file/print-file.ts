import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";

/** Values with one line per entry; others, and empty ones, are on one line. */
interface Layout {
  /** Of an object, by key. */
  keys?: Record<string, Layout>;
  /** Of every entry. */
  entries?: Layout;
}

const PLAIN: Layout = {};
const DOCUMENT: Layout = {
  keys: {
    done: { entries: PLAIN },
    in_progress: { entries: PLAIN },
    objects: PLAIN,
    next_planned_actions: { entries: PLAIN },
    confirmations: { entries: { keys: { action: PLAIN } } },
    event_bindings: { entries: PLAIN },
  },
};

/**
 * Serializes a document as its file (M1): the document's own structure with one key per line, indented by two spaces,
 * and other values on one line. Deterministic.
 */
export function printFile(document: JsonObject): string {
  return `${print(document, DOCUMENT, "")}\n`;
}

function print(value: Json, layout: Layout | undefined, indent: string): string {
  if (layout === undefined || typeof value !== "object" || value === null) return printInline(value);
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((entry) => print(entry, layout.entries, inner))
    : Object.entries(value).map(
        ([key, entry]) => `${JSON.stringify(key)}: ${print(entry, layoutOf(layout, key), inner)}`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return lines.length === 0 ? `${open}${close}` : `${open}\n${inner}${lines.join(`,\n${inner}`)}\n${indent}${close}`;
}

function layoutOf({ keys, entries }: Layout, key: string): Layout | undefined {
  return keys && Object.hasOwn(keys, key) ? keys[key] : entries;
}

function printInline(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(printInline).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, entry]) => `${JSON.stringify(key)}: ${printInline(entry)}`)
    .join(", ")}}`;
}
