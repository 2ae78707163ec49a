import type { Json, JsonObject } from "../session/json.ts";
import { type OutputPath, parseOutputPath } from "./output-path.ts";
import { type Expression, type Path, parseText } from "./reference.ts";

/** The keys of a call that are not parameters (P1). */
export const META_PROPERTIES = [
  "_tool",
  "_id",
  "_activity",
  "_delegate",
  "_scopes",
  "_outputPath",
  "_instance",
  "_reasoningForCall",
  "_output",
] as const;
export type MetaProperty = (typeof META_PROPERTIES)[number];

/** A place in a call's parameters that reads values when the call starts. */
export interface Read {
  /** Where it stands among the parameters, nested ones too: `["items", 0, "id"]`. */
  parameter: Path;
  expression: Expression;
}

/** Something in a call that cannot be understood; the rest of the call is read all the same. */
export interface CallProblem {
  call: string;
  code: "syntax" | "unknown_meta" | "duplicate_id" | "unknown_tool";
  /** Where in the call: `["_outputPath"]`, `["items", 0]`. */
  path: Path;
  message: string;
}

/** A call of a plan, read: who it is, what it reads and where its result may go. */
export interface PlanCall {
  id: string;
  tool: string;
  /** "" when the call runs once for each instance (P25). */
  instance: string;
  /** The delegate that carries it out (P27). */
  delegate: string | null;
  reasoning: string | null;
  /** The keys that do not begin with `_`. */
  parameters: JsonObject;
  /** Null when the result goes nowhere. */
  output: OutputPath | null;
  /** In the order of the parameters. */
  reads: Read[];
  problems: CallProblem[];
}

/** Reads a plan's calls in order. Ids are as `callIds` gives them; a repeated id is a problem of the later call. */
export function readCalls(calls: readonly JsonObject[]): PlanCall[] {
  const ids = callIds(calls);
  const seen = new Set<string>();
  return calls.map((call, index) => {
    const id = ids[index] ?? "";
    const read = readCall(call, id);
    if (seen.has(id)) {
      read.problems.push({
        call: id,
        code: "duplicate_id",
        path: ["_id"],
        message: `Another call of this plan already has the id "${id}"`,
      });
    }
    seen.add(id);
    return read;
  });
}

/** The id of each call: its own, else `tool#n`, the first n from 1 that is free in the plan (P1). */
export function callIds(calls: readonly JsonObject[]): string[] {
  const taken = new Set(calls.map((call) => text(call._id)));
  const counts = new Map<string, number>();
  return calls.map((call) => {
    const own = text(call._id);
    if (own !== null) return own;
    const tool = text(call._tool) ?? "call";
    let count = counts.get(tool) ?? 0;
    let id: string;
    do id = `${tool}#${++count}`;
    while (taken.has(id));
    counts.set(tool, count);
    return id;
  });
}

/** Reads one call; `id` is used when it has none of its own (P1). What cannot be read is left out and reported. */
export function readCall(call: JsonObject, id: string): PlanCall {
  const problems: CallProblem[] = [];
  const report = (code: CallProblem["code"], path: Path, message: string) =>
    problems.push({ call: text(call._id) ?? id, code, path, message });
  const tool = text(call._tool);
  if (tool === null) report("unknown_tool", ["_tool"], "A call needs the name of its tool in _tool");
  const parameters: [string, Json][] = [];
  for (const [key, value] of Object.entries(call)) {
    if (!key.startsWith("_")) parameters.push([key, value]);
    else if (!isMeta(key))
      report("unknown_meta", [key], `${key} is not a property of a call; the nearest is ${nearestMeta(key)}`);
  }
  const reads: Read[] = [];
  for (const [key, value] of parameters) {
    findReads(value, [key], reads, (path, message) => report("syntax", path, message));
  }
  return {
    id: text(call._id) ?? id,
    tool: tool ?? "",
    instance: text(call._instance) ?? "",
    delegate: text(call._delegate),
    reasoning: text(call._reasoningForCall),
    // fromEntries defines own keys, so that a parameter named __proto__ stays one (P8).
    parameters: Object.fromEntries(parameters),
    output: readOutput(call._outputPath, (message) => report("syntax", ["_outputPath"], message)),
    reads,
    problems,
  };
}

function readOutput(value: Json | undefined, report: (message: string) => void): OutputPath | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") {
    report("An output path is a text such as †state.order");
    return null;
  }
  const output = parseOutputPath(value);
  if (output.ok) return output.value;
  report(`${output.error.message} (at character ${output.error.position + 1})`);
  return null;
}

/** Walks a parameter with a list of its own: a posted plan may nest deeper than the stack. */
function findReads(parameter: Json, at: Path, reads: Read[], report: (path: Path, message: string) => void): void {
  const open: { value: Json; path: Path }[] = [{ value: parameter, path: at }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === "string") {
      const read = parseText(value);
      if (!read.ok) report(path, `${read.error.message} (at character ${read.error.position + 1})`);
      else if (read.value.kind === "expression") reads.push({ parameter: path, expression: read.value.expression });
    } else if (Array.isArray(value)) {
      for (let index = value.length - 1; index >= 0; index--)
        open.push({ value: value[index] ?? null, path: [...path, index] });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, child] of Object.entries(value).reverse()) open.push({ value: child, path: [...path, key] });
    }
  }
}

/** A meta-property's text; null and anything else count as absent (P1). */
function text(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function isMeta(key: string): key is MetaProperty {
  return META_PROPERTIES.some((name) => name === key);
}

function nearestMeta(key: string): MetaProperty {
  let nearest: MetaProperty = "_tool";
  let least = Number.POSITIVE_INFINITY;
  for (const name of META_PROPERTIES) {
    const distance = editDistance(key.toLowerCase(), name.toLowerCase());
    if (distance < least) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** How many letters have to be added, taken away or replaced to turn one text into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
