import { isKnown, type SessionEvent } from "../event.ts";
import type { Payload } from "../events/catalogue.ts";
import type { EventType } from "../events/kinds.ts";
import type { Json } from "../json/json.ts";
import { planKey } from "../keys.ts";
import type { RowMemory } from "../timeline/rows.ts";
import { bestPlace, CallSubjects, ENOUGH, type Place, placeKey, SAID, type WantedValue } from "./edge-evidence.ts";
import { SpokenWords } from "./spoken-words.ts";
import { formsOf, isText, type ValueForm, valuesIn } from "./value-forms.ts";
import { leavesOf, type ValueLeaf } from "./value-leaves.ts";

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
  /** The value as text, cut to 200 characters; if the parameter is a longer text, the part of it that was used. */
  value: string;
}

/** A place, whatever stands in it. */
type FoundPlace = Omit<Place, "bits">;

/** How often values stand in sessions that have nothing to do with this one. */
export interface ValueFrequencies {
  /** The share of these sessions that have the value, by its form's key; 0 if none or too few are known. */
  shareOf(key: string): number;
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
export const MOST_LEAVES = 2_000;
const MOST_EDGES = 20_000;
const LONGEST_EVIDENCE = 200;
/** In shorter results, names are the whole value. */
const SHORTEST_TEXT = 60;
/** Longer texts are searched, but not compared as a whole. */
const LONGEST_VALUE = 400;

/** The share of other sessions in which a name or an order may stand again: customers come back. */
const COMMON = 0.15;
/** Ids of this much information are not common, even if every test uses the same order. */
const NEVER_COMMON = 15;

/**
 * Infers which calls without a plan used values of earlier calls or messages, from a session's events in order. A value
 * is followed if it is unlikely to be met by chance: how unlikely, its text tells (`formsOf`), and less so if it is a
 * choice of a few or stands in other sessions (`frequencies`); the more so if the fields have the same name or other
 * values of the call come from the same object. Its source is its first occurrence: a result, a message of the user or
 * the system, or the agent's own words and parameters. So a result that repeats its call's parameters is not a source.
 * If several results contain it, the one with the most evidence wins: the same flight on another day is another flight.
 * What is inferred for a call depends only on the events before it.
 */
export class EdgeInference {
  readonly edges: InferredEdge[] = [];
  /** Whether something was skipped: a value with very many parts, or too many edges. */
  cut = false;
  /** The first places of each value, by its form's key. */
  private readonly places = new Map<string, Place[]>();
  /** What was said, by whom. */
  private readonly spoken = new SpokenWords<FoundPlace>();
  /** The texts of results, for names in them. */
  private readonly written = new SpokenWords<FoundPlace>(/\p{Lu}|\d/u);
  /** Parameters by call: its result is not a source of these values. */
  private readonly asked = new Map<string, Set<string>>();
  private readonly iterations = new Map<string, number>();
  private readonly planned = new Set<string>();
  /** The runs to infer edges for; null for all. */
  private readonly runs: Set<string> | null;
  private readonly frequencies: ValueFrequencies | null;

  /**
   * `runId`: only edges to calls of this run and its delegates. `known`: the results of runs before the first event.
   * `frequencies`: null if no other sessions are known.
   */
  constructor(runId: string | null = null, known: RowMemory["runs"] = [], frequencies: ValueFrequencies | null = null) {
    this.runs = runId === null ? null : new Set([runId]);
    this.frequencies = frequencies;
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
    this.read(content, { seq, source, beside: null, near: null }, null);
  }

  private started(to: CallPlace, params: Json | undefined, seq: number): void {
    const isAsked = this.runs === null || this.runs.has(to.run_id);
    const isLeft = !isAsked || this.planned.has(planKey(to.run_id, to.iteration));
    const leaves = this.leaves(params);
    if (!isLeft) this.connectAll(leaves, to);
    const asked = new Set<string>();
    for (const leaf of leaves) {
      const place: FoundPlace = { seq, source: null, beside: null, near: leaf.path };
      for (const form of this.wholeForms(leaf)) {
        asked.add(form.key);
        this.put(form, place);
      }
      if (typeof leaf.value === "string" && isText(leaf.value)) this.read(leaf.value, place, asked);
    }
    this.asked.set(placeKey(to), asked);
  }

  private succeeded(call: CallPlace, output: Json | undefined, seq: number): void {
    const asked = this.asked.get(placeKey(call));
    for (const leaf of this.leaves(output)) {
      const { path, beside, value } = leaf;
      const place: FoundPlace = { seq, source: { kind: "call", call, path }, beside, near: null };
      const forms = this.wholeForms(leaf);
      if (forms.some(({ key }) => asked?.has(key))) continue;
      for (const form of forms) this.put(form, place);
      if (typeof value === "string" && isText(value)) this.read(value, place, null, asked);
    }
  }

