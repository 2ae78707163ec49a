import { type LocalizedText, localized } from "../localized-text.ts";
import { type Comparing, type Finding, open, sure, unlessAbsent } from "./schema-finding.ts";
import type { Form, Range } from "./schema-form.ts";

/** Keywords that look at numbers. */
export function compareNumber({ form, schema, types }: Comparing): Finding[] {
  if (!types.includes("integer") && !types.includes("fraction")) return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const { least, most, isAbove, isBelow } = boundsOf(form);
  const findings: Finding[] = [];
  const need = (holds: boolean, fails: boolean, text: LocalizedText) => {
    if (!holds) findings.push(fails ? sure(text) : open(text));
  };
  if (typeof minimum === "number")
    need(
      least >= minimum,
      most < minimum || (isBelow && most <= minimum),
      localized("at_least")`must be at least ${minimum}`,
    );
  if (typeof maximum === "number")
    need(
      most <= maximum,
      least > maximum || (isAbove && least >= maximum),
      localized("at_most")`must be at most ${maximum}`,
    );
  if (typeof exclusiveMinimum === "number") {
    need(
      least > exclusiveMinimum || (isAbove && least >= exclusiveMinimum),
      most <= exclusiveMinimum,
      localized("greater_than")`must be greater than ${exclusiveMinimum}`,
    );
  }
  if (typeof exclusiveMaximum === "number") {
    need(
      most < exclusiveMaximum || (isBelow && most <= exclusiveMaximum),
      least >= exclusiveMaximum,
      localized("less_than")`must be less than ${exclusiveMaximum}`,
    );
  }
  if (typeof multipleOf === "number" && !form.says("multipleOf", multipleOf)) {
    const isWhole = multipleOf === 1 && !types.includes("fraction");
    if (!isWhole) findings.push(open(localized("multiple_of")`must be a multiple of ${multipleOf}`));
  }
  const onlyNumbers = types.every((type) => type === "integer" || type === "fraction");
  return unlessAbsent(findings, onlyNumbers);
}

function boundsOf(form: Form): Range & { isAbove: boolean; isBelow: boolean } {
  const closed = form.range("minimum", "maximum", Number.NEGATIVE_INFINITY);
  const open = form.range("exclusiveMinimum", "exclusiveMaximum", Number.NEGATIVE_INFINITY);
  return {
    least: Math.max(closed.least, open.least),
    most: Math.min(closed.most, open.most),
    isAbove: open.least >= closed.least,
    isBelow: open.most <= closed.most,
  };
}

/** Keywords that look at strings. */
export function compareString({ form, schema, types }: Comparing): Finding[] {
  if (!types.includes("string")) return [];
  const { minLength, maxLength } = schema;
  const findings = compareRange(form.range("minLength", "maxLength", 0), minLength, maxLength, CHARACTERS);
  const { pattern, format } = schema;
  if (pattern !== undefined && !form.says("pattern", pattern))
    findings.push(open(localized("has_pattern")`must have the pattern ${String(pattern)}`));
  if (format !== undefined && !form.says("format", format))
    findings.push(open(localized("has_format")`must have the format ${String(format)}`));
  return unlessAbsent(
    findings,
    types.every((type) => type === "string"),
  );
}

/** How bounds of a length or a count are said. */
type RangeTexts = Record<"least" | "most", (bound: number) => LocalizedText>;

const CHARACTERS: RangeTexts = {
  least: (bound) => localized("least_characters")`must have at least ${bound} characters`,
  most: (bound) => localized("most_characters")`must have at most ${bound} characters`,
};
export const ITEMS: RangeTexts = {
  least: (bound) => localized("least_items")`must have at least ${bound} items`,
  most: (bound) => localized("most_items")`must have at most ${bound} items`,
};
export const FIELDS: RangeTexts = {
  least: (bound) => localized("least_fields")`must have at least ${bound} fields`,
  most: (bound) => localized("most_fields")`must have at most ${bound} fields`,
};

/** A length or a count against its bounds. */
export function compareRange({ least, most }: Range, lower: unknown, upper: unknown, texts: RangeTexts): Finding[] {
  const findings: Finding[] = [];
  if (typeof lower === "number" && least < lower) {
    findings.push({ ...open(texts.least(lower)), certain: most < lower });
  }
  if (typeof upper === "number" && most > upper) {
    findings.push({ ...open(texts.most(upper)), certain: least > upper });
  }
  return findings;
}
