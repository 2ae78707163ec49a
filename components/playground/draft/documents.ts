import { entriesOf, type JsonText, readJson } from "@/lib/plan/edit/json-text.ts";
import type { Range } from "@/lib/plan/edit/text-edit.ts";
import { isJsonObject, type Json, type JsonObject } from "@/lib/session/json/json.ts";
import { findLostNumber } from "@/lib/session/json/json-number.ts";
import { firstFault } from "../editor/json-place.ts";

/** The playground's texts: a plan, a context, and tools. Each is a list. */
export const DOCUMENTS = ["plan", "context", "tools"] as const;
export type DocumentName = (typeof DOCUMENTS)[number];

/** The texts as typed. */
export type Draft = Record<DocumentName, string>;

export const EMPTY_DRAFT: Draft = { plan: "", context: "", tools: "" };

/** Why a text is not a list of objects. */
export interface TextFault extends Range {
  document: DocumentName;
  kind: "syntax_text" | "inexact_number" | "not_list" | "not_object";
}

/** The parsed texts. */
export interface Documents {
  json: Record<DocumentName, JsonText>;
  /** Null when invalid. */
  values: Record<DocumentName, JsonObject[] | null>;
  faults: TextFault[];
}

/** Parses the three texts; an empty one is an empty list. */
export function readDocuments(draft: Draft): Documents {
  const plan = readDocument("plan", draft.plan);
  const context = readDocument("context", draft.context);
  const tools = readDocument("tools", draft.tools);
  return {
    json: { plan: plan.json, context: context.json, tools: tools.json },
    values: { plan: plan.value, context: context.value, tools: tools.value },
    faults: [plan, context, tools].flatMap(({ fault }) => fault ?? []),
  };
}

interface ReadDocument {
  json: JsonText;
  value: JsonObject[] | null;
  fault: TextFault | null;
}

function readDocument(document: DocumentName, text: string): ReadDocument {
  const json = readJson(text);
  const refuse = (kind: TextFault["kind"], { from, to }: Range) => ({
    json,
    value: null,
    fault: { document, kind, from, to },
  });
  if (text.trim() === "") return { json, value: [], fault: null };
  const value = parse(text);
  if (value === undefined) return refuse("syntax_text", firstFault(json) ?? { from: 0, to: text.length });
  const lost = findLostNumber(text);
  if (lost) return refuse("inexact_number", { from: lost.offset, to: lost.offset + lost.written.length });
  if (!Array.isArray(value)) return refuse("not_list", { from: 0, to: text.length });
  const wrong = value.findIndex((entry) => !isJsonObject(entry));
  if (wrong >= 0) return refuse("not_object", entriesOf(json)[wrong] ?? { from: 0, to: text.length });
  return { json, value: value.filter(isJsonObject), fault: null };
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
