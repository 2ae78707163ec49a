import { printPath } from "@/lib/plan/reference.ts";
import { diffValues } from "@/lib/session/json/diff.ts";
import { isJsonObject, type Json, type JsonObject } from "@/lib/session/json/json.ts";

/** The parts of the conversation state that a node's agent wrote (D3). */
export interface LeftState {
  answer: string | null;
  usedTools: string[];
  responseId: string | null;
  managerAlert: string | null;
}

/** What a node added to the conversation state. */
export function leftState(came: JsonObject, left: JsonObject): LeftState {
  const changed = (key: string) => (came[key] === left[key] ? null : textOf(left[key]));
  const before = new Set(textsOf(came.used_tools));
  return {
    answer: changed("answer"),
    usedTools: textsOf(left.used_tools).filter((tool) => !before.has(tool)),
    responseId: changed("response_id"),
    managerAlert: changed("manager_alert"),
  };
}

/** The changed rows of a state's tree, by path. */
export function changedRows(came: JsonObject, left: JsonObject): ReadonlyMap<string, "add" | "change"> {
  const marks = new Map<string, "add" | "change">();
  for (const { path, kind, before } of diffValues(came, left)) {
    for (let length = 1; length < path.length; length += 1) marks.set(printPath(path.slice(0, length)), "change");
    const isNew = kind === "add" || before === null || before === "";
    if (kind !== "remove") marks.set(printPath(path), isNew ? "add" : "change");
  }
  return marks;
}

/** The conversation state in an event's payload; empty for none. */
export function stateOf(payload: Json | undefined): JsonObject {
  return isJsonObject(payload) && isJsonObject(payload.state) ? payload.state : {};
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
