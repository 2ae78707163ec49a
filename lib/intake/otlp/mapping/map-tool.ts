import { parsePath } from "../../../plan/output-path.ts";
import { printPath } from "../../../plan/reference.ts";
import { isJsonObject, isSameJson, type Json } from "../../../session/json/json.ts";
import { newEvent } from "../../new-event.ts";
import { cut, eventId, identifierOf, timeOf } from "../names.ts";
import type { ModelDoing, ToolDoing } from "../span.ts";
import type { AskedCall } from "./mapped-state.ts";
import type { Node, TraceRun } from "./trace.ts";
import { failureOf } from "./trace.ts";
import type { TraceMapper } from "./trace-mapper.ts";

/** A call while it is told. */
export interface MappingCall {
  call_id: string;
  iteration: number;
  tool: string;
  started: string;
}

/** A tool begins to be carried out. */
export function startTool(mapper: TraceMapper, node: Node, doing: ToolDoing): void {
  const { span, run } = node;
  if (!run) throw new Error(`The tool's span ${span.span_id} stands in no run`);
  const state = mapper.run(run);
  const asked = askedFor(mapper, run, doing);
  const call_id = identifierOf(doing.call_id ?? asked?.id ?? null) ?? span.span_id;
  const call = {
    call_id,
    iteration: asked?.iteration ?? state.iteration,
    tool: identifierOf(doing.tool) ?? "tool",
  };
  if (asked) state.asked = state.asked.filter((each) => each !== asked);
  const output_path = doing.output_path === null ? "" : cut(doing.output_path, 2_000);
  const reads = doing.reads.slice(0, 100).map((path) => cut(path, 2_000));
  const payload = {
    ...call,
    ...paramsOf(doing, asked),
    ...(output_path !== "" && { output_path }),
    ...(reads.length > 0 && { reads }),
    span: mapper.origin(node),
  };
  const started = mapper.emit(
    newEvent("call.started", payload, {
      ...mapper.fields(node),
      actor: identifierOf(call.tool, "tool:"),
      id: eventId(mapper.trace.id, span.span_id, "call.started"),
      occurred_at: timeOf(span.start),
      caused_by: asked?.cause ?? state.cause,
    }),
  );
  mapper.calls.set(node, { ...call, started });
}

/** What a tool was given. OpenInference has an only argument without its name, which the model that asked has. */
function paramsOf({ arguments: given }: ToolDoing, asked: AskedCall | undefined): { params?: Json } {
  const isNamed = isJsonObject(given) || !isJsonObject(asked?.arguments);
  const params = isNamed ? given : asked.arguments;
  return params === null ? {} : { params };
}

/** A tool has been carried out, or failed; what it wrote to the agent's state is told after it. */
export function toolEnds(mapper: TraceMapper, node: Node, doing: ToolDoing): void {
  const { span, run } = node;
  const call = mapper.calls.get(node);
  if (!run || !call) throw new Error(`The tool's span ${span.span_id} ends before it starts`);
  const { started, ...payload } = call;
  const heard = doing.result === null ? (mapper.hidden(run).answered.get(call.call_id) ?? null) : null;
  const error = failureOf(node) ?? failureIn(heard);
  const fields = { ...mapper.fields(node), actor: identifierOf(call.tool, "tool:"), occurred_at: timeOf(span.end) };
  const idOf = (what: string) => eventId(mapper.trace.id, span.span_id, what);
  const output = doing.result ?? heard;
  const ended = mapper.emit(
    newEvent(
      error ? "call.failed" : "call.succeeded",
      { ...payload, ...(output !== null && !error && { output }), ...(error && { error }) },
      { ...fields, id: idOf("call.ended"), caused_by: started },
    ),
  );
  mapper.run(run).cause = ended;
  const { call_id, iteration } = call;
  const { writes, unread } = writesOf(doing, error !== null);
  for (const [index, { path, value }] of writes.entries()) {
    mapper.emit(
      newEvent(
        "state.written",
        { path, value, call_id, iteration },
        { ...fields, id: idOf(`state.written.${index}`), caused_by: ended },
      ),
    );
  }
  if (unread.length > 0) {
    const text = "Changes of the state that could not be told as writes";
    mapper.emit(
      newEvent(
        "log",
        { text, changes: unread, call_id, iteration },
        { ...fields, id: idOf("state.unread"), caused_by: ended },
      ),
    );
  }
}

/** The failure in a result that only the next model's input has: ADK's spans of tools that failed are empty. */
function failureIn(heard: Json): { code: string; message: string } | null {
  if (!isJsonObject(heard) || typeof heard.error !== "string" || Object.keys(heard).length > 1) return null;
  return { code: "error", message: heard.error };
}

/** Calls that a model has asked for, that no tool's span carries out, and whose results stand in a later input, start. */
export function startUnseen(mapper: TraceMapper, node: Node, run: TraceRun, asked: readonly AskedCall[]): void {
  for (const [index, call] of asked.entries()) {
    if (call.id === null || !mapper.hidden(run).answered.has(call.id) || isSeen(mapper, run, call)) continue;
    start(mapper, node, call, { what: `call.started.${index}`, at: node.span.end });
  }
}

