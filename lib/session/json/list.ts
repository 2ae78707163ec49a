import { z } from "zod";
import type { Json } from "./json.ts";

/** The maximum number of issues. Zod would report each: a list of 2 million invalid entries took 20 s and 2 GB. */
const MOST_FAULTS = 20;

/** An array schema that stops after a number of invalid entries. */
export function listOf<Item extends z.ZodType>(item: Item): z.ZodArray<Item> {
  return new List({ type: "array", element: item }) as z.ZodArray<Item>;
}

/**
 * The same for entries that `holds` recognizes as valid and unchanged by parsing: Zod takes 2 µs for each, a tenth of a
 * second for a plan of 50,000 calls. Zod parses the others.
 */
export function plainListOf<Item extends z.ZodType>(item: Item, holds: (entry: Json) => boolean): z.ZodArray<Item> {
  return new List({ type: "array", element: item, holds }) as z.ZodArray<Item>;
}

/** A record schema with the same limit. */
export function recordOf<Key extends z.core.$ZodRecordKey, Value extends z.ZodType>(
  keyType: Key,
  valueType: Value,
): z.ZodRecord<Key, Value> {
  return new Table({ type: "record", keyType, valueType }) as z.ZodRecord<Key, Value>;
}

interface ListDef extends z.core.$ZodArrayDef {
  holds?: (entry: Json) => boolean;
}

const List: z.core.$constructor<z.ZodArray, ListDef> = z.core.$constructor("List", (inst, def) => {
  z.ZodArray.init(inst, def);
  const { holds } = def;
  const parse = inst._zod.parse;
  inst._zod.parse = (payload, context) => {
    const { value } = payload;
    if (!Array.isArray(value) || value.length <= MOST_FAULTS) return parse(payload, context);
    if (holds && value.every(holds)) return payload;
    const whole: unknown[] = [];
    for (let start = 0; start < value.length && payload.issues.length <= MOST_FAULTS; start += MOST_FAULTS) {
      const part = parse({ value: value.slice(start, start + MOST_FAULTS), issues: [] }, context);
      if (part instanceof Promise) throw new Error("A list is checked at once");
      if (Array.isArray(part.value)) for (const entry of part.value) whole.push(entry);
      for (const issue of part.issues) payload.issues.push(moved(issue, start));
    }
    payload.value = whole;
    return payload;
  };
});

const Table: z.core.$constructor<z.ZodRecord> = z.core.$constructor("Table", (inst, def) => {
  z.ZodRecord.init(inst, def);
  const parse = inst._zod.parse;
  inst._zod.parse = (payload, context) => {
    const { value } = payload;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return parse(payload, context);
    const entries = Object.entries(value);
    if (entries.length <= MOST_FAULTS) return parse(payload, context);
    const whole: [string, unknown][] = [];
    for (let start = 0; start < entries.length && payload.issues.length <= MOST_FAULTS; start += MOST_FAULTS) {
      const some = Object.fromEntries(entries.slice(start, start + MOST_FAULTS));
      const part = parse({ value: some, issues: [] }, context);
      if (part instanceof Promise) throw new Error("A record is checked at once");
      if (part.value) for (const entry of Object.entries(part.value)) whole.push(entry);
      payload.issues.push(...part.issues);
    }
    payload.value = Object.fromEntries(whole);
    return payload;
  };
});

/** An entry's issue with its path in the whole value. */
function moved(issue: z.core.$ZodRawIssue, start: number): z.core.$ZodRawIssue {
  const [index, ...within] = issue.path ?? [];
  return { ...issue, path: [typeof index === "number" ? start + index : (index ?? start), ...within] };
}
