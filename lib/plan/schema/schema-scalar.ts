import { type Comparing, type Finding, open, sure, unlessAbsent } from "./schema-finding.ts";
import type { Form, Range } from "./schema-form.ts";

/** Keywords that look at numbers. */
export function compareNumber({ form, schema, types }: Comparing): Finding[] {
  if (!types.includes("integer") && !types.includes("fraction")) return [];
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const { least, most, isAbove, isBelow } = boundsOf(form);
  const findings: Finding[] = [];
  const need = (holds: boolean, fails: boolean, message: string) => {
    if (!holds) findings.push(fails ? sure(message) : open(message));
  };
  if (typeof minimum === "number")
    need(least >= minimum, most < minimum || (isBelow && most <= minimum), `must be at least ${minimum}`);
  if (typeof maximum === "number")
    need(most <= maximum, least > maximum || (isAbove && least >= maximum), `must be at most ${maximum}`);
  if (typeof exclusiveMinimum === "number") {
    need(
      least > exclusiveMinimum || (isAbove && least >= exclusiveMinimum),
      most <= exclusiveMinimum,
      `must be greater than ${exclusiveMinimum}`,
    );
  }
  if (typeof exclusiveMaximum === "number") {
    need(
      most < exclusiveMaximum || (isBelow && most <= exclusiveMaximum),
      least >= exclusiveMaximum,
      `must be less than ${exclusiveMaximum}`,
    );
  }
  if (typeof multipleOf === "number" && !form.says("multipleOf", multipleOf)) {
    const isWhole = multipleOf === 1 && !types.includes("fraction");
    if (!isWhole) findings.push(open(`must be a multiple of ${multipleOf}`));
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
  const findings = compareRange(form.range("minLength", "maxLength", 0), minLength, maxLength, "characters");
  for (const keyword of ["pattern", "format"]) {
    const asked = schema[keyword];
    if (asked !== undefined && !form.says(keyword, asked)) findings.push(open(`must have the ${keyword} ${asked}`));
  }
  return unlessAbsent(
    findings,
    types.every((type) => type === "string"),
  );
}

/** A length or a count against its bounds. */
export function compareRange({ least, most }: Range, lower: unknown, upper: unknown, what: string): Finding[] {
  const findings: Finding[] = [];
  if (typeof lower === "number" && least < lower) {
    findings.push({ ...open(`must have at least ${lower} ${what}`), certain: most < lower });
  }
  if (typeof upper === "number" && most > upper) {
    findings.push({ ...open(`must have at most ${upper} ${what}`), certain: least > upper });
  }
  return findings;
}
