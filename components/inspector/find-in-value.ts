import { type Path, printPath } from "@/lib/plan/reference.ts";
import { isRef } from "@/lib/session/json/cite.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";

/** More hits help nobody to find anything. */
const MOST_HITS = 1_000;

/** A row of the tree whose key or plain value has what is looked for. */
export interface Hit {
  id: string;
  path: Path;
}

/** Finds a text in the keys and the plain values of a value, in any case, in the order of the tree's rows (C6). */
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

/** A plain value as its row shows it; a collection shows none. */
function textOf(value: Json): string {
  return typeof value === "object" && value !== null ? "" : String(value).toLowerCase();
}
