import type { Json } from "../../../session/json/json.ts";
import { newEvent } from "../../new-event.ts";
import { awaitedId, eventId, identifierOf, timeOf } from "../names.ts";
import { type Said, saidIn } from "./thread.ts";
import { failureOf, type Node, nodesOf, type TraceRun } from "./trace.ts";
import { asJson, type TraceMapper } from "./trace-mapper.ts";

/** A run begins with its span, after what the user said to it. */
export function beginRun(mapper: TraceMapper, node: Node, run: TraceRun): void {
  const { span, meaning } = node;
  const state = mapper.run(run);
  state.agent_id = agentOf(mapper, node);
  const input = run.speaks ? firstInput(node) : [];
  const message = addInput(mapper, node, run, input, span.start);
  const asking = callAbove(node);
  const given = inputOf(node);
  const user_id = identifierOf(meaning.user_id);
  const payload = {
    ...(given !== null && { input: given }),
    ...(user_id !== null && { user_id }),
    ...(asking && { call_id: asking.call_id }),
    ...versionOf(node),
    span: mapper.origin(node),
  };
  state.cause = mapper.emit(
    newEvent("run.started", payload, {
      ...mapper.fields(node),
      id: eventId(mapper.trace.id, span.span_id, "run.started"),
      occurred_at: timeOf(span.start),
      caused_by: asking?.id ?? message,
    }),
  );
}

/** A run ends with its span. What it says at last is told before. */
export function endRun(mapper: TraceMapper, node: Node, run: TraceRun): void {
  const { span } = node;
  const state = mapper.run(run);
  const error = failureOf(node);
  // What an agent itself says it answered was answered, also where it failed afterwards.
  const own = finalAnswer(node);
  const answer = own ?? state.answer;
  const thread = mapper.thread(node.conversation_id);
  if (
    run.speaks &&
    (error === null || own !== null) &&
    answer !== null &&
    !thread.isLast({ role: "assistant", text: answer })
  )
    state.cause = mapper.say(node, { role: "assistant", text: answer }, "answer", span.end, state.cause);
  const output = outputOf(node) ?? answer;
  state.ended = true;
  mapper.emit(
    newEvent(
      error ? "run.failed" : "run.finished",
      { ...(output !== null && { output }), ...(error && { error }) },
      {
        ...mapper.fields(node),
        id: eventId(mapper.trace.id, span.span_id, "run.ended"),
        occurred_at: timeOf(span.end),
        caused_by: state.cause,
      },
    ),
  );
}

/** Tells what of an input to the user's agent is new in the conversation. Gives the last message's id. */
export function addInput(
  mapper: TraceMapper,
  node: Node,
  run: TraceRun,
  input: readonly Said[],
  at: bigint,
): string | null {
  const state = mapper.run(run);
  const thread = mapper.thread(node.conversation_id);
  const begins = run.parent_run_id === null && !state.begun;
  const news = thread.news(input, begins);
  if (input.length > 0) state.begun = true;
  const { answer } = state;
  // Who speaks again has had an answer, also where no later request tells of it.
  if (answer !== null && news.some(({ role }) => role === "user") && !news.some(({ text }) => text === answer)) {
    const said: Said = { role: "assistant", text: answer };
    if (!thread.isLast(said)) mapper.say(node, said, "said.before", at, state.cause);
    state.answer = null;
  }
  let last: string | null = null;
  for (const [index, one] of news.entries()) last = mapper.say(node, one, `said.${index}`, at, null);
  return last;
}

/** The run of a span that has not come begins with what has. */
export function startAwaited(mapper: TraceMapper, run: TraceRun): void {
  const first = firstOf(mapper, run);
  if (!first || run.awaits === null || mapper.trace.mapped.awaited.has(run.awaits)) return;
  mapper.run(run).cause = mapper.emit(
    newEvent(
      "run.started",
      {},
      {
        ...mapper.fields(first),
        id: awaitedId(mapper.trace.id, run.awaits, "run.started"),
        occurred_at: timeOf(first.span.start),
      },
    ),
  );
}

/** A run that was ended for want of news goes on. */
export function resumeAwaited(mapper: TraceMapper, run: TraceRun, node: Node): void {
  const state = mapper.run(run);
  const spanId = run.awaits ?? run.node?.span.span_id ?? "";
  if (!state.ended || !mapper.trace.mapped.awaited.has(spanId) || mapper.trace.mapped.spans.has(spanId)) return;
  state.ended = false;
  mapper.emit(
    newEvent(
      "run.resumed",
      {},
      {
        ...mapper.fields(node),
        run_id: run.id,
        parent_run_id: run.parent_run_id,
        id: awaitedId(mapper.trace.id, spanId, `run.resumed:${node.span.span_id}`),
        occurred_at: timeOf(node.span.start),
      },
    ),
  );
}

/**
 * The run of a span that has not come ends, as far as it is known, where nothing more of the trace waits: the span may never
 * come.
 */
