import { isJsonObject, type Json } from "../session/json/json.ts";
import { callKey } from "../session/keys.ts";
import { addPart, noPart, type Part, type Series, seriesKey } from "./counts.ts";
import { hourOf } from "./place.ts";
import { note } from "./sketch.ts";

/** What is read of an event. `at` in epoch ms; the payload only of `PAYLOAD_TYPES`, otherwise null. */
export interface RolledEvent {
  seq: number;
  type: string;
  agent_id: string | null;
  run_id: string | null;
  parent_run_id: string | null;
  call_id: string | null;
  iteration: number | null;
  instance: string | null;
  tool: string | null;
  error: boolean;
  at: number;
  payload: Json;
}

/** The types whose payload is read. Those of calls, which are large, are not: what counts of them is in the index of events. */
export const PAYLOAD_TYPES = [
  "conversation.created",
  "stage.changed",
  "run.started",
  "run.iteration",
  "model.responded",
  "model.failed",
  "confirmation.requested",
  "confirmation.approved",
  "confirmation.denied",
] as const;

interface OpenRun {
  at: number;
  agent: string;
  version: string;
  model: string;
  isTurn: boolean;
  /** When the newest request to a model was made; null: there is none. */
  asked: number | null;
  /** How many approvals it waits for, since when, and how long it has waited in all, ms. */
  waits: number;
  since: number;
  waited: number;
  isEscalated: boolean;
  /** It calls no tools, and is not counted. */
  isSimulated: boolean;
}

interface OpenCall {
  at: number;
  tool: string;
  run: string | null;
}

interface OpenWait {
  at: number;
  tool: string;
  run: string | null;
}

/** What is known of a conversation between two of its events: what is open, and by what it is counted. */
export interface RollupState {
  /** A fork, which is not counted: its history is that of its source, and its calls may be simulated. */
  isFork: boolean;
  agent: string;
  channel: string;
  stage: string;
  version: string;
  model: string;
  /** Where the beginning is counted; `isFixed` after the first turn, whose version and model it takes. */
  began: { hour: number; series: Series; isFixed: boolean } | null;
  runs: Map<string, OpenRun>;
  calls: Map<string, OpenCall>;
  waits: Map<string, OpenWait>;
}

/**
 * Tokens of a request that are counted at most: of what a program reports by mistake, sums would be more than a database can store, and
 * nothing would be counted any more. No model takes a hundredth of it.
 */
export const MOST_TOKENS = 1_000_000_000;

/** Of runs, calls and approvals that are open at once in a conversation, so many are known; what ends later has no duration. */
const MOST_OPEN = 500;

export function emptyRollup(): RollupState {
  return {
    ...{ isFork: false, agent: "", channel: "", stage: "", version: "", model: "", began: null },
    ...{ runs: new Map(), calls: new Map(), waits: new Map() },
  };
}

/** A state as text, for storage. */
export function writeRollup(state: RollupState): string {
  return JSON.stringify({ ...state, runs: [...state.runs], calls: [...state.calls], waits: [...state.waits] });
}

/** What `writeRollup` wrote. */
export function readRollup(text: string): RollupState {
  const state = JSON.parse(text);
  const { began } = state;
  // A state of before scores were counted has a series without one.
  if (began) began.series = { score: "", ...began.series };
  return { ...state, runs: new Map(state.runs), calls: new Map(state.calls), waits: new Map(state.waits) };
}

/** A part of a conversation with where it is counted. */
export interface PlacedPart {
  hour: number;
  series: Series;
  part: Part;
}

/** Collects what a conversation adds, by hour and series. */
export class Parts {
  readonly #parts = new Map<string, PlacedPart>();
  readonly #onNew: (series: string) => void;

  /** `onNew` is called with the key of its series for each new part. */
  constructor(onNew: (series: string) => void = () => undefined) {
    this.#onNew = onNew;
  }

  /** The part of an hour and series, to add to. */
  at(hour: number, series: Series): Part {
    const name = seriesKey(series);
    const key = `${hour} ${name}`;
    const known = this.#parts.get(key);
    if (known) return known.part;
    const part = noPart();
    this.#parts.set(key, { hour, series, part });
    this.#onNew(name);
    return part;
  }

  add({ hour, series, part }: PlacedPart): void {
    addPart(this.at(hour, series), part);
  }

