import { callReader, type PlanCall, readCallsInParts } from "@/lib/plan/call.ts";
import { findWaves, uniqueCalls } from "@/lib/plan/graph.ts";
import { findLinksInParts, type Link } from "@/lib/plan/links.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { callKey } from "@/lib/session/keys.ts";
import { childRunOf } from "@/lib/session/runs/child-run.ts";
import { choosePlan } from "@/lib/session/runs/choose-plan.ts";
import type { Call, Plan, Session } from "@/lib/session/session.ts";
import { recordedCall } from "@/lib/session/values/recorded-call.ts";
import { declaredLinks } from "./declared.ts";
import { type InferredByCall, type InferredInput, inferredInputsOf, markWidth } from "./edge/inferred-inputs.ts";
import { collapseChains } from "./layout/chains.ts";
import { type Box, boxOf, FRAME } from "./layout/geometry.ts";
import { paramLines } from "./node/param-lines.ts";

/** One level of the graph: a plan, or a delegate's plan inside its frame. */
export interface PlanLevel {
  /** Recorded calls without a proposed plan: drawn in order, or by their edges if they have any. */
  recorded: boolean;
  nodes: GraphNode[];
  /** By call id. */
  links: Link[];
  /** All nodes, including those in frames. */
  size: number;
  /** Including the calls of collapsed chains; null when nothing is collapsed. */
  whole: { nodes: readonly GraphNode[]; links: readonly Link[] } | null;
}

/** A call as a node. Its status is not here, but in the session under its keys. */
export interface GraphNode {
  /** Unique in the graph, and the same for all instances. */
  id: string;
  call: PlanCall;
  runId: string | null;
  iteration: number;
  /** The call's key in the session: for the current instance, or without an instance. */
  keys: readonly [string, string];
  box: Box;
  /** Its wave, from 0. */
  wave: number;
  /** The delegate's plan; null for none. */
  frame: PlanLevel | null;
  /** The frame is expanded. */
  open: boolean;
  /** The calls of a collapsed chain; null for a call. */
  chain: readonly GraphNode[] | null;
  /** The chain's id in the first call of an expanded chain. */
  heads: string | null;
  /** Inferred inputs (E15); none in a plan. */
  brought: readonly InferredInput[];
}

/** Delegates are drawn to this depth (P27). */
const MAX_DEPTH = 8;

/** The number of parameters shown of a recorded call. */
const RECORDED_PARAMETERS = 4;

/** Nodes that the reader has expanded or collapsed against the default. */
export type Toggled = ReadonlySet<string>;

/** What has been read before: most of an edited plan stays as it is, and so do its nodes. */
export interface KnownParts {
  read: ReturnType<typeof callReader>;
  nodes: WeakMap<PlanCall, GraphNode>;
  /** Of the newest plan. */
  links: KnownLinks | null;
}

interface KnownLinks {
  calls: readonly PlanCall[];
  /** In the order of the calls. */
  to: readonly (readonly Link[])[];
  waveOf: ReadonlyMap<string, number>;
}

export function noParts(): KnownParts {
  return { read: callReader(), nodes: new WeakMap(), links: null };
}

interface Scope {
  session: Session;
  instance: string;
  toggled: Toggled;
  /** Long chains are collapsed by default. */
  collapse?: boolean;
  /** The inferred edges to show. */
  inferred?: InferredByCall;
  known?: KnownParts;
}

