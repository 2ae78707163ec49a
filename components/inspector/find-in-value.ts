import { type Path, printPath } from "@/lib/plan/reference.ts";
import { isRef } from "@/lib/session/json/cite.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";

/** The most matches. */
const MOST_HITS = 1_000;

/** A row whose key or plain value matches. */
export interface Hit {
  id: string;
  path: Path;
}

/** Finds a text in keys and plain values, ignoring case, in row order (C6). */
export function findInValue(value: Json, text: string): Hit[] {
  const wanted = text.trim().toLowerCase();
  const hits: Hit[] = [];
  if (wanted !== "") look(value, [], wanted, hits);
  return hits;
}

function look(value: Json, path: Path, wanted: string, hits: Hit[]): void {
  if (hits.length === MOST_HITS) return;
  const key = String(path.at(-1) ?? "");
  if (key.toLowerCase().includes(wanted) || textOf(value).includes(wanted)) hits.push({ id: printPath(path), path });
  if (isRef(value)) return;
  if (Array.isArray(value)) for (const [index, entry] of value.entries()) look(entry, [...path, index], wanted, hits);
  else if (isJsonObject(value))
    for (const [name, entry] of Object.entries(value)) look(entry, [...path, name], wanted, hits);
}

/** A plain value as its row shows it; empty for a collection. */
function textOf(value: Json): string {
  return typeof value === "object" && value !== null ? "" : String(value).toLowerCase();
}
