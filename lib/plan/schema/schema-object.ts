import { isJsonObject, type Json } from "../../session/json/json.ts";
import { localized } from "../localized-text.ts";
import { type Comparing, type Finding, open, sure, unlessAbsent, within } from "./schema-finding.ts";
import { constrains } from "./schema-keywords.ts";
import { compareRange, FIELDS } from "./schema-scalar.ts";
import { sourceOf } from "./schema-source.ts";

/** Keywords that look at objects. */
export function compareObject(comparing: Comparing): Finding[] {
  const { form, schema, types } = comparing;
  if (!types.includes("object")) return [];
  const findings = [
    ...compareRequired(comparing),
    ...compareProperties(comparing),
    ...compareOthers(comparing),
    ...compareCount(comparing),
    ...["patternProperties", "propertyNames", "dependentRequired"].flatMap((keyword) => {
      const asked = schema[keyword];
      return asked === undefined || form.says(keyword, asked)
        ? []
        : [open(localized("names_at_run_time")`has field names that can be checked only at run time`)];
    }),
  ];
  return unlessAbsent(
    findings,
    types.every((type) => type === "object"),
  );
}

/** Counting is slow, and hardly ever asked for. */
function compareCount({ form, schema: { minProperties, maxProperties } }: Comparing): Finding[] {
  if (minProperties === undefined && maxProperties === undefined) return [];
  return compareRange(form.count, minProperties, maxProperties, FIELDS);
}

function compareRequired({ form, schema }: Comparing): Finding[] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return required.flatMap((name) => {
    if (typeof name !== "string" || form.isRequired(name)) return [];
    return [
      form.property(name) === "absent"
        ? sure(localized("required")`is required`, [name])
        : open(localized("maybe_missing")`is required and may be missing`, [name]),
    ];
  });
}

function compareProperties({ form, schema, compare }: Comparing): Finding[] {
  if (!isJsonObject(schema.properties)) return [];
  return Object.entries(schema.properties).flatMap(([name, asked]) => {
    const part = sourceOf(form.property(name));
    if (part === null || !constrains(asked)) return [];
    return within(name, unlessAbsent(compare(part, asked), form.isRequired(name)));
  });
}

/** `additionalProperties`: of names that the schema does not list. */
function compareOthers({ form, schema, compare }: Comparing): Finding[] {
  const asked: Json | undefined = schema.additionalProperties;
  if (asked === undefined || !constrains(asked)) return [];
  const listed = isJsonObject(schema.properties) ? schema.properties : {};
  const isPattern = isJsonObject(schema.patternProperties);
  const findings = form.declared
    .filter((name) => !Object.hasOwn(listed, name))
    .flatMap((name) => {
      const part = sourceOf(form.property(name));
      if (part === null) return [];
      const found = asked === false ? [sure(localized("unknown_field")`is not a known field`)] : compare(part, asked);
      // A pattern may allow what is not listed.
      return within(name, unlessAbsent(found, form.isRequired(name) && !isPattern));
    });
  const others = sourceOf(form.otherProperties);
  if (others === null) return findings;
  if (asked === false)
    return [...findings, open(localized("maybe_unknown_fields")`may have fields that its schema does not describe`)];
  return [...findings, ...unlessAbsent(compare(others, asked), false)];
}
