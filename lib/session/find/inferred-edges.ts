import { pointerTo } from "../../plan/problem.ts";
import type { Payload } from "../catalogue.ts";
import { isKnown, type SessionEvent } from "../event.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { asText, isSpecific } from "../json/specific-value.ts";
import { callKey, planKey } from "../keys.ts";
import type { EventType } from "../kinds.ts";
import type { RowMemory } from "../timeline/timeline-rows.ts";
import { SpokenWords } from "./spoken-words.ts";

/** Identifies a call: by run, iteration, instance and id (P19b). */
export interface CallPlace {
  run_id: string;
  iteration: number;
  instance: string;
  call_id: string;
}

/** The source of a value; `path` is a JSON Pointer into the call's result. */
export type EdgeSource =
  | { kind: "call"; call: CallPlace; path: string }
  | { kind: "message"; message_id: string; seq: number; role: string };

/** A call used a value of an earlier result or message. */
export interface InferredEdge {
  from: EdgeSource;
  to: CallPlace;
  /** JSON Pointer into the parameters. */
  to_path: string;
  /** The value as text, cut to 200 characters. */
  value: string;
}

/** An occurrence of a value. */
interface Place {
  seq: number;
  /** Null: the agent's own words or parameters, which are not sources of edges. */
  source: EdgeSource | null;
  /** The object that contains it, if any: the values beside it identify what it is about. */
  beside: JsonObject | null;
}

/** The first occurrence of a value, and other results that contain it. */
interface Origin extends Place {
  others: Place[];
}

/** The event types that are used. Of plans and runs only the iteration is needed. */
export const EDGE_TYPES: readonly EventType[] = [
  "run.started",
  "run.iteration",
  "plan.proposed",
  "message.created",
  "call.started",
  "call.succeeded",
];

/** How many results with the same value are compared. */
const MOST_OTHERS = 8;
/** How many parts of a value are examined: more than a page of search results has. */
const MOST_LEAVES = 2_000;
const MOST_EDGES = 20_000;
const LONGEST_EVIDENCE = 200;

/**
 * Infers which calls without a plan used values of earlier calls or messages, from a session's events in order. The
 * source of a value is its first occurrence as a whole: a result, a message of the user or the system, or the agent's
 * own words and parameters. So a result that repeats its call's parameters is not a source. If several results contain
 * it, the one that agrees best with the values beside it wins: the same flight on another day is another flight. Common
 * values are not followed (`isSpecific`).
 */
export class EdgeInference {
  readonly edges: InferredEdge[] = [];
  /** Whether something was skipped: a value with very many parts, or too many edges. */
  cut = false;
  private readonly origins = new Map<string, Origin>();
  private readonly spoken = new SpokenWords<Place>();
  /** Parameters by call: its result is not a source of these values. */
  private readonly asked = new Map<string, Set<string>>();
  private readonly iterations = new Map<string, number>();
  private readonly planned = new Set<string>();
  /** The runs to infer edges for; null for all. */
  private readonly runs: Set<string> | null;

  /**
   * `runId`: only edges to calls of this run and its delegates. `known`: the results of runs before the first event.
   */
  constructor(runId: string | null = null, known: RowMemory["runs"] = []) {
    this.runs = runId === null ? null : new Set([runId]);
    for (const [run, { iteration, parent, planned }] of known) {
      if (parent !== null && this.runs?.has(parent)) this.runs.add(run);
      this.iterations.set(run, iteration);
      if (planned) this.planned.add(planKey(run, iteration));
    }
  }

  /** Adds the next event of the conversation. */
  add(event: SessionEvent): void {
    if (!isKnown(event)) return;
    const run = event.run_id ?? "";
    switch (event.type) {
      case "run.started":
        if (this.runs?.has(event.parent_run_id ?? run)) this.runs.add(run);
        this.iterations.set(run, event.payload.iteration ?? this.iterationOf(run));
        return;
      case "run.iteration":
        this.iterations.set(run, event.payload.iteration ?? this.iterationOf(run) + 1);
        return;
      case "plan.proposed":
        this.iterations.set(run, event.payload.iteration);
        this.planned.add(planKey(run, event.payload.iteration));
        return;
      case "message.created":
        return this.message(event.payload, event.seq);
      case "call.started":
        return this.started(this.placeOf(run, event.payload), event.payload.params, event.seq);
      case "call.succeeded":
        return this.succeeded(this.placeOf(run, event.payload), event.payload.output, event.seq);
      default:
        return;
    }
  }

  private placeOf(run_id: string, { call_id, iteration, instance = "" }: Payload<"call.started">): CallPlace {
    return { run_id, iteration: iteration ?? this.iterationOf(run_id), instance, call_id };
  }

