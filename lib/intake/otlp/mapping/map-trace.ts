import type { NewEvent } from "../../../../db/repositories.ts";
import { newEvent } from "../../new-event.ts";
import { eventId, timeOf } from "../names.ts";
import { askModel, modelAnswers } from "./map-model.ts";
import { beginRun, endAwaited, endLeft, endRun, resumeAwaited, startAwaited } from "./map-run.ts";
import { startTool, toolEnds } from "./map-tool.ts";
import type { Said } from "./thread.ts";
import { type Node, nodesOf, type Trace } from "./trace.ts";
import { TraceMapper } from "./trace-mapper.ts";
import { MILLISECOND } from "./tree.ts";
import { isNoAgents } from "./unread.ts";

/** What a conversation has been told so far, oldest first; null where there is no such conversation. */
export type SaidBefore = ReadonlyMap<string, readonly Said[] | null>;

/**
 * Tells spans of a trace as events of the catalogue, in the order of time (E15). The same spans give the same events, in
 * whatever order and in however many requests they came; an event's id is made of its span's, so that telling again
 * changes nothing. Each span tells at least one event, by which it is known to have been told. A trace that is no agent's
 * becomes no events.
 */
export function* mapTrace(trace: Trace, said: SaidBefore): Generator<NewEvent, undefined> {
  if (isNoAgents(trace)) return;
  const mapper = new TraceMapper(trace, said);
  for (const run of trace.runs) if (run.awaits !== null) startAwaited(mapper, run);
  for (const { node, ends } of momentsOf(trace)) {
    if (ends) end(mapper, node);
    else start(mapper, node);
    yield* mapper.take();
  }
  for (const run of trace.runs) if (run.awaits !== null) endAwaited(mapper, run);
  if (!trace.goesOn) endLeft(mapper);
  yield* mapper.take();
}

/** The conversations that spans of a trace belong to. */
export function conversationsOf(trace: Trace): string[] {
  const ids = new Set(trace.runs.map(({ conversation_id }) => conversation_id));
  for (const { conversation_id } of nodesOf(trace)) ids.add(conversation_id);
  return [...ids];
}

/** A span starts or ends. */
interface Moment {
  node: Node;
  ends: boolean;
  /** In milliseconds. */
  at: bigint;
}

/**
 * All moments in the order of time, by the millisecond: starts of OpenTelemetry's SDK for JS have no more, so that what
 * follows would seem to begin before it. Of those in one, a span's own surround those of what is below it.
 */
function momentsOf(trace: Trace): Moment[] {
  return trace.roots.flatMap((root) => [...momentsBelow(root)]).sort((a, b) => Number(a.at - b.at));
}

function* momentsBelow(root: Node): Generator<Moment> {
  const waiting: Moment[] = [{ node: root, ends: false, at: root.span.start / MILLISECOND }];
  for (let moment = waiting.pop(); moment; moment = waiting.pop()) {
    yield moment;
    const { node, ends } = moment;
    if (ends) continue;
    waiting.push({ node, ends: true, at: node.span.end / MILLISECOND });
    for (const child of node.children.toReversed())
      waiting.push({ node: child, ends: false, at: child.span.start / MILLISECOND });
  }
}

function start(mapper: TraceMapper, node: Node): void {
  if (node.run) resumeAwaited(mapper, node.run, node);
  if (node.run?.node === node) beginRun(mapper, node, node.run);
  const { doing } = node;
  switch (doing.kind) {
    case "model":
      return askModel(mapper, node, doing);
    case "tool":
      return startTool(mapper, node, doing);
    case "agent":
      return;
    case "workflow":
    case "other":
      if (node.run?.node !== node) note(mapper, node);
      return;
    default:
      return doing satisfies never;
  }
}

function end(mapper: TraceMapper, node: Node): void {
  const { doing } = node;
  switch (doing.kind) {
    case "model":
      modelAnswers(mapper, node, doing);
      break;
    case "tool":
      toolEnds(mapper, node, doing);
      break;
    case "agent":
    case "workflow":
    case "other":
      break;
    default:
      doing satisfies never;
  }
  if (node.run?.node === node) endRun(mapper, node, node.run);
}

/** What is nothing that the catalogue knows is kept as it is. */
function note(mapper: TraceMapper, node: Node): void {
  const { span, meaning } = node;
  const { error } = meaning;
  const { doing } = node;
  const payload = {
    text: span.name,
    duration_ms: Number(span.end - span.start) / 1_000_000,
    span: mapper.origin(node),
    ...(doing.kind === "workflow" && doing.input !== null && { input: doing.input }),
    ...(doing.kind === "workflow" && doing.output !== null && { output: doing.output }),
    ...(error && { error: { ...error } }),
  };
  mapper.emit(
    newEvent("log", payload, {
      ...mapper.fields(node),
      id: eventId(mapper.trace.id, span.span_id, "log"),
      occurred_at: timeOf(span.start),
    }),
  );
}