  /** Remembers the values of a text; `into` gets their keys, those in `but` are left out. */
  private read(text: string, place: FoundPlace, into: Set<string> | null, but?: ReadonlySet<string>): void {
    for (const { forms, near } of valuesIn(text)) {
      if (forms.some(({ key }) => but?.has(key))) continue;
      for (const form of forms) {
        into?.add(form.key);
        this.put(form, place, near);
      }
    }
    if (place.source?.kind !== "call") this.spoken.add(text, place);
    else if (text.length >= SHORTEST_TEXT) this.written.add(text, place);
  }

  private put(form: ValueForm, { seq, source, beside, near }: FoundPlace, around = near): void {
    const places = this.places.get(form.key);
    if (places && places.length > MOST_OTHERS) return;
    const written: Place = { seq, source, beside, near: around, bits: this.bitsOf(form) };
    if (places) places.push(written);
    else this.places.set(form.key, [written]);
  }

  /** The edges of a call: first those that need no other, which tell what the call is about. */
  private connectAll(leaves: readonly ValueLeaf[], to: CallPlace): void {
    const wanted = leaves.flatMap((leaf) => this.wantedOf(leaf));
    const subjects = new CallSubjects();
    for (const one of wanted) {
      const place = bestPlace(one, null);
      if (place) subjects.add(one, place);
    }
    let whole: string | null = null;
    for (const one of wanted) {
      // Of a text that is known as a whole, no parts are looked up.
      if (one.isPart && one.path === whole) continue;
      const best = bestPlace(one, subjects);
      if (!one.isPart && best) whole = one.path;
      this.connect(best?.source ?? null, to, one.path, one.text);
    }
  }

  /** The values of a parameter that stand in earlier places: itself, and those in a text. */
  private wantedOf(leaf: ValueLeaf): WantedValue[] {
    const { path, beside, value } = leaf;
    const text = String(value).trim();
    const whole = this.wanted({ path, text, beside, isPart: false }, this.wholeForms(leaf));
    if (typeof value === "number" || !isText(value)) return whole;
    const parts = new Map(valuesIn(value).map((part) => [part.text, part.forms]));
    return [
      ...whole,
      ...[...parts].flatMap(([part, forms]) => this.wanted({ path, text: part, beside: null, isPart: true }, forms)),
    ];
  }

  private wanted(
    value: Pick<WantedValue, "path" | "text" | "beside" | "isPart">,
    forms: readonly ValueForm[],
  ): WantedValue[] {
    const [form] = forms;
    if (!form) return [];
    const bits = Math.max(...forms.map((one) => this.bitsOf(one)));
    const places = forms.flatMap(({ key }) => this.places.get(key) ?? []);
    if (!value.isPart && (form.kind === "words" || places.length === 0))
      places.push(...this.placesOfWords(value.text, bits));
    if (places.length === 0) return [];
    // Those of one form are in order.
    if (places.some(({ seq }, index) => seq < (places[index - 1]?.seq ?? 0)))
      places.sort((one, other) => one.seq - other.seq);
    return [{ ...value, form, bits, places, names: [] }];
  }

  /** Where words stand in a text. */
  private placesOfWords(text: string, bits: number): Place[] {
    if (text.length < 3 || text.length > LONGEST_VALUE) return [];
    const said = this.spoken.first(text);
    const written = /\s.*\p{Lu}|\d/u.test(text) ? this.written.first(text) : null;
    // At the beginning of a sentence, every word has a capital letter.
    const isName = said !== null && /\p{Lu}/u.test(text) && /[\p{L}\p{N},:;("'«]\s*$/u.test(said.before);
    return [
      ...(said ? [{ ...said.by, bits: isName ? bits + SAID : bits }] : []),
      ...(written ? [{ ...written.by, bits }] : []),
    ];
  }

  /** How unlikely a value is met by chance, in bits. */
  private bitsOf({ key, kind, bits }: ValueForm): number {
    if (bits >= NEVER_COMMON || kind === "number" || kind === "date") return bits;
    const share = this.frequencies?.shareOf(key) ?? 0;
    const isCommon = share > (bits >= ENOUGH ? COMMON : 0);
    return isCommon ? Math.min(bits, -Math.log2(share)) : bits;
  }

  private connect(from: EdgeSource | null, to: CallPlace, to_path: string, text: string): void {
    if (from === null) return;
    if (this.edges.length >= MOST_EDGES) this.cut = true;
    else this.edges.push({ from, to, to_path, value: text.slice(0, LONGEST_EVIDENCE) });
  }

  private wholeForms({ value }: ValueLeaf): readonly ValueForm[] {
    return typeof value === "string" && value.length > LONGEST_VALUE ? [] : formsOf(value);
  }

  private leaves(root: Json | undefined): ValueLeaf[] {
    const leaves: ValueLeaf[] = [];
    for (const leaf of root === undefined ? [] : leavesOf(root, MOST_LEAVES)) {
      if (leaf === null) this.cut = true;
      else leaves.push(leaf);
    }
    return leaves;
  }
}
