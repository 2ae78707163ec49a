import { buildGraph } from "../../plan/graph.ts";
import { overlaps } from "../../plan/overlap.ts";
import { parseReference, type Reference } from "../../plan/reference.ts";
import { type EventOf, isKnown, type SessionEvent } from "../event.ts";
import type { Payload } from "../events/catalogue.ts";
import type { EventType } from "../events/kinds.ts";
import { callKey } from "../keys.ts";
import type { CallStatus, DecidedStatus, RunStatus } from "../session.ts";
import { type BriefValue, briefValue, cut } from "./brief-value.ts";

/** A run on the map. */
export interface MapRun {
  /** "" for events without a run. */
  id: string;
  /** For a delegate's run: the parent's run and, if known, the call that it executes. */
  parent: { run_id: string; call_id: string | null; instance: string } | null;
  delegate: string | null;
  agent_id: string | null;
  status: RunStatus;
  iteration: number;
  started_seq: number;
  ended_seq: number | null;
  error: string | null;
  /** The first words of the message that began it, or of its input; null for none. */
  words: { seq: number; text: string } | null;
  /** Where a manager was called or took over. */
  alerts: { seq: number; text: string }[];
  /** The model's newest answer, by event id: the calls that it caused belong together. */
  answer: string | null;
}

/** A call on the map, in the order of first events. */
export interface MapCall {
  id: string;
  run_id: string;
  iteration: number;
  instance: string;
  tool: string;
  status: CallStatus;
  handled: boolean;
  planned: boolean;
  decision: DecidedStatus | null;
  /** Calls of a run with the same number ran side by side. */
  wave: number;
  /** The event that caused it, by id. */
  cause: string | null;
  /** The first event. */
  seq: number;
  started_seq: number | null;
  parked_seq: number | null;
  ended_seq: number | null;
  input: BriefValue | null;
  output: BriefValue | null;
  /** The error's message, or the reason why it did not run. */
  error: string | null;
  /** Where its agent says that its result is written. */
  output_path: string | null;
}

/** A declared edge: a call of an iteration reads a path that another one writes. */
export interface MapEdge {
  run_id: string;
  iteration: number;
  from: string;
  to: string;
  path: string;
}

/** A whole session as runs and calls, whatever step is shown. */
export interface SessionMap {
  /** The newest event that it includes. */
  last: number;
  /** Earlier top-level runs that were left out of a very long session. */
  runs_before: number;
  runs: readonly MapRun[];
  calls: readonly MapCall[];
  edges: readonly MapEdge[];
  /** A person's message that no run has answered yet. */
  said: { seq: number; text: string } | null;
}

/** The event types of which a map is made. */
export const MAP_TYPES = [
  ...(["run.started", "run.iteration", "run.waiting", "run.resumed"] as const),
  ...(["run.finished", "run.failed", "run.cancelled"] as const),
  ...(["message.created", "model.responded", "plan.proposed"] as const),
  ...(["call.started", "call.retried", "call.parked", "call.succeeded", "call.failed"] as const),
  ...(["call.skipped", "call.blocked", "call.denied", "call.superseded", "call.cancelled"] as const),
  ...(["confirmation.approved", "confirmation.denied", "manager.alerted", "conversation.taken_over"] as const),
] satisfies EventType[];

const MOST_EDGES = 20_000;
const WORDS = 160;
const ERROR = 240;

export const EMPTY_MAP: SessionMap = { last: 0, runs_before: 0, runs: [], calls: [], edges: [], said: null };

type CallEvent = EventOf<
  | "call.started"
  | "call.retried"
  | "call.parked"
  | "call.succeeded"
  | "call.failed"
  | "call.skipped"
  | "call.blocked"
  | "call.denied"
  | "call.superseded"
  | "call.cancelled"
>;

