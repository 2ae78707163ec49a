import { pointerTo } from "../plan/problem.ts";

/** A place where something was left out. */
export interface Cut {
  /** JSON Pointer into the result. */
  path: string;
  shown: number;
  of: number;
  unit: "characters" | "items" | "fields";
}

/** How much of each value is kept. */
interface Level {
  text: number;
  entries: number;
  depth: number;
}

/** From almost everything to a glance: the first that fits is used. */
const LEVELS: readonly Level[] = [
  { text: 8_000, entries: 500, depth: 64 },
  { text: 2_000, entries: 200, depth: 32 },
  { text: 800, entries: 80, depth: 16 },
  { text: 300, entries: 40, depth: 12 },
  { text: 120, entries: 20, depth: 8 },
  { text: 60, entries: 8, depth: 5 },
  { text: 30, entries: 4, depth: 3 },
];

/** The length of a value as JSON. */
export function sizeOf(value: unknown): number {
  return JSON.stringify(value)?.length ?? 0;
}

/** A value, with long texts and lists shortened evenly until its JSON has the maximum length; with all cuts. */
export function cutToSize(value: unknown, room: number): { value: unknown; cuts: Cut[] } {
  const json = JSON.stringify(value) ?? "null";
  if (json.length <= room) return { value, cuts: [] };
  for (const level of LEVELS) {
    const cuts: Cut[] = [];
    const shortened = shorten(value, level, [], cuts);
    if (sizeOf(shortened) <= room) return { value: shortened, cuts };
  }
  // Even its field names are too long, for example: the start of its JSON as a string, which escaping can double.
  const shown = Math.floor(room / 2);
  const cut: Cut = { path: "", shown, of: json.length, unit: "characters" };
  return { value: beginningOf(json, shown), cuts: [cut] };
}

function shorten(value: unknown, level: Level, path: PropertyKey[], cuts: Cut[]): unknown {
  if (typeof value === "string") return shortenText(value, level.text, path, cuts);
  if (typeof value !== "object" || value === null) return value;
  const kept = path.length < level.depth ? level.entries : 0;
  if (Array.isArray(value)) {
    note(cuts, path, kept, value.length, "items");
    return value.slice(0, kept).map((item, index) => shorten(item, level, [...path, index], cuts));
  }
  const fields = Object.entries(value);
  note(cuts, path, kept, fields.length, "fields");
  return Object.fromEntries(
    fields.slice(0, kept).map(([name, field]) => [name, shorten(field, level, [...path, name], cuts)]),
  );
}

function shortenText(text: string, kept: number, path: PropertyKey[], cuts: Cut[]): string {
  note(cuts, path, kept, text.length, "characters");
  return beginningOf(text, kept);
}

function note(cuts: Cut[], path: PropertyKey[], kept: number, of: number, unit: Cut["unit"]): void {
  if (of > kept) cuts.push({ path: pointerTo(path), shown: kept, of, unit });
}

function beginningOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  // Half of a surrogate pair cannot be encoded.
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)}…`;
}
