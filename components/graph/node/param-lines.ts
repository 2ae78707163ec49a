import type { PlanCall } from "@/lib/plan/call.ts";
import { type Expression, type Path, parseText, valueAt } from "@/lib/plan/reference.ts";
import { isJsonObject, type Json } from "@/lib/session/json/json.ts";

/** A parameter on a card: its name, and its value or reference. */
export interface ParamLine {
  /** Its path: `fields.TITLE`. */
  key: string;
  name: string;
  value: { kind: "value"; value: Json } | { kind: "reference"; expression: Expression };
}

/** How deep parameters are searched: an action's fields are one level down. */
const DEPTH = 3;

/**
 * The first parameters of a call, in order of the plan. `resolved` has references resolved, once the call has started;
 * before, references are shown as written (P3).
 */
export function paramLines(call: PlanCall, resolved: Json | null, count: number): ParamLine[] {
  const lines: ParamLine[] = [];
  for (const { path, value } of leavesOf(call.parameters, [])) {
    if (lines.length >= count) break;
    const name = path.findLast((key) => typeof key === "string") ?? "";
    const known = resolved === null ? undefined : valueAt(resolved, path);
    lines.push({
      key: path.join("."),
      name: String(name),
      value: known === undefined ? asWritten(value) : { kind: "value", value: known },
    });
  }
  return lines;
}

function asWritten(value: Json): ParamLine["value"] {
  if (typeof value !== "string") return { kind: "value", value };
  const text = parseText(value);
  if (!text.ok) return { kind: "value", value };
  return text.value.kind === "expression"
    ? { kind: "reference", expression: text.value.expression }
    : { kind: "value", value: text.value.text };
}

function* leavesOf(value: Json, path: Path): Generator<{ path: Path; value: Json }> {
  if (isJsonObject(value) && path.length < DEPTH && Object.keys(value).length > 0) {
    for (const [key, child] of Object.entries(value)) yield* leavesOf(child, [...path, key]);
  } else if (path.length > 0) yield { path, value };
}