/** Builds a session's map from its events in order, or continues one. What has not changed keeps its identity. */
export class MapBuilder {
  readonly #runs: MapRun[];
  readonly #calls: MapCall[];
  readonly #edges: MapEdge[];
  readonly #runsBefore: number;
  #said: SessionMap["said"];
  #last: number;
  /** Positions in the arrays. */
  readonly #runAt = new Map<string, number>();
  readonly #callAt = new Map<string, number>();
  /** The positions of the calls of each run's newest wave. */
  readonly #waves = new Map<string, number[]>();
  /** What each call of a plan waits for, by `callKey` without an instance. */
  readonly #sources = new Map<string, Set<string>>();
  /** What agents without plans say they wrote, by run. */
  readonly #writers = new Map<string, { id: string; path: Reference }[]>();
  /** The newest top-level run, where alerts without a run belong. */
  #newest: string | null = null;

  constructor(from: SessionMap = EMPTY_MAP) {
    this.#runs = [...from.runs];
    this.#calls = [...from.calls];
    this.#edges = [...from.edges];
    this.#runsBefore = from.runs_before;
    this.#said = from.said;
    this.#last = from.last;
    for (const [at, run] of this.#runs.entries()) {
      this.#runAt.set(run.id, at);
      if (run.parent === null) this.#newest = run.id;
    }
    for (const [at, call] of this.#calls.entries()) {
      this.#place(call, at);
      this.#write(call);
    }
    for (const edge of this.#edges) this.#wait(edge);
  }

  /** Adds the next event of the conversation; types that are not on the map change nothing. */
  add(event: SessionEvent): void {
    if (event.seq > this.#last) this.#last = event.seq;
    if (!isKnown(event)) return;
    const runId = event.run_id ?? "";
    switch (event.type) {
      case "run.started":
        return this.#start(event);
      case "run.iteration":
        return this.#change(event, { iteration: event.payload.iteration ?? this.#iterationOf(runId) + 1 });
      case "run.waiting":
        return this.#change(event, { status: "waiting" });
      case "run.resumed":
        return this.#change(event, { status: event.payload.queued ? "queued" : "running" });
      case "run.finished":
        return this.#end(event, "finished");
      case "run.failed":
        return this.#end(event, "failed");
      case "run.cancelled":
        return this.#end(event, "cancelled");
      case "message.created":
        return this.#say(event);
      case "model.responded":
        return this.#change(event, { answer: event.id });
      case "plan.proposed":
        this.#change(event, { iteration: event.payload.iteration });
        return this.#plan(runId, event.payload);
      case "call.started":
      case "call.retried":
      case "call.parked":
      case "call.succeeded":
      case "call.failed":
      case "call.skipped":
      case "call.blocked":
      case "call.denied":
      case "call.superseded":
      case "call.cancelled":
        return this.#call(event);
      case "confirmation.approved":
        return this.#decide(runId, event.payload, "approved");
      case "confirmation.denied":
        return this.#decide(runId, event.payload, "denied");
      case "manager.alerted":
        return this.#alert(event, event.payload.text);
      case "conversation.taken_over":
        return this.#alert(event, event.payload.reason ?? "");
      default:
        return;
    }
  }

  /** The map so far. */
  map(): SessionMap {
    return {
      last: this.#last,
      runs_before: this.#runsBefore,
      runs: [...this.#runs],
      calls: [...this.#calls],
      edges: [...this.#edges],
      said: this.#said,
    };
  }

  #start(event: EventOf<"run.started">): void {
    const { payload, seq, agent_id } = event;
    const id = event.run_id ?? "";
    const known = this.#runs[this.#runAt.get(id) ?? -1];
    const parent =
      event.parent_run_id === null || event.parent_run_id === id
        ? null
        : { run_id: event.parent_run_id, call_id: payload.call_id ?? null, instance: payload.instance ?? "" };
    const input = parent === null ? briefValue(payload.input) : null;
    const words =
      (parent === null ? this.#said : null) ??
      known?.words ??
      (input ? { seq, text: cut(input.parts.map(({ value }) => value).join(" · "), WORDS) } : null);
    if (parent === null) {
      this.#said = null;
      this.#newest = id;
    }
    this.#put({
      ...(known ?? newRun(id, seq)),
      parent: parent ?? known?.parent ?? null,
      delegate: payload.delegate ?? known?.delegate ?? null,
      agent_id: agent_id ?? known?.agent_id ?? null,
      status: payload.queued ? "queued" : "running",
      iteration: payload.iteration ?? known?.iteration ?? 1,
      ended_seq: null,
      error: null,
      words,
    });
  }

  #end(event: EventOf<"run.finished" | "run.failed" | "run.cancelled">, status: RunStatus): void {
    const { error } = event.payload;
    const message = typeof error === "string" ? error : (error?.message ?? null);
    this.#change(event, { status, ended_seq: event.seq, error: message === null ? null : cut(message, ERROR) });
  }

  #change(event: SessionEvent | EventOf<EventType>, change: Partial<MapRun>): void {
    this.#put({ ...this.#runOf(event.run_id ?? "", event.seq), ...change });
  }

  #runOf(id: string, seq: number): MapRun {
    const known = this.#runs[this.#runAt.get(id) ?? -1];
    if (known) return known;
    const run = { ...newRun(id, seq), words: this.#said };
    this.#said = null;
    this.#newest = id;
    this.#put(run);
    return run;
  }

  #put(run: MapRun): void {
    const at = this.#runAt.get(run.id) ?? this.#runs.length;
    this.#runAt.set(run.id, at);
    this.#runs[at] = run;
  }

