import type { SyntaxNode } from "@lezer/common";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { callIds } from "../call.ts";
import { entriesOf, type JsonText, readJson } from "./json-text.ts";

/** The text of a valid list of calls. Edits are made of nothing else, so that they never guess at broken text. */
export interface PlanText {
  json: JsonText;
  calls: readonly JsonObject[];
  /** Of the calls, in order; a repeated id stands for its first call. */
  ids: readonly string[];
  /** Where each call stands. */
  nodes: readonly SyntaxNode[];
}

/** Reads a plan's text, which may be empty; null when it is not a list of objects. `json` is its tree, if known. */
export function readPlanText(text: string, json: JsonText = readJson(text)): PlanText | null {
  const calls = text.trim() === "" ? [] : parse(text);
  if (!Array.isArray(calls) || !calls.every(isJsonObject)) return null;
  return { json, calls, ids: callIds(calls), nodes: entriesOf(json) };
}

/** Where a call stands, and the call; null for an unknown id. */
export function callOf({ ids, nodes, calls }: PlanText, id: string): { node: SyntaxNode; call: JsonObject } | null {
  const index = ids.indexOf(id);
  const [node, call] = [nodes[index], calls[index]];
  return node && call ? { node, call } : null;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