  /** As the reducer counts them. */
  private iterationOf(run: string): number {
    return this.iterations.get(run) ?? 1;
  }

  private message({ role, content, message_id }: Payload<"message.created">, seq: number): void {
    // A tool's message repeats its call's result.
    if (role === "tool") return;
    const source: EdgeSource | null = role === "assistant" ? null : { kind: "message", message_id, seq, role };
    this.spoken.add(content, { seq, source, beside: null });
  }

  private started(to: CallPlace, params: Json | undefined, seq: number): void {
    const isAsked = this.runs === null || this.runs.has(to.run_id);
    const isLeft = !isAsked || this.planned.has(planKey(to.run_id, to.iteration));
    const asked = new Set<string>();
    for (const { path, text, beside } of this.leaves(params)) {
      asked.add(text);
      const origin = this.originOf(text);
      if (!origin) this.origins.set(text, { seq, source: null, beside: null, others: [] });
      else if (origin.source && !isLeft) {
        // Top-level parameters say what to do; nested objects say what it is about.
        const source = path.lastIndexOf("/") > 0 && beside ? this.bestOf(origin, beside, text) : origin.source;
        this.connect(source, to, path, text);
      }
    }
    this.asked.set(placeKey(to), asked);
  }

  private succeeded(call: CallPlace, output: Json | undefined, seq: number): void {
    const asked = this.asked.get(placeKey(call));
    for (const { path, text, beside } of this.leaves(output)) {
      if (asked?.has(text)) continue;
      const place: Place = { seq, source: { kind: "call", call, path }, beside };
      const origin = this.originOf(text);
      if (!origin) this.origins.set(text, { ...place, others: [] });
      else if (origin.source?.kind === "call" && origin.others.length < MOST_OTHERS) origin.others.push(place);
    }
  }

  private originOf(text: string): Origin | null {
    const known = this.origins.get(text) ?? null;
    const said = this.spoken.first(text);
    return said && (!known || said.seq < known.seq) ? { ...said, others: [] } : known;
  }

  /** The occurrence that agrees best with the values beside a parameter; the first of equals. */
  private bestOf(origin: Origin, beside: JsonObject, text: string): EdgeSource | null {
    if (origin.source?.kind !== "call") return origin.source;
    const said = this.spoken.first(text, ({ source }) => source !== null);
    let best: Place = origin;
    let most = agreement(origin.beside, beside, text);
    for (const place of [...origin.others, ...(said ? [said] : [])]) {
      const agrees = agreement(place.beside, beside, text);
      if (agrees > most) [best, most] = [place, agrees];
    }
    return best.source;
  }

  private connect(from: EdgeSource | null, to: CallPlace, to_path: string, text: string): void {
    if (from === null) return;
    if (this.edges.length >= MOST_EDGES) this.cut = true;
    else this.edges.push({ from, to, to_path, value: text.slice(0, LONGEST_EVIDENCE) });
  }

  /** The specific values within a value, with their paths. Iterative, in the order of the value. */
  private *leaves(root: Json | undefined): Generator<{ path: string; text: string; beside: JsonObject | null }> {
    const open: Leaf[] = root === undefined ? [] : [{ value: root, path: [], beside: null }];
    for (let seen = 0, next = open.pop(); next; next = open.pop()) {
      const { value, path, beside } = next;
      if (typeof value === "object" && value !== null) {
        open.push(...partsOf(value, path).reverse());
        continue;
      }
      seen += 1;
      if (seen > MOST_LEAVES) {
        this.cut = true;
        return;
      }
      const text = asText(value);
      if (text !== null && isSpecific(text)) yield { path: pointerTo(path), text, beside };
    }
  }
}

interface Leaf {
  value: Json;
  path: PropertyKey[];
  beside: JsonObject | null;
}

function partsOf(value: Json[] | JsonObject, path: PropertyKey[]): Leaf[] {
  const [entries, beside] = Array.isArray(value) ? [[...value.entries()], null] : [Object.entries(value), value];
  return entries.map(([key, item]) => ({ value: item, path: [...path, key], beside }));
}

/** How many values with the same name beside `text` are equal in two objects, minus those that differ. */
function agreement(one: JsonObject | null, other: JsonObject, text: string): number {
  if (!one) return 0;
  let agrees = 0;
  for (const [name, value] of Object.entries(other)) {
    const [mine, its] = [asText(one[name] ?? null), asText(value)];
    if (mine !== null && its !== null && its !== text) agrees += mine === its ? 1 : -1;
  }
  return agrees;
}

function placeKey({ run_id, iteration, instance, call_id }: CallPlace): string {
  return callKey(run_id, iteration, instance, call_id);
}