  all(): PlacedPart[] {
    return [...this.#parts.values()];
  }
}

/** Folds the next event of a conversation: changes its state, and adds to its parts. */
export function foldRollup(state: RollupState, event: RolledEvent, parts: Parts): void {
  const hour = hourOf(event.at);
  if (hour === null || state.isFork) return;
  state.agent ||= event.agent_id ?? "";
  if (event.type === "conversation.created") create(state, event, parts);
  if (state.isFork) return;
  if (!state.began) begin(state, hour, parts);
  count(state, event, hour, parts);
  if (state.began && !state.began.isFixed) moveBeginning(state, seriesOf(state, null, "turn"), parts, false);
}

function count(state: RollupState, event: RolledEvent, hour: number, parts: Parts): void {
  const { type, run_id } = event;
  switch (type) {
    case "stage.changed":
      state.stage = textOf(event.payload, "to");
      return;
    case "run.started":
      return startRun(state, event);
    case "run.iteration":
      return changeSpeaker(state, event);
    case "run.finished":
    case "run.cancelled":
    case "run.failed":
      return endRun(state, event, parts);
    case "model.requested": {
      const run = state.runs.get(run_id ?? "");
      if (run) run.asked = event.at;
      return;
    }
    case "model.responded":
    case "model.failed":
      return respond(state, event, hour, parts);
    case "call.started":
      return startCall(state, event);
    case "call.succeeded":
    case "call.failed":
      return endCall(state, event, parts);
    case "call.parked":
    case "call.skipped":
    case "call.blocked":
    case "call.denied":
    case "call.superseded":
    case "call.cancelled":
      state.calls.delete(keyOf(event));
      return;
    case "confirmation.requested":
      return ask(state, event);
    case "confirmation.approved":
    case "confirmation.denied":
      return decide(state, event, hour, parts);
    case "manager.alerted":
      return escalate(state, event, hour, parts);
    default:
      return;
  }
}

function create(state: RollupState, { payload }: RolledEvent, parts: Parts): void {
  if (isJsonObject(payload) && payload.forked_from !== undefined) {
    if (state.began) parts.at(state.began.hour, state.began.series).began -= 1;
    state.isFork = true;
    return;
  }
  state.channel = textOf(payload, "channel") || state.channel;
  state.agent = textOf(payload, "agent_id") || state.agent;
}

function begin(state: RollupState, hour: number, parts: Parts): void {
  const series = seriesOf(state, null, "turn");
  state.began = { hour, series, isFixed: false };
  parts.at(hour, series).began += 1;
}

/** The beginning is counted where the first turn is, once that is known. */
function moveBeginning(state: RollupState, series: Series, parts: Parts, isFixed: boolean): void {
  if (!state.began || state.began.isFixed) return;
  const { hour, series: before } = state.began;
  state.began = { hour, series, isFixed };
  if (seriesKey(before) === seriesKey(series)) return;
  parts.at(hour, before).began -= 1;
  parts.at(hour, series).began += 1;
}

function startRun(state: RollupState, event: RolledEvent): void {
  const { run_id, parent_run_id, payload, at } = event;
  if (run_id === null || state.runs.has(run_id)) return;
  const parent = state.runs.get(parent_run_id ?? "");
  const version = textOf(payload, "agent_version") || (parent?.version ?? "");
  open(state.runs, run_id, {
    ...{ at, version, agent: event.agent_id ?? parent?.agent ?? state.agent },
    ...{ model: "", isTurn: parent_run_id === null, asked: null },
    ...{ waits: 0, since: 0, waited: 0, isEscalated: false },
    isSimulated: parent?.isSimulated === true || (isJsonObject(payload) && payload.simulated === true),
  });
}

/** Another agent speaks from here on. */
function changeSpeaker(state: RollupState, { run_id, payload }: RolledEvent): void {
  const run = state.runs.get(run_id ?? "");
  const speaker = isJsonObject(payload) ? payload.speaker : undefined;
  const agent = textOf(speaker ?? null, "agent_id");
  if (!run || agent === "") return;
  run.agent = agent;
  run.version = textOf(speaker ?? null, "agent_version") || run.version;
}

function endRun(state: RollupState, event: RolledEvent, parts: Parts): void {
  const id = event.run_id ?? "";
  const run = state.runs.get(id);
  state.runs.delete(id);
  for (const [key, call] of state.calls) if (call.run === event.run_id) state.calls.delete(key);
  for (const [key, wait] of state.waits) if (wait.run === event.run_id) state.waits.delete(key);
  if (!run?.isTurn || run.isSimulated) return;
  const hour = hourOf(run.at);
  if (hour === null) return;
  const series = seriesOf(state, run, "turn");
  state.version = run.version;
  state.model = run.model;
  moveBeginning(state, series, parts, true);
  const part = parts.at(hour, series);
  part.count += 1;
  if (event.type === "run.failed") part.failed += 1;
  const waited = run.waited + (run.waits > 0 ? event.at - run.since : 0);
  took(part, Math.max(0, event.at - run.at - waited), event.seq);
}

/** Notes a duration, in ms, and the step of the longest. */
function took(part: Part, ms: number, seq: number): void {
  note(part.durations, ms);
  if (ms < part.longest) return;
  part.longest = ms;
  part.longest_seq = seq;
}

function respond(state: RollupState, event: RolledEvent, hour: number, parts: Parts): void {
  const { payload, type } = event;
  if (!isJsonObject(payload)) return;
  const run = state.runs.get(event.run_id ?? "");
  const model = textOf(payload, "model");
  if (run) run.model = model;
  const part = parts.at(hour, { ...seriesOf(state, run ?? null, "model"), model });
  part.count += 1;
  if (type === "model.failed") part.failed += 1;
  const isReported = payload.input_tokens !== undefined || payload.output_tokens !== undefined;
  if (!isReported && type === "model.responded") part.unreported += 1;
  part.input_tokens += Math.min(numberOf(payload, "input_tokens"), MOST_TOKENS);
  part.output_tokens += Math.min(numberOf(payload, "output_tokens"), MOST_TOKENS);
  if (run?.asked != null) note(part.durations, Math.max(0, event.at - run.asked));
  if (run) run.asked = null;
}

function startCall(state: RollupState, event: RolledEvent): void {
  const key = keyOf(event);
  // A retry belongs to the same execution.
  if (state.calls.get(key) || event.tool === null) return;
  open(state.calls, key, { at: event.at, tool: event.tool, run: event.run_id });
}

function endCall(state: RollupState, event: RolledEvent, parts: Parts): void {
  const key = keyOf(event);
  const call = state.calls.get(key);
  state.calls.delete(key);
  const run = state.runs.get(event.run_id ?? "") ?? null;
  const tool = event.tool ?? call?.tool;
  const hour = hourOf(call?.at ?? event.at);
  if (tool === undefined || hour === null || run?.isSimulated) return;
  const part = parts.at(hour, { ...seriesOf(state, run, "call"), tool });
  part.count += 1;
  if (event.type === "call.failed" && event.error) part.failed += 1;
  if (call) took(part, Math.max(0, event.at - call.at), event.seq);
}

function ask(state: RollupState, event: RolledEvent): void {
  const id = textOf(event.payload, "confirmation_id");
  const run = state.runs.get(event.run_id ?? "");
  // A newer request of the same replaces it; people wait since the first.
  if (id === "" || state.waits.get(id)) return;
  const action = isJsonObject(event.payload) ? event.payload.action : undefined;
  open(state.waits, id, { at: event.at, tool: textOf(action ?? null, "method"), run: event.run_id });
  if (!run) return;
  if (run.waits === 0) run.since = event.at;
  run.waits += 1;
}

function decide(state: RollupState, event: RolledEvent, hour: number, parts: Parts): void {
  const id = textOf(event.payload, "confirmation_id");
  const wait = state.waits.get(id);
  if (!wait) return;
  state.waits.delete(id);
  const run = state.runs.get(wait.run ?? "");
  if (run && run.waits > 0) {
    run.waits -= 1;
    if (run.waits === 0) run.waited += Math.max(0, event.at - run.since);
  }
  // What the end of its run closes, nobody has answered.
  if (textOf(event.payload, "decided_by") === "system") return;
  const waited = Math.max(0, event.at - wait.at);
  const series = seriesOf(state, run ?? null, "turn");
  note(parts.at(hour, series).waits, waited);
  if (wait.tool !== "") note(parts.at(hour, { ...series, kind: "call", tool: wait.tool }).waits, waited);
}

function escalate(state: RollupState, event: RolledEvent, hour: number, parts: Parts): void {
  const run = state.runs.get(event.run_id ?? "");
  if (run?.isEscalated) return;
  if (run) run.isEscalated = true;
  const begun = run ? hourOf(run.at) : hour;
  if (begun !== null) parts.at(begun, seriesOf(state, run ?? null, "turn")).escalated += 1;
}

function seriesOf(state: RollupState, run: OpenRun | null, kind: Series["kind"]): Series {
  const { channel, stage } = state;
  const { agent, version, model } = run ?? state;
  return { kind, agent, version, model: model || (run ? state.model : model), channel, stage, tool: "", score: "" };
}

function keyOf({ run_id, iteration, instance, call_id }: RolledEvent): string {
  return callKey(run_id, iteration ?? 0, instance ?? "", call_id ?? "");
}

/** Remembers what is open; the oldest is forgotten when there is too much. */
function open<T>(known: Map<string, T>, key: string, value: T): void {
  const [oldest] = known.keys();
  if (known.size >= MOST_OPEN && oldest !== undefined) known.delete(oldest);
  known.set(key, value);
}

function textOf(value: Json, name: string): string {
  const field = isJsonObject(value) ? value[name] : undefined;
  return typeof field === "string" ? field : "";
}

function numberOf(value: Json, name: string): number {
  const field = isJsonObject(value) ? value[name] : undefined;
  return typeof field === "number" ? field : 0;
}
