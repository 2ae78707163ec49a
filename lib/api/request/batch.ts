import { z } from "zod";
import { MAX_ENTRIES } from "../fields.ts";
import type { Body } from "../operation.ts";
import type { FieldError } from "../problem.ts";
import { check, invalidInput, MAX_ERRORS } from "../sentences.ts";
import { readBatch } from "./body.ts";

/** Validates what a schema cannot express: adds the errors of an entry at `place`. */
export type EntryCheck<T> = (entry: T, place: PropertyKey[], errors: FieldError[]) => void;

/** A body of one entry, an array, or NDJSON; all entries must be valid (E11). */
export function batchBody<T>(entry: z.ZodType<T>, checkEntry: EntryCheck<T>): Body<T[]> {
  return {
    content: {
      "application/json": z.union([entry, z.array(entry).min(1).max(MAX_ENTRIES)]),
      "application/x-ndjson": entry,
    },
    async read(request) {
      const { entries, single } = await readBatch(request, MAX_ENTRIES);
      if (entries.length === 0) throw invalidInput([{ path: "", message: "must have at least one entry" }]);
      const errors: FieldError[] = [];
      const checked = entries.flatMap((value, index) => {
        if (errors.length > MAX_ERRORS) return [];
        const place = single ? [] : [index];
        const parsed = check(entry, value, place, errors);
        if (parsed === undefined) return [];
        checkEntry(parsed, place, errors);
        return [parsed];
      });
      if (errors.length > 0) throw invalidInput(errors);
      return checked;
    },
  };
}
