import type { Json, JsonObject } from "../session/json/json.ts";
import type { KnownOutput } from "../session/session.ts";
import { type LocalizedText, localized } from "./localized-text.ts";
import { nearestOf } from "./nearest.ts";
import { type OutputPath, parseOutputPath, parsePath, type Target } from "./output-path.ts";
import { type Expression, type Path, parseText, type SyntaxProblem } from "./reference.ts";

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

/** Meta-properties that are texts, each with what it may look like. */
const EXAMPLES = {
  _tool: '"crm.deal.get"',
  _id: '"deal"',
  _activity: '"crm.deal.get"',
  _delegate: '"translator"',
  _instance: '"①"',
  _reasoningForCall: '"the order is eligible"',
} as const satisfies Partial<Record<MetaProperty, string>>;
type TextProperty = keyof typeof EXAMPLES;

/** What events and addresses can hold of a name. */
const LONGEST_NAME = 200;

/** A place in a call's parameters that reads values when the call starts. */
export interface Read {
  /** Where it stands among the parameters, nested ones too: `["items", 0, "id"]`. */
  parameter: Path;
  expression: Expression;
}

/** Something in a call that cannot be understood; the rest of the call is read all the same. */
export interface CallProblem extends LocalizedText {
  call: string;
  code: "syntax" | "unknown_meta" | "duplicate_id" | "unknown_tool";
  /** Where in the call: `["_outputPath"]`, `["items", 0]`. */
  path: Path;
}

/** A call of a plan, read: who it is, what it reads and where its result may go. */
export interface PlanCall {
  id: string;
  tool: string;
  /** "" when the call runs once for each instance (P25). */
  instance: string;
  /** The delegate that carries it out (P27). */
  delegate: string | null;
  /** The activity it names (P1); null when its tool decides. */
  activity: string | null;
  /** The kinds of messages that it passes on (P28). */
  scopes: string[];
  /** The result that stands in the call itself (P2a); undefined when there is none. */
  result: Json | undefined;
  reasoning: string | null;
  /** The keys that do not begin with `_`. */
  parameters: JsonObject;
  /** Where the result goes, as the call itself says; null when it goes nowhere. */
  outputPath: OutputPath | null;
  /** All that it may write, with what is known besides: what its edges follow from. */
  output: OutputPath | null;
  /** In the order of the parameters. */
  reads: Read[];
  problems: CallProblem[];
}

/**
 * Reads a plan's calls in order. Ids are as `callIds` gives them; a repeated id is a problem of the later call.
 * `outputs` is what tools and delegates know of the calls' writes; the calls' output paths then name it, too.
 */
export function readCalls(calls: readonly JsonObject[], outputs: readonly KnownOutput[] = []): PlanCall[] {
  return [...readCallsInParts(calls, outputs)];
}

/** The same one by one, each read by `readOne`: a plan of thousands of calls would block the event loop. */
export function* readCallsInParts(
  calls: readonly JsonObject[],
  outputs: readonly KnownOutput[] = [],
  readOne: typeof readCall = readCall,
): Generator<PlanCall, void> {
  const ids = callIds(calls);
  const known = new Map(outputs.map((output) => [output.call_id, output]));
  const seen = new Set<string>();
  for (const [index, call] of calls.entries()) {
    const id = ids[index] ?? "";
    const own = readOne(call, id);
    const read = seen.has(id) ? { ...own, problems: [...own.problems, duplicateId(id)] } : own;
    seen.add(id);
    const output = known.get(id);
    yield output ? { ...read, output: withKnown(read.output, output) } : read;
  }
}

function duplicateId(id: string): CallProblem {
  return {
    call: id,
    code: "duplicate_id",
    path: ["_id"],
    ...localized("duplicate_id")`Another call of this plan already has the id "${id}"; give this one another _id`,
  };
}

/** Creates a `readCall` that reads each call object once, for plans of which most stays as it is. */
export function callReader(): typeof readCall {
  const known = new WeakMap<JsonObject, PlanCall>();
  return (call, id) => {
    const before = known.get(call);
    if (before?.id === id) return before;
    const read = readCall(call, id);
    known.set(call, read);
    return read;
  };
}

/** An output path with `†state` alone put as its keys (P9), and a delegate's own paths beside the first alternative (P27). */
export function withKnown(path: OutputPath | null, { keys, writes = [] }: KnownOutput): OutputPath | null {
  const expanded = (path ?? []).map((fanOut) =>
    // Without any key it stays as it is, so that every alternative keeps its place.
    fanOut.flatMap((target) => (keys?.length && target.path.length === 0 ? keys.map(keyTarget) : [target])),
  );
  const back = writes.flatMap((text) => {
    const target = parsePath(text);
    return target.ok ? [target.value] : [];
  });
  const [first = [], ...others] = expanded;
  const written = [...first, ...back];
  return written.length === 0 ? path : [written, ...others];
}

