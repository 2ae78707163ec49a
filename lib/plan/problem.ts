import type { LocalizedText } from "./localized-text.ts";

/** Every code that validation can give a problem (P16). */
export const PROBLEM_CODES = [
  "syntax",
  "unknown_meta",
  "duplicate_id",
  "unknown_tool",
  "invalid_params",
  "type_mismatch",
  "cycle",
  "unbound",
  "write_conflict",
  "outside_schema",
  "unknown_instance",
  "unknown_scope",
  "unknown_delegate",
  "too_deep",
  "unchecked",
] as const;
export type PlanProblemCode = (typeof PROBLEM_CODES)[number];

/** Something wrong with a plan: which call, where in it, and a sentence that says what to change (P16). */
export interface PlanProblem extends LocalizedText {
  code: PlanProblemCode;
  severity: "error" | "warning";
  /** The call's id; null where it is the plan as a whole. */
  call: string | null;
  /** Where in the call, as a JSON Pointer: `/amount`, `/_outputPath`; "" for the whole call. */
  path: string;
}

/** A JSON Pointer (RFC 6901) to a place: `/items/0/id`. */
export function pointerTo(path: readonly PropertyKey[]): string {
  return path.map((part) => pointerPart(String(part))).join("");
}

/** A name as a part of a JSON Pointer, with the slash before it. Most have nothing to escape, and are not copied. */
export function pointerPart(name: string): string {
  return `/${/[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name}`;
}
