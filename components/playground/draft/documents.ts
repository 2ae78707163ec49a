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

/**
 * Creates a parser of the three texts, of which an empty one is an empty list. It takes over what has not changed since its last call: an entry whose text is
 * the same is the same object, so that what is derived from it need not be made again.
 */
export function documentReader(): (draft: Draft) => Documents {
  const plan = textReader("plan");
  const context = textReader("context");
  const tools = textReader("tools");
  return (draft) => combine(plan(draft.plan), context(draft.context), tools(draft.tools));
}

function combine(plan: ReadDocument, context: ReadDocument, tools: ReadDocument): Documents {
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

function textReader(document: DocumentName): (text: string) => ReadDocument {
  let last: ReadDocument | undefined;
  let valid: ReadDocument | undefined;
  return (text) => {
    if (last?.json.text === text) return last;
    const read = readDocument(document, readJson(text, last?.json));
    last = valid ? withKnown(read, valid) : read;
    if (last.value) valid = last;
    return last;
  };
}

/** The same with the entries of an earlier text where nothing has changed before or after them. */
function withKnown(read: ReadDocument, { json, value: earlier }: ReadDocument): ReadDocument {
  const { value } = read;
  if (!value || !earlier) return read;
  const [nodes, before] = [entriesOf(read.json), entriesOf(json)];
  const isSame = (index: number, other: number) => {
    const [node, known] = [nodes[index], before[other]];
    if (!node || !known || node.to - node.from !== known.to - known.from) return false;
    return read.json.text.slice(node.from, node.to) === json.text.slice(known.from, known.to);
  };
  const shift = earlier.length - value.length;
  let changed = 0;
  while (changed < value.length && isSame(changed, changed)) changed++;
  if (changed === value.length && shift === 0) return { ...read, value: earlier };
  let end = value.length;
  while (end > changed && isSame(end - 1, end - 1 + shift)) end--;
  return {
    ...read,
    value: [...earlier.slice(0, changed), ...value.slice(changed, end), ...earlier.slice(end + shift)],
  };
}

function readDocument(document: DocumentName, json: JsonText): ReadDocument {
  const { text } = json;
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
