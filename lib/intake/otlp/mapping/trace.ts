import { cut, firstRunId, identifierOf, runId } from "../names.ts";
import type { Doing, Meaning, Span } from "../span.ts";
import { orderCalls } from "./asked-calls.ts";
import type { MappedState } from "./mapped-state.ts";
import { below, MILLISECOND } from "./tree.ts";

/** A span with what it means. */
export interface Understood {
  span: Span;
  meaning: Meaning;
}

/** A span in its trace. */
export interface Node extends Understood {
  /** What it does, as it is told: a request within a request, or a call within the same call, is a detail of it. */
  doing: Doing;
  children: Node[];
  /** The nearest above that is told now. */
  parent: Node | null;
  conversation_id: string;
  /** Where it stands; null outside of all runs. Its own where it is one. */
  run: TraceRun | null;
}

/** A run of a trace. */
export interface TraceRun {
  id: string;
  conversation_id: string;
  /** The run that it is a part of. */
  parent_run_id: string | null;
  /** The span that it is, where that is told now. */
  node: Node | null;
  /** The span that it is has not come. */
  awaits: string | null;
  /** No agent has it do its work: what it says, it says to the user. */
  speaks: boolean;
}

/** The spans of a trace that are told now, as a tree. */
export interface Trace {
  id: string;
  roots: Node[];
  /** In the order in which they were met, from above. */
  runs: TraceRun[];
  mapped: MappedState;
  /** More of it waits to be told, so that a run whose span has not come goes on. */
  goesOn: boolean;
}

/** What a span is in when one goes down the tree. */
interface Place {
  /** As a span above names it. */
  conversation: string | null;
  run: TraceRun | null;
  /** What the nearest span above does that is not just anything else. */
  doing: Doing | null;
}

/**
 * Puts spans of a trace into their tree, and says which are runs (E15): the outermost agents and workflows, or, where a model
 * or a tool is used outside of one, the whole below a root. The first has the trace's own id. Agents inside of a run are
 * runs of their own below it. What it gives does not depend on the order of the spans.
 */
export function traceOf(id: string, understood: readonly Understood[], mapped: MappedState, goesOn = false): Trace {
  const nodes = understood
    .map(
      (one): Node => ({ ...one, doing: one.meaning.doing, children: [], parent: null, conversation_id: id, run: null }),
    )
    .sort(inTime);
  const trace: Trace = { id, roots: linked(nodes), runs: [], mapped, goesOn };
  for (const root of trace.roots) outlast(root);
  orderCalls(nodes);
  const conversation = namedBy(nodes, mapped);
  for (const [parentId, children] of Map.groupBy(trace.roots, ({ span }) => span.parent_span_id)) {
    if (parentId === null) {
      for (const root of children) place(trace, root, { conversation: null, run: null, doing: null }, conversation);
      continue;
    }
    const above = mapped.spans.get(parentId);
    if (above) {
      const run = above.run_id === null ? null : earlierRun(trace, above.run_id, above.conversation_id);
      for (const child of children)
        place(trace, child, { conversation: named(above.conversation_id, id), run, doing: null }, conversation);
      continue;
    }
    const run = awaitedRun(trace, parentId, children, conversation);
    for (const child of children) place(trace, child, { conversation: null, run, doing: null }, conversation);
  }
  return trace;
}

/** By start, by end, then by id. */
function inTime({ span: a }: Node, { span: b }: Node): number {
  return compare(a.start, b.start) || compare(a.end, b.end) || compare(a.span_id, b.span_id);
}

function compare<T extends bigint | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Links the nodes and gives those that nothing told now stands above. Of spans that are each other's parents the first loses its own. */
function linked(nodes: readonly Node[]): Node[] {
  const byId = new Map(nodes.map((node) => [node.span.span_id, node]));
  for (const node of nodes) {
    node.parent = byId.get(node.span.parent_span_id ?? "") ?? null;
    node.parent?.children.push(node);
  }
  const reached = new Set<Node>();
  const roots = nodes.filter(({ parent }) => parent === null);
  for (const root of roots) reach(root, reached);
  for (const node of nodes) {
    if (reached.has(node)) continue;
    if (node.parent) node.parent.children = node.parent.children.filter((child) => child !== node);
    node.parent = null;
    roots.push(node);
    reach(node, reached);
  }
  return roots;
}

function reach(root: Node, reached: Set<Node>): void {
  for (const node of below(root)) reached.add(node);
}

/**
 * OpenTelemetry's SDK for JS takes the whole milliseconds of a start and adds how long the span took, so that a span may seem
 * to end before one below it did, by less than a millisecond: it ends with it.
 */
function outlast(root: Node): void {
  for (const node of [...below(root)].toReversed()) {
    for (const { span } of node.children) {
      const late = span.end - node.span.end;
      if (late > 0n && late < MILLISECOND) node.span = { ...node.span, end: span.end };
    }
  }
}

/** All spans of a trace that are told now. */
export function nodesOf({ roots }: Trace): Node[] {
  return roots.flatMap((root) => [...below(root)]);
}