  #say({ payload, run_id, seq, id }: EventOf<"message.created">): void {
    const known = this.#runs[this.#runAt.get(run_id ?? "") ?? -1];
    if (payload.role === "assistant" && known) return this.#put({ ...known, answer: id });
    if (payload.role !== "user" && payload.role !== "operator") return;
    const words = { seq, text: cut(payload.content, WORDS) };
    // It may be recorded within the run that it began.
    if (known && known.words === null && known.ended_seq === null) this.#put({ ...known, words });
    else this.#said = words;
  }

  #plan(run_id: string, { iteration, calls }: Payload<"plan.proposed">): void {
    for (const { from, to, paths } of buildGraph(calls).edges) {
      this.#connect({ run_id, iteration, from, to, path: paths[0] ?? "" });
    }
  }

  #connect(edge: MapEdge): void {
    if (this.#edges.length >= MOST_EDGES) return;
    this.#edges.push(edge);
    this.#wait(edge);
  }

  #wait({ run_id, iteration, from, to }: MapEdge): void {
    const key = callKey(run_id, iteration, "", to);
    const known = this.#sources.get(key);
    if (known) known.add(from);
    else this.#sources.set(key, new Set([from]));
  }

  #call(event: CallEvent): void {
    const { payload, seq } = event;
    const run = this.#runOf(event.run_id ?? "", seq);
    const { call_id, instance = "", iteration = this.#iterationOf(run.id) } = payload;
    const key = callKey(run.id, iteration, instance, call_id);
    const at = this.#callAt.get(key);
    const known = this.#calls[at ?? -1] ?? this.#newCall(event, run, { id: call_id, instance, iteration });
    const next = { ...known, ...changeOf(known, event) };
    if (payload.params !== undefined) next.input = briefValue(payload.params);
    if (payload.output !== undefined) next.output = briefValue(payload.output);
    if (payload.output_path !== undefined) next.output_path = payload.output_path;
    if (at === undefined) this.#place(next, this.#calls.length);
    this.#calls[at ?? this.#calls.length] = next;
    if (event.type !== "call.started") return;
    this.#declare(next, payload.reads ?? []);
    this.#write(next);
  }

  #newCall(event: CallEvent, run: MapRun, place: Pick<MapCall, "id" | "instance" | "iteration">): MapCall {
    const beside = (this.#waves.get(run.id) ?? []).flatMap((at) => this.#calls[at] ?? []);
    const first = beside[0];
    const sources = this.#sources.get(callKey(run.id, place.iteration, "", place.id));
    const { seq, caused_by: cause } = event;
    const isBeside =
      first?.iteration === place.iteration &&
      ((cause !== null && cause === first.cause && cause === run.answer) ||
        beside.some(({ ended_seq, parked_seq }) => ended_seq === null && parked_seq === null)) &&
      !beside.some(({ id }) => sources?.has(id));
    return {
      ...place,
      run_id: run.id,
      tool: event.payload.tool,
      status: "planned",
      handled: false,
      planned: false,
      decision: null,
      wave: first ? first.wave + (isBeside ? 0 : 1) : 1,
      cause,
      seq,
      started_seq: null,
      parked_seq: null,
      ended_seq: null,
      input: null,
      output: null,
      error: null,
      output_path: null,
    };
  }

  /** Remembers where a call stands, and with which it ran. */
  #place(call: MapCall, at: number): void {
    this.#callAt.set(callKey(call.run_id, call.iteration, call.instance, call.id), at);
    const wave = this.#waves.get(call.run_id);
    const first = this.#calls[wave?.[0] ?? -1];
    if (wave && first?.wave === call.wave) wave.push(at);
    else this.#waves.set(call.run_id, [at]);
  }

  /** Edges that an agent without plans declares (E15): from the newest call that wrote the path. */
  #declare({ run_id, iteration, id }: MapCall, reads: readonly string[]): void {
    for (const path of reads) {
      const read = parseReference(asState(path));
      if (!read.ok) continue;
      const writer = this.#writers.get(run_id)?.findLast((one) => one.id !== id && overlaps(one.path, read.value));
      if (writer) this.#connect({ run_id, iteration, from: writer.id, to: id, path: asState(path) });
    }
  }

  #write({ run_id, id, output_path }: MapCall): void {
    const written = output_path === null ? null : parseReference(asState(output_path));
    if (!written?.ok) return;
    const known = this.#writers.get(run_id);
    if (known) known.push({ id, path: written.value });
    else this.#writers.set(run_id, [{ id, path: written.value }]);
  }

  #decide(run: string, payload: Payload<"confirmation.approved">, decision: DecidedStatus): void {
    const { call_id, instance = "", iteration = this.#iterationOf(run) } = payload;
    const at = call_id === undefined ? undefined : this.#callAt.get(callKey(run, iteration, instance, call_id));
    const call = this.#calls[at ?? -1];
    if (at !== undefined && call?.status === "parked") this.#calls[at] = { ...call, decision };
  }

  #alert(event: SessionEvent | EventOf<EventType>, text: string): void {
    const id = event.run_id ?? this.#newest ?? "";
    const run = this.#runOf(id, event.seq);
    this.#put({ ...run, alerts: [...run.alerts, { seq: event.seq, text: cut(text, WORDS) }] });
  }

  #iterationOf(run: string): number {
    return this.#runs[this.#runAt.get(run) ?? -1]?.iteration ?? 1;
  }
}