/** Reads a plan of a session into a level; it depends only on the plan and its delegates' plans. */
export function readLevel(plan: Plan, scope: Scope, depth = 0): PlanLevel {
  if (plan.recorded) return recordedLevel(plan, scope, depth);
  const steps = readProposed(plan, scope, depth);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Reads a proposed plan in steps, so that a plan of thousands of calls can be read in slices. */
export function* readProposed(plan: Plan, scope: Scope, depth = 0): Generator<void, PlanLevel> {
  const shown = plan.calls.filter((call) => isShown(call, scope.instance));
  const read: PlanCall[] = [];
  for (const call of readCallsInParts(shown, plan.outputs, scope.known?.read)) {
    read.push(call);
    yield;
  }
  const calls = uniqueCalls(read);
  const { to, waveOf } = yield* readLinks(calls, scope.known?.links ?? null);
  if (scope.known) scope.known.links = { calls, to, waveOf };
  const links = to.flat();
  yield;
  const nodes: GraphNode[] = [];
  for (const call of calls) {
    nodes.push(makeNode(call, plan.run_id, plan.iteration, waveOf.get(call.id) ?? 0, scope, depth));
    yield;
  }
  const level = { recorded: false, nodes, links, size: sizeOf(nodes), whole: null };
  return scope.collapse ? collapseChains(level, scope.toggled) : level;
}

/** The links to each call, and its wave. While nothing else is written, only calls that have changed are read. */
function* readLinks(calls: readonly PlanCall[], known: KnownLinks | null): Generator<void, Omit<KnownLinks, "calls">> {
  const isSame = known !== null && isSameWriting(known.calls, calls);
  const to: (readonly Link[])[] = [];
  let isMoved = !isSame;
  const changed = isSame ? calls.filter((call, index) => call !== known.calls[index]) : calls;
  for (const found of findLinksInParts(calls, changed)) {
    to.push(found);
    yield;
  }
  if (isSame) {
    const own = to.splice(0);
    for (const [index, call] of calls.entries()) {
      const before = known.to[index] ?? [];
      const found = call === known.calls[index] ? before : (own.shift() ?? []);
      isMoved ||= found !== before && !isSameReading(before, found);
      to.push(found);
    }
    if (!isMoved) return { to, waveOf: known.waveOf };
  }
  const ids = calls.map(({ id }) => id);
  const waves = findWaves(ids, to.flat());
  return { to, waveOf: new Map(waves.flatMap((wave, index) => wave.map((id) => [id, index] as const))) };
}

/** Whether the same calls write the same paths. */
function isSameWriting(before: readonly PlanCall[], calls: readonly PlanCall[]): boolean {
  const printed = ({ id, output }: PlanCall) => JSON.stringify([id, output]);
  return (
    before.length === calls.length &&
    calls.every((call, index) => {
      const other = before[index];
      return call === other || (other !== undefined && printed(call) === printed(other));
    })
  );
}

function isSameReading(before: readonly Link[], links: readonly Link[]): boolean {
  return before.length === links.length && links.every(({ from }, index) => from === before[index]?.from);
}

/** Recorded calls of several iterations may share an id, so they are taken from the session, not from the plan. */
function recordedLevel(plan: Plan, scope: Scope, depth: number): PlanLevel {
  const shown = new Set(plan.calls.map((call) => `${call._instance ?? ""} ${call._id}`));
  const earlier = new Map<string, string>();
  const nodes = [...scope.session.calls.values()]
    .filter((call) => (call.run_id ?? "") === plan.run_id && shown.has(`${call.instance} ${call.id}`))
    .filter((call) => call.instance === "" || scope.instance === "" || call.instance === scope.instance)
    .map((call) => {
      const node = recordedNode(call, plan, scope, depth, earlier);
      earlier.set(keyOfCall(call), node.id);
      return node;
    });
  const links = declaredLinks(nodes.map(({ call }) => call));
  return { recorded: true, nodes: inWaves(nodes, links), links, size: sizeOf(nodes), whole: null };
}

/** A call's wave is one after that of its last source. Edges lead from earlier to later calls. */
function inWaves(nodes: readonly GraphNode[], links: readonly Link[]): GraphNode[] {
  const idOf = new Map(nodes.map(({ call, id }) => [call.id, id]));
  const declared = Map.groupBy(links, ({ to }) => to);
  const waves = new Map<string, number>();
  return nodes.map((node) => {
    const before = [
      ...(declared.get(node.call.id) ?? []).map(({ from }) => idOf.get(from)),
      ...node.brought.map(({ from }) => from),
    ];
    const wave = Math.max(-1, ...before.map((id) => waves.get(id ?? "") ?? -1)) + 1;
    waves.set(node.id, wave);
    return { ...node, wave };
  });
}

/** All nodes of a level and of its expanded frames. */
export function shownNodes({ nodes }: PlanLevel): GraphNode[] {
  return nodes.flatMap((node) => (node.open && node.frame ? [node, ...shownNodes(node.frame)] : [node]));
}

/** The same with the calls of collapsed chains. */
export function shownCalls(level: PlanLevel): GraphNode[] {
  return shownNodes(level).flatMap((node) => node.chain ?? [node]);
}

function makeNode(
  call: PlanCall,
  runId: string,
  iteration: number,
  wave: number,
  scope: Scope,
  depth: number,
): GraphNode {
  const keys = [callKey(runId, iteration, scope.instance, call.id), callKey(runId, iteration, "", call.id)] as const;
  const frame = depth < MAX_DEPTH ? delegatedLevel(keys, scope, depth) : null;
  const before = scope.known?.nodes.get(call);
  if (before && frame === null && before.frame === null && before.wave === wave && before.keys[0] === keys[0])
    return before;
  // React Flow finds a node's handles with a selector that contains the unescaped id.
  const id = encodeURIComponent(JSON.stringify([runId, iteration, call.id]));
  const small = frame !== null && frame.size <= FRAME.maxOpen;
  const node: GraphNode = {
    id,
    call,
    runId,
    iteration,
    keys,
    box: boxOf(call),
    wave,
    frame,
    open: frame !== null && small !== scope.toggled.has(id),
    chain: null,
    heads: null,
    brought: [],
  };
  scope.known?.nodes.set(call, node);
  return node;
}

/** A recorded call's parameters are values, so its card shows more of them, and its result. */
function recordedNode(
  call: Call,
  plan: Plan,
  scope: Scope,
  depth: number,
  earlier: ReadonlyMap<string, string>,
): GraphNode {
  const read = recordedCall(call);
  const edges = scope.inferred?.get(keyOfCall(call)) ?? [];
  const brought = inferredInputsOf(edges, earlier, scope.session);
  const lines = paramLines(read, null, RECORDED_PARAMETERS).length + 1;
  return {
    ...makeNode(read, plan.run_id, call.iteration, 0, scope, depth),
    box: boxOf(read, lines, brought.map(markWidth)),
    brought,
  };
}

function keyOfCall({ run_id, iteration, instance, id }: Call): string {
  return callKey(run_id, iteration, instance, id);
}

function delegatedLevel(keys: GraphNode["keys"], scope: Scope, depth: number): PlanLevel | null {
  const { calls } = scope.session;
  const call = calls.get(keys[0]) ?? calls.get(keys[1]);
  const run = call ? childRunOf(scope.session, call) : null;
  const plan = run && choosePlan(scope.session, run.id, null);
  return plan ? readLevel(plan, scope, depth + 1) : null;
}

function isShown(call: JsonObject, instance: string): boolean {
  const own = call._instance;
  return typeof own !== "string" || own === "" || instance === "" || own === instance;
}

function sizeOf(nodes: readonly GraphNode[]): number {
  return nodes.reduce((sum, { frame, open }) => sum + 1 + (open ? (frame?.size ?? 0) : 0), 0);
}
