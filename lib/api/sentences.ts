import type { z } from "zod";
import { pointerTo } from "../plan/problem.ts";
import { sentence } from "../session/issues.ts";
import { type FieldError, Problem } from "./problem.ts";

/** The maximum number of errors that are collected. */
export const MAX_ERRORS = 20;

type Issue = z.core.$ZodIssue;

/**
 * Validates a value and returns the parsed one. `place` is its path in the request (`[3, "payload"]`). Adds errors to
 * `errors` and returns undefined if it is invalid.
 */
export function check<T>(
  schema: z.ZodType<T>,
  value: unknown,
  place: PropertyKey[],
  errors: FieldError[],
): T | undefined {
  const result = schema.safeParse(value, { error: sentence });
  if (result.success) return result.data;
  for (const error of firstOfEach(result.error.issues.flatMap((issue) => fieldErrors(issue, place))))
    errors.push(error);
  return undefined;
}

/** Validates a value. Throws the problem `invalid_input` with all errors. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value, { error: sentence });
  if (result.success) return result.data;
  throw invalidInput(firstOfEach(result.error.issues.flatMap((issue) => fieldErrors(issue, []))));
}

/** One error per place: an empty text need not also be reported as malformed. */
function firstOfEach(errors: FieldError[]): FieldError[] {
  const seen = new Set<string>();
  return errors.filter(({ path }) => {
    const isFirst = !seen.has(path);
    seen.add(path);
    return isFirst;
  });
}

/** The problem of an input with these errors. */
export function invalidInput(errors: FieldError[]): Problem {
  const [first] = errors;
  const subject = first?.path || "The input";
  const count = errors.length > MAX_ERRORS ? `more than ${MAX_ERRORS}` : errors.length;
  const more = errors.length > 1 ? ` (one of ${count} errors)` : "";
  return new Problem("invalid_input", `${subject} ${first?.message ?? "is not valid"}${more}.`, {
    errors: errors.slice(0, MAX_ERRORS),
  });
}

function fieldErrors(issue: Issue, place: readonly PropertyKey[]): FieldError[] {
  const path = [...place, ...issue.path];
  if (issue.code === "unrecognized_keys") {
    // One more than are reported, to know whether there are more.
    const keys = issue.keys.slice(0, MAX_ERRORS + 1);
    return keys.map((key) => ({ path: pointerTo([...path, key]), message: "is not a known field" }));
  }
  if (issue.code === "invalid_union") {
    const branch = closestBranch(issue.errors);
    if (branch) return branch.flatMap((inner) => fieldErrors(inner, path));
    const message = allowedBy(issue.errors);
    if (message !== null) return [{ path: pointerTo(path), message }];
  }
  return [{ path: pointerTo(path), message: issue.message }];
}

/** Of a union, the branch whose errors are deepest in the value: probably the one that was meant. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches.find((branch) =>
    branch.every((issue) => issue.path.length > 0 || issue.code === "unrecognized_keys"),
  );
}

const MUST_BE = "must be ";

/** What a union's branches allow, if each says so of the value itself: `must be a string or an object`. */
function allowedBy(branches: readonly (readonly Issue[])[]): string | null {
  const allowed = branches.map(([first]) =>
    first?.path.length === 0 && first.message.startsWith(MUST_BE) ? first.message.slice(MUST_BE.length) : null,
  );
  if (allowed.length === 0 || allowed.includes(null)) return null;
  return MUST_BE + [...new Set(allowed)].join(" or ");
}