function newRun(id: string, seq: number): MapRun {
  return {
    id,
    parent: null,
    delegate: null,
    agent_id: null,
    status: "running",
    iteration: 1,
    started_seq: seq,
    ended_seq: null,
    error: null,
    words: null,
    alerts: [],
    answer: null,
  };
}

const OPEN = { ended_seq: null, error: null, handled: false, planned: false, decision: null } as const;

function changeOf(call: MapCall, event: CallEvent): Partial<MapCall> {
  const { type, payload, seq } = event;
  switch (type) {
    case "call.started":
      return {
        ...OPEN,
        status: "running",
        tool: payload.tool,
        started_seq: call.started_seq === null || call.ended_seq !== null ? seq : call.started_seq,
      };
    case "call.retried":
      return {};
    case "call.parked":
      return { ...OPEN, status: "parked", parked_seq: seq };
    case "call.succeeded":
      return { ...endOf(event), status: "succeeded" };
    case "call.failed":
      return { ...endOf(event), status: "failed" };
    case "call.skipped":
      return { ...endOf(event), status: "skipped" };
    case "call.blocked":
      return { ...endOf(event), status: "blocked" };
    case "call.denied":
      return { ...endOf(event), status: "denied" };
    case "call.superseded":
      return { ...endOf(event), status: "superseded" };
    case "call.cancelled":
      return { ...endOf(event), status: "cancelled" };
    default:
      return type satisfies never;
  }
}

function endOf({ payload, seq }: CallEvent): Partial<MapCall> {
  const why = payload.error?.message || payload.error?.code || payload.reason || null;
  return {
    tool: payload.tool,
    ended_seq: seq,
    handled: payload.handled ?? false,
    planned: payload.planned ?? false,
    decision: null,
    error: why === null ? null : cut(why, ERROR),
  };
}

/** Agents may omit the † of a state path. */
function asState(path: string): string {
  return path.startsWith("†") ? path : `†state.${path}`;
}
