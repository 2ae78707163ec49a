import type { Json } from "../../session/json/json.ts";
import { localized } from "../localized-text.ts";
import { type Comparing, type Finding, open, sure, unlessAbsent, within } from "./schema-finding.ts";
import { itemSchemas } from "./schema-form.ts";
import { constrains } from "./schema-keywords.ts";
import { compareRange, ITEMS } from "./schema-scalar.ts";
import { sourceOf } from "./schema-source.ts";

/** Keywords that look at arrays. */
export function compareArray(comparing: Comparing): Finding[] {
  const { form, schema, types } = comparing;
  if (!types.includes("array")) return [];
  const { length } = form;
  const findings = [
    ...compareRange(length, schema.minItems, schema.maxItems, ITEMS),
    ...compareItems(comparing),
    ...(schema.uniqueItems === true && length.most > 1 && !form.says("uniqueItems", true)
      ? [open(localized("no_duplicates")`must not contain duplicate items`)]
      : []),
    ...(schema.contains === undefined
      ? []
      : [open(localized("contains_at_run_time")`must contain certain items, which can be checked only at run time`)]),
  ];
  return unlessAbsent(
    findings,
    types.every((type) => type === "array"),
  );
}

function compareItems({ form, schema, compare }: Comparing): Finding[] {
  const { tuple, rest } = itemSchemas(schema);
  const { least, most } = form.length;
  const at = (index: number, asked: Json): Finding[] => {
    const part = sourceOf(form.item(index));
    if (part === null || !constrains(asked)) return [];
    return within(index, unlessAbsent(compare(part, asked), least > index));
  };
  const findings = tuple.flatMap((asked, index) => at(index, asked));
  if (rest === undefined || !constrains(rest)) return findings;
  if (rest === false && most > tuple.length) {
    const text = ITEMS.most(tuple.length);
    return [...findings, least > tuple.length ? sure(text) : open(text)];
  }
  for (let index = tuple.length; index < form.tupled; index++) findings.push(...at(index, rest));
  // One place beyond all that are spoken of stands for the rest.
  return most > form.tupled ? [...findings, ...at(Math.max(form.tupled, tuple.length), rest)] : findings;
}