/** A model's input has results of calls: those that no tool's span has told have ended before it. */
export function addResults(mapper: TraceMapper, node: Node, doing: ModelDoing): void {
  const { span, run } = node;
  if (!run) return;
  const state = mapper.run(run);
  for (const [index, { id, response }] of responsesIn(doing).entries()) {
    const asked = state.asked.find((each) => each.id !== null && each.id === id);
    if (!asked || isSeen(mapper, run, asked)) continue;
    state.asked = state.asked.filter((each) => each !== asked);
    const call =
      mapper.unseen.get(asked) ?? start(mapper, node, asked, { what: `heard.started.${index}`, at: span.start });
    const { started, ...payload } = call;
    state.cause = mapper.emit(
      newEvent(
        "call.succeeded",
        { ...payload, output: response },
        {
          ...mapper.fields(node),
          actor: identifierOf(call.tool, "tool:"),
          id: eventId(mapper.trace.id, span.span_id, `heard.succeeded.${index}`),
          occurred_at: timeOf(span.start),
          caused_by: started,
        },
      ),
    );
  }
}

function start(
  mapper: TraceMapper,
  node: Node,
  asked: AskedCall,
  { what, at }: { what: string; at: bigint },
): MappingCall {
  const call = {
    call_id: identifierOf(asked.id) ?? what,
    iteration: asked.iteration,
    tool: identifierOf(asked.tool) ?? "tool",
  };
  const started = mapper.emit(
    newEvent(
      "call.started",
      { ...call, params: asked.arguments },
      {
        ...mapper.fields(node),
        actor: identifierOf(call.tool, "tool:"),
        id: eventId(mapper.trace.id, node.span.span_id, what),
        occurred_at: timeOf(at),
        caused_by: asked.cause,
      },
    ),
  );
  const mapped = { ...call, started };
  mapper.unseen.set(asked, mapped);
  return mapped;
}

/** Whether a tool's span tells of the call, now or before. */
function isSeen(mapper: TraceMapper, run: TraceRun, asked: AskedCall): boolean {
  const { carried, unnamed } = mapper.hidden(run);
  return carried.has(asked.id ?? "") || unnamed.has(asked.tool) || mapper.isRecorded(run, asked);
}

/** The call that a tool's span carries out: by its id, or, where it tells none, the oldest for this tool, best with the same arguments. */
function askedFor(mapper: TraceMapper, run: TraceRun, doing: ToolDoing): AskedCall | undefined {
  const { asked: all } = mapper.run(run);
  if (doing.call_id !== null) return all.findLast(({ id }) => id === doing.call_id);
  const open = all.filter((asked) => asked.tool === doing.tool && !mapper.isRecorded(run, asked));
  return open.find((asked) => isSameJson(asked.arguments, doing.arguments ?? undefined)) ?? open[0];
}

/** What the models of a run are told of its calls, and which of them its tools' spans carry out. */
export interface HiddenCalls {
  /** Results that stand in some input, by the calls' ids. */
  answered: ReadonlyMap<string, Json>;
  /** Ids that a tool's span names. */
  carried: ReadonlySet<string>;
  /** Tools whose spans name no call. */
  unnamed: ReadonlySet<string>;
}

/** Looks through a run's spans for its calls. */
export function hiddenCalls(nodes: readonly Node[]): HiddenCalls {
  const answered = new Map<string, Json>();
  const carried = new Set<string>();
  const unnamed = new Set<string>();
  for (const { doing } of nodes) {
    if (doing.kind === "model") for (const { id, response } of responsesIn(doing)) answered.set(id, response);
    if (doing.kind !== "tool") continue;
    if (doing.call_id === null) unnamed.add(doing.tool);
    else carried.add(doing.call_id);
  }
  return { answered, carried, unnamed };
}

function responsesIn({ input }: ModelDoing): { id: string; response: Json }[] {
  return input.flatMap(({ parts }) =>
    parts.flatMap((part) =>
      part.type === "tool_call_response" && part.id !== null ? [{ id: part.id, response: part.response }] : [],
    ),
  );
}

/** What a tool does to the agent's state: a change that writes a path, or one that cannot be told so. */
type Change = { path: string; value: Json } | { unread: Json };

/** What a tool writes to the agent's state, as the agent itself says, and what of that says no path and value. */
function writesOf(
  { output_path, result, delta }: ToolDoing,
  failed: boolean,
): { writes: { path: string; value: Json }[]; unread: Json[] } {
  const own = output_path === null || failed || result === null ? [] : [{ path: output_path, value: result }];
  const writes: { path: string; value: Json }[] = [];
  const unread: Json[] = [];
  for (const change of [...own, ...changesIn(delta)]) {
    const path = "path" in change ? readable(change.path) : undefined;
    if ("unread" in change) unread.push(change.unread);
    else if (path === undefined) unread.push({ ...change });
    else writes.push({ path, value: change.value });
  }
  return { writes, unread };
}

function readable(path: string): string | undefined {
  return [path, `†state.${path}`].find((each) => parsePath(each).ok);
}

/** A JSON Patch, or an object of paths and their values. */
function changesIn(delta: Json): Change[] {
  if (delta === null) return [];
  if (isJsonObject(delta)) return Object.entries(delta).map(([path, value]) => ({ path, value }));
  return Array.isArray(delta) ? delta.flatMap(changeOf) : [{ unread: delta }];
}

/**
 * An operation of a JSON Patch. Removing writes null, and `test` changes nothing; what moves or copies a value, or puts one
 * at a list's end, depends on a state that only the agent knows.
 */
function changeOf(operation: Json): Change[] {
  if (!isJsonObject(operation) || typeof operation.path !== "string") return [{ unread: operation }];
  const { op, value } = operation;
  if (op === "test") return [];
  const path = `†state${printPath(operation.path.split("/").slice(1).map(unescaped))}`;
  if (op === "remove") return [{ path, value: null }];
  const isWrite = (op === "add" || op === "replace") && value !== undefined && !operation.path.endsWith("/-");
  return [isWrite ? { path, value } : { unread: operation }];
}

function unescaped(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}