/** The conversation of those spans that neither name one nor stand below one that does. Never made up. */
function namedBy(nodes: readonly Node[], mapped: MappedState): string | null {
  const names = new Set(nodes.flatMap(({ meaning }) => identifierOf(meaning.conversation_id) ?? []));
  for (const { conversation_id } of mapped.spans.values()) names.add(conversation_id);
  const [name, ...others] = names;
  return name !== undefined && others.length === 0 ? name : null;
}

/** A conversation that is the trace itself was named by nobody. */
function named(conversationId: string, traceId: string): string | null {
  return conversationId === traceId ? null : conversationId;
}

function place(trace: Trace, root: Node, above: Place, fallback: string | null): void {
  const places = new Map<Node | null, Place>([[root.parent, above]]);
  for (const node of below(root)) {
    const { conversation: inherited, run, doing } = places.get(node === root ? root.parent : node.parent) ?? above;
    // What was told of a run before its span came is where it is; the whole run stays together.
    const awaited = trace.mapped.awaited.get(node.span.span_id);
    const conversation = awaited?.conversation_id ?? identifierOf(node.meaning.conversation_id) ?? inherited;
    node.conversation_id = conversation ?? run?.conversation_id ?? fallback ?? trace.id;
    if (isDetail(node.doing, doing)) node.doing = { kind: "other" };
    node.run = isRun(trace, node, run, root) ? openRun(trace, node, run) : run;
    places.set(node, { conversation, run: node.run, doing: node.doing.kind === "other" ? doing : node.doing });
  }
}

/** Libraries that are instrumented one on top of the other tell the same thing twice. */
function isDetail(doing: Doing, above: Doing | null): boolean {
  if (doing.kind === "model") return above?.kind === "model";
  return doing.kind === "tool" && above?.kind === "tool" && above.tool === doing.tool;
}

function isRun(trace: Trace, node: Node, above: TraceRun | null, root: Node): boolean {
  if (trace.mapped.awaited.has(node.span.span_id)) return true;
  const { kind } = node.doing;
  switch (kind) {
    case "agent":
      return true;
    case "workflow":
      return above === null;
    case "model":
    case "tool":
      // Another conversation than its run's has nothing yet that it could be a part of.
      return above === null || above.conversation_id !== node.conversation_id;
    case "other":
      return above === null && node === root && usesOutside(node);
    default:
      return kind satisfies never;
  }
}

/** Whether a model or a tool is used below, and not within an agent or a workflow. */
function usesOutside(root: Node): boolean {
  return within(root, ["agent", "workflow"]).some(({ kind }) => kind === "model" || kind === "tool");
}

/** Whether something below is a part of a run that no agent is. */
function needsRun(root: Node): boolean {
  return within(root, ["agent"]).some(({ kind }) => kind !== "other" && kind !== "agent");
}

/** What is done below, these included and what is inside of them left out. */
function within(root: Node, kinds: readonly Doing["kind"][]): Doing[] {
  const found = below(root, ({ meaning }) => !kinds.includes(meaning.doing.kind));
  return [...found].map(({ meaning }) => meaning.doing);
}

function openRun(trace: Trace, node: Node, above: TraceRun | null): TraceRun {
  const { span } = node;
  const awaited = trace.mapped.awaited.get(span.span_id);
  const run: TraceRun = {
    id: awaited?.run_id ?? (above === null ? topRunId(trace, span.span_id) : runId(trace.id, span.span_id)),
    conversation_id: node.conversation_id,
    parent_run_id: above?.id ?? null,
    node,
    awaits: null,
    speaks: above === null || (above.speaks && above.node?.doing.kind !== "agent"),
  };
  trace.runs.push(run);
  return run;
}

function topRunId(trace: Trace, spanId: string): string {
  const first = firstRunId(trace.id);
  const isTaken = trace.mapped.runs.has(first) || trace.runs.some(({ id }) => id === first);
  return isTaken ? runId(trace.id, spanId) : first;
}

/** A run of spans that came before. Whether an agent had it begun is not known any more. */
function earlierRun(trace: Trace, id: string, conversation_id: string): TraceRun {
  const known = trace.runs.find((run) => run.id === id);
  if (known) return known;
  const run: TraceRun = { id, conversation_id, parent_run_id: null, node: null, awaits: null, speaks: false };
  trace.runs.push(run);
  return run;
}

/** The run of a span that has not come, where something below it is a part of a run that no agent is. */
function awaitedRun(trace: Trace, spanId: string, children: readonly Node[], fallback: string | null): TraceRun | null {
  const awaited = trace.mapped.awaited.get(spanId);
  if (awaited === undefined && !children.some(needsRun)) return null;
  const own = children.map(({ meaning }) => identifierOf(meaning.conversation_id)).find((id) => id !== null);
  const run: TraceRun = {
    id: awaited?.run_id ?? topRunId(trace, spanId),
    conversation_id: awaited?.conversation_id ?? own ?? fallback ?? trace.id,
    parent_run_id: null,
    node: null,
    awaits: spanId,
    speaks: true,
  };
  trace.runs.push(run);
  return run;
}
/** Why something failed, as events have it. */
export function failureOf({ meaning }: Node): { code: string; message: string } | null {
  const { error } = meaning;
  return error && { code: cut(error.code, 200), message: error.message };
}