export function endAwaited(mapper: TraceMapper, run: TraceRun): void {
  const first = firstOf(mapper, run);
  if (!first || run.awaits === null) return;
  const state = mapper.run(run);
  const last = lastEnd(mapper, run);
  if (state.answer !== null && !mapper.thread(run.conversation_id).isLast({ role: "assistant", text: state.answer }))
    state.cause = mapper.say(first, { role: "assistant", text: state.answer }, "answer", last, state.cause);
  if (mapper.trace.goesOn) return;
  mapper.emit(
    newEvent(
      "run.finished",
      { reason: notCome(run.awaits) },
      {
        ...mapper.fields(first),
        id: awaitedId(mapper.trace.id, run.awaits, `run.finished:${first.span.span_id}`),
        occurred_at: timeOf(last),
        caused_by: state.cause,
      },
    ),
  );
}

/** Runs that went on when an earlier part of the trace was told, and of which nothing has come since, end as well. */
export function endLeft(mapper: TraceMapper): void {
  const { mapped, runs } = mapper.trace;
  const nodes = nodesOf(mapper.trace);
  const told = new Set([...nodes.map(({ span }) => span.span_id), ...runs.map(({ awaits }) => awaits)]);
  const [newest] = nodes.toSorted(({ span: a }, { span: b }) => Number(b.end - a.end));
  if (!newest) return;
  for (const [spanId, { conversation_id, run_id }] of mapped.awaited) {
    if (told.has(spanId) || mapped.spans.has(spanId) || mapped.runs.get(run_id)?.ended !== false) continue;
    mapper.emit(
      newEvent(
        "run.finished",
        { reason: notCome(spanId) },
        {
          ...{ conversation_id, run_id, actor: "agent" },
          id: awaitedId(mapper.trace.id, spanId, `run.finished:${newest.span.span_id}`),
          occurred_at: timeOf(newest.span.end),
        },
      ),
    );
  }
}

function notCome(spanId: string): string {
  return `The span ${spanId}, which this run is, has not come`;
}

function firstOf({ trace }: TraceMapper, run: TraceRun): Node | undefined {
  return trace.roots.find((root) => root.span.parent_span_id === run.awaits && root.run === run);
}

function lastEnd({ trace }: TraceMapper, run: TraceRun): bigint {
  const roots = trace.roots.filter((root) => root.span.parent_span_id === run.awaits);
  let last = 0n;
  for (const { span } of roots) if (span.end > last) last = span.end;
  return last;
}

/** The agent that a run is of: as its span names it, else the service it is a part of. */
function agentOf(mapper: TraceMapper, node: Node): string | null {
  const { agent } = node.meaning;
  const own = identifierOf(agent.id) ?? identifierOf(agent.name);
  if (own !== null) return own;
  const above = node.parent?.run;
  if (above) return mapper.run(above).agent_id;
  const service = node.span.resource["service.name"];
  return typeof service === "string" && !service.startsWith("unknown_service") ? identifierOf(service) : null;
}

/** The version of the run's agent, as its span has it, else that of the service it is a part of. */
function versionOf({ meaning, span, parent }: Node): { agent_version?: string } {
  const service = span.resource["service.version"];
  const version = meaning.agent.version ?? (typeof service === "string" && !parent?.run ? service : null);
  return version === null || version === "" ? {} : { agent_version: version.slice(0, 200) };
}

/** What the user said to a run: its own input, else that of the first model which is asked in it for the user. */
function firstInput(node: Node): Said[] {
  const { doing } = node;
  if (doing.kind === "agent" && doing.input.length > 0) return saidIn(doing.input);
  if (doing.kind === "model") return saidIn(doing.input);
  for (const child of node.children) {
    if (child.run?.speaks && (child.run === node.run || child.run.node === child)) {
      const input = firstInput(child);
      if (input.length > 0) return input;
    }
  }
  return [];
}

function finalAnswer({ doing }: Node): string | null {
  if (doing.kind !== "agent") return null;
  return saidIn(doing.output).findLast(({ role, text }) => role === "assistant" && text !== "")?.text ?? null;
}

function inputOf({ doing }: Node): Json | null {
  if (doing.kind === "agent") return doing.input.length > 0 ? asJson(doing.input) : null;
  return doing.kind === "workflow" ? doing.input : null;
}

function outputOf({ doing }: Node): Json | null {
  if (doing.kind === "agent") return doing.output.length > 0 ? asJson(doing.output) : null;
  return doing.kind === "workflow" ? doing.output : null;
}

/** The call that an agent is asked by, where a tool is an agent. */
function callAbove(node: Node): { id: string; call_id: string } | null {
  for (let above = node.parent; above && above.run?.node !== above; above = above.parent) {
    const { doing } = above;
    if (doing.kind !== "tool") continue;
    const { trace_id, span_id } = above.span;
    return { id: eventId(trace_id, span_id, "call.started"), call_id: identifierOf(doing.call_id) ?? span_id };
  }
  return null;
}
