import type { Json } from "../../session/json.ts";
import { newEvent } from "../new-event.ts";
import { awaitedId, eventId, identifierOf, timeOf } from "./names.ts";
import { asJson, failureOf, type Telling } from "./telling.ts";
import { type Said, saidIn } from "./thread.ts";
import type { Node, TraceRun } from "./trace.ts";

/** A run begins with its span, after what the user said to it. */
export function beginRun(telling: Telling, node: Node, run: TraceRun): void {
  const { span, meaning } = node;
  const state = telling.run(run);
  state.agent_id = agentOf(telling, node);
  const input = run.speaks ? firstInput(node) : [];
  const message = hear(telling, node, run, input, span.start);
  const asking = callAbove(node);
  const given = inputOf(node);
  const user_id = identifierOf(meaning.user_id);
  const payload = {
    ...(given !== null && { input: given }),
    ...(user_id !== null && { user_id }),
    ...(asking && { call_id: asking.call_id }),
    span: telling.origin(node),
  };
  state.cause = telling.emit(
    newEvent("run.started", payload, {
      ...telling.fields(node),
      id: eventId(telling.trace.id, span.span_id, "run.started"),
      occurred_at: timeOf(span.start),
      caused_by: asking?.id ?? message,
    }),
  );
}

/** A run ends with its span. What it says at last is told before. */
export function endRun(telling: Telling, node: Node, run: TraceRun): void {
  const { span } = node;
  const state = telling.run(run);
  const error = failureOf(node);
  const answer = finalAnswer(node) ?? state.answer;
  const thread = telling.thread(node.conversation_id);
  if (run.speaks && error === null && answer !== null && !thread.isLast({ role: "assistant", text: answer }))
    state.cause = telling.say(node, { role: "assistant", text: answer }, "answer", span.end, state.cause);
  const output = outputOf(node) ?? answer;
  state.ended = true;
  telling.emit(
    newEvent(
      error ? "run.failed" : "run.finished",
      { ...(output !== null && { output }), ...(error && { error }) },
      {
        ...telling.fields(node),
        id: eventId(telling.trace.id, span.span_id, "run.ended"),
        occurred_at: timeOf(span.end),
        caused_by: state.cause,
      },
    ),
  );
}

/** Tells what of an input to the user's agent is new in the conversation. Gives the last message's id. */
export function hear(telling: Telling, node: Node, run: TraceRun, input: readonly Said[], at: bigint): string | null {
  const state = telling.run(run);
  const thread = telling.thread(node.conversation_id);
  const begins = run.parent_run_id === null && !state.begun;
  const news = thread.news(input, begins);
  if (input.length > 0) state.begun = true;
  const { answer } = state;
  // Who speaks again has had an answer, also where no later request tells of it.
  if (answer !== null && news.some(({ role }) => role === "user") && !news.some(({ text }) => text === answer)) {
    const said: Said = { role: "assistant", text: answer };
    if (!thread.isLast(said)) telling.say(node, said, "said.before", at, state.cause);
    state.answer = null;
  }
  let last: string | null = null;
  for (const [index, one] of news.entries()) last = telling.say(node, one, `said.${index}`, at, null);
  return last;
}

/** The run of a span that has not come begins with what has. */
export function startAwaited(telling: Telling, run: TraceRun): void {
  const first = firstOf(telling, run);
  if (!first || run.awaits === null || telling.trace.told.awaited.has(run.awaits)) return;
  telling.run(run).cause = telling.emit(
    newEvent(
      "run.started",
      {},
      {
        ...telling.fields(first),
        id: awaitedId(telling.trace.id, run.awaits, "run.started"),
        occurred_at: timeOf(first.span.start),
      },
    ),
  );
}

/** A run that was ended for want of news goes on. */
export function resumeAwaited(telling: Telling, run: TraceRun, node: Node): void {
  const state = telling.run(run);
  const spanId = run.awaits ?? run.node?.span.span_id ?? "";
  if (!state.ended || !telling.trace.told.awaited.has(spanId) || telling.trace.told.spans.has(spanId)) return;
  state.ended = false;
  telling.emit(
    newEvent(
      "run.resumed",
      {},
      {
        ...telling.fields(node),
        run_id: run.id,
        parent_run_id: run.parent_run_id,
        id: awaitedId(telling.trace.id, spanId, `run.resumed:${node.span.span_id}`),
        occurred_at: timeOf(node.span.start),
      },
    ),
  );
}

/** The run of a span that has not come ends, as far as it is known: it may never come. */
export function endAwaited(telling: Telling, run: TraceRun): void {
  const first = firstOf(telling, run);
  if (!first || run.awaits === null) return;
  const state = telling.run(run);
  const last = lastEnd(telling, run);
  if (state.answer !== null && !telling.thread(run.conversation_id).isLast({ role: "assistant", text: state.answer }))
    state.cause = telling.say(first, { role: "assistant", text: state.answer }, "answer", last, state.cause);
  telling.emit(
    newEvent(
      "run.finished",
      { reason: `The span ${run.awaits}, which this run is, has not come` },
      {
        ...telling.fields(first),
        id: awaitedId(telling.trace.id, run.awaits, `run.finished:${first.span.span_id}`),
        occurred_at: timeOf(last),
        caused_by: state.cause,
      },
    ),
  );
}

function firstOf({ trace }: Telling, run: TraceRun): Node | undefined {
  return trace.roots.find((root) => root.span.parent_span_id === run.awaits && root.run === run);
}

function lastEnd({ trace }: Telling, run: TraceRun): bigint {
  const roots = trace.roots.filter((root) => root.span.parent_span_id === run.awaits);
  let last = 0n;
  for (const { span } of roots) if (span.end > last) last = span.end;
  return last;
}

/** The agent that a run is of: as its span names it, else the service it is a part of. */
function agentOf(telling: Telling, node: Node): string | null {
  const { agent } = node.meaning;
  const own = identifierOf(agent.id) ?? identifierOf(agent.name);
  if (own !== null) return own;
  const above = node.parent?.run;
  if (above) return telling.run(above).agent_id;
  const service = node.span.resource["service.name"];
  return typeof service === "string" && !service.startsWith("unknown_service") ? identifierOf(service) : null;
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
