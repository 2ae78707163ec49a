import type { z } from "zod";

/** The sentence of a Zod issue, in words that follow the field's name. A schema's own message has priority. */
export function sentence(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is required" : `must be ${kindName(issue.expected)}`;
    case "invalid_value":
      return oneOf(issue.values);
    case "too_big":
      return `must ${bound("at most", issue.maximum, issue.origin)}`;
    case "too_small":
      return `must ${bound("at least", issue.minimum, issue.origin)}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return "has unknown fields";
    case "invalid_union":
      if (issue.input === undefined) return "is required";
      // Of a union that a field tells apart: the values of that field.
      return Array.isArray(issue.options) ? oneOf(issue.options) : "matches none of the allowed forms";
    case "invalid_format":
    case "invalid_key":
    case "invalid_element":
    case "custom":
    case undefined:
      return "is not valid";
  }
}

function oneOf(values: readonly unknown[]): string {
  return `must be ${values.length === 1 ? "" : "one of "}${values.map((value) => JSON.stringify(value)).join(", ")}`;
}

function bound(side: "at most" | "at least", limit: number | bigint, origin: string): string {
  if (origin === "string") return `have ${side} ${limit} character${limit === 1 ? "" : "s"}`;
  if (origin === "array") return `have ${side} ${limit} ${limit === 1 ? "entry" : "entries"}`;
  return `be ${side} ${limit}`;
}

function kindName(expected: string): string {
  switch (expected) {
    case "int":
      return "a whole number";
    case "null":
      return "null";
    case "record":
    case "object":
      return "an object";
    case "array":
      return "an array";
    default:
      return `a ${expected}`;
  }
}