function keyTarget(key: string): Target {
  return { kind: "state", path: [key] };
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

/** A call with its id; the same object if that is written in it. */
export function withId(call: JsonObject, id: string): JsonObject {
  return call._id === id ? call : { ...call, _id: id };
}

/** Reads one call; `id` is used when it has none of its own (P1). What cannot be read is left out and reported. */
export function readCall(call: JsonObject, id: string): PlanCall {
  const problems: CallProblem[] = [];
  const report = (code: CallProblem["code"], path: Path, reason: LocalizedText) =>
    problems.push({ call: text(call._id) ?? id, code, path, ...reason });
  const refuse = (path: Path, reason: LocalizedText) => report("syntax", path, reason);
  const parameters: [string, Json][] = [];
  for (const [key, value] of Object.entries(call)) {
    if (!key.startsWith("_")) parameters.push([key, value]);
    else if (!isMeta(key)) report("unknown_meta", [key], unknownMeta(key));
  }
  if (text(call._tool) === null)
    report("unknown_tool", ["_tool"], localized("tool_missing")`A call must name its tool in _tool`);
  if (text(call._delegate) !== null && text(call._activity) !== null)
    refuse(
      ["_activity"],
      localized("activity_and_delegate")`A call has either an _activity or a _delegate; remove one of them`,
    );
  const property = (name: TextProperty) => readProperty(call, name, refuse);
  const reads = parameters.flatMap(([key, value]) => findReads(value, [key], refuse));
  const output = readOutput(call._outputPath, refuse);
  return {
    tool: text(call._tool) === null ? "" : (property("_tool") ?? ""),
    id: property("_id") ?? id,
    instance: property("_instance") ?? "",
    delegate: property("_delegate"),
    activity: property("_activity"),
    scopes: readScopes(call._scopes, refuse),
    result: call._output ?? undefined,
    reasoning: property("_reasoningForCall"),
    // fromEntries defines own keys, so that a parameter named __proto__ stays one (P8).
    parameters: Object.fromEntries(parameters),
    outputPath: output,
    output,
    reads,
    problems,
  };
}

function unknownMeta(key: string): LocalizedText {
  return localized(
    "unknown_meta",
  )`${key} is not a property of a call; the nearest is ${nearestOf(key, META_PROPERTIES)}, and no parameter begins with _`;
}

type Refuse = (path: Path, reason: LocalizedText) => void;

function readScopes(value: Json | undefined, refuse: Refuse): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((kind) => typeof kind === "string")) return value;
  refuse(["_scopes"], localized("scopes_not_list")`Scopes must be a list of kinds, such as ["state", "input"]`);
  return [];
}

function readOutput(value: Json | undefined, refuse: Refuse): OutputPath | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") {
    refuse(["_outputPath"], localized("output_path_not_string")`An output path must be a string such as †state.order`);
    return null;
  }
  const output = parseOutputPath(value);
  if (output.ok) return output.value;
  refuse(["_outputPath"], placed(output.error));
  return null;
}

function placed(problem: SyntaxProblem): LocalizedText {
  return localized("at_character")`${problem} (at character ${problem.position + 1})`;
}

/** Walks a parameter with a list of its own: a posted plan may nest deeper than the stack. */
function findReads(parameter: Json, at: Path, refuse: Refuse): Read[] {
  const reads: Read[] = [];
  const open: { value: Json; path: Path }[] = [{ value: parameter, path: at }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    if (typeof value === "string") {
      const read = parseText(value);
      if (!read.ok) refuse(path, placed(read.error));
      else if (read.value.kind === "expression") reads.push({ parameter: path, expression: read.value.expression });
    } else if (Array.isArray(value)) {
      for (let index = value.length - 1; index >= 0; index--)
        open.push({ value: value[index] ?? null, path: [...path, index] });
    } else if (typeof value === "object" && value !== null) {
      for (const [key, child] of Object.entries(value).reverse()) open.push({ value: child, path: [...path, key] });
    }
  }
  return reads;
}

function readProperty(call: JsonObject, name: TextProperty, refuse: Refuse): string | null {
  const value = call[name] ?? null;
  const is = text(value);
  if (value !== null && value !== "" && is === null)
    refuse([name], localized("meta_not_string")`${name} must be a string such as ${EXAMPLES[name]}`);
  if (is === null || (isPrintable(is) && is.length <= LONGEST_NAME) || name === "_reasoningForCall") return is;
  refuse(
    [name],
    localized(
      "meta_malformed",
    )`${name} must have at most ${LONGEST_NAME} characters, no control characters, and must not be . or ..`,
  );
  return null;
}

/** Names stand in addresses and in keys, each on one line. */
function isPrintable(name: string): boolean {
  return !/\p{Cc}/u.test(name) && name !== "." && name !== "..";
}

/** A meta-property's text; null and anything else count as absent (P1). */
function text(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function isMeta(key: string): key is MetaProperty {
  return META_PROPERTIES.some((name) => name === key);
}
