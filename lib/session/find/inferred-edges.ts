import type { Payload } from "../catalogue.ts";
import { isKnown, type SessionEvent } from "../event.ts";
import type { Json, JsonObject } from "../json/json.ts";
import { callKey, planKey } from "../keys.ts";
import type { EventType } from "../kinds.ts";
import type { RowMemory } from "../timeline/timeline-rows.ts";
import { fieldWords, isChoice, lastName, ownWords, wordsNear } from "./field-names.ts";
import { SpokenWords } from "./spoken-words.ts";
import { formsOf, isCompound, isText, type ValueForm, valuesIn } from "./value-forms.ts";
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

/** An occurrence of a value. */
interface Place {
  seq: number;
  /** Null: the agent's own words or parameters, which are not sources of edges. */
  source: EdgeSource | null;
  /** The object that contains it, if any: the values beside it identify what it is about. */
  beside: JsonObject | null;
  /** The words around it in a text. */
  near: string | null;
}

/** A place of one of a value's forms: `1,200.00` is less likely met by chance than 1200. */
interface Written extends Place {
  bits: number;
}

/** A value of a call's parameters that an earlier place may be the source of. */
interface Wanted {
  path: string;
  text: string;
  forms: readonly ValueForm[];
  beside: JsonObject | null;
  /** It is a part of a text. */
  isPart: boolean;
}

/** The objects that a call is about, with the values that it took from them. */
type About = ReadonlyMap<string, ReadonlySet<Wanted>>;

interface Rated {
  place: Place;
  /** The evidence that it is about the same thing, in bits. */
  kinship: number;
}

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
/** Longer texts are searched, but not compared as a whole. */
const LONGEST_VALUE = 400;

/** An edge needs this much evidence, in bits: that of a code of four digits, or of less and its context. */
const ENOUGH = 12;
/** The evidence that the field's name gives. */
const SAME_NAME = 6;
/** Other values of the call come from the same object, or from one around it. */
const SAME_OBJECT = 4;
const SAME_RESULT = 1.5;
/** A value beside it comes from another object of the same list. */
const OTHER_OBJECT = -4;
/** Of several places, one whose object has another equal value is preferred to everything else. */
const AGREES = 100;
/** Users say what a call needs. */
const SAID = 5;
/** A date that stands in one place only. */
const ONLY_PLACE = 3;
/** The value is a choice of a few: to meet it again means nothing. */
const CHOICE = -6;
/** The share of other sessions in which a name or an order may stand again: customers come back. */
const COMMON = 0.15;
/** Above this, other sessions are not asked: two customers' ids are not equal by chance. */
const UNIQUE = 20;

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
  private readonly places = new Map<string, Written[]>();
  /** What was said, and long texts of results. */
  private readonly spoken = new SpokenWords<Place>();
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
  constructor(
    runId: string | null = null,
    known: RowMemory["runs"] = [],
    frequencies: ValueFrequencies | null = null,
  ) {
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
      const place: Place = { seq, source: null, beside: null, near: leaf.path };
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
      const place: Place = { seq, source: { kind: "call", call, path }, beside, near: null };
      const forms = this.wholeForms(leaf);
      if (forms.some(({ key }) => asked?.has(key))) continue;
      for (const form of forms) this.put(form, place);
      if (typeof value === "string" && isText(value)) this.read(value, place, null, asked);
    }
  }

  /** Remembers the values of a text; `into` gets their keys, those in `but` are left out. */
  private read(text: string, place: Place, into: Set<string> | null, but?: ReadonlySet<string>): void {
    for (const { forms, near } of valuesIn(text)) {
      if (forms.some(({ key }) => but?.has(key))) continue;
      for (const form of forms) {
        into?.add(form.key);
        this.put(form, { ...place, near });
      }
    }
    this.spoken.add(text, place);
  }

  private put(form: ValueForm, place: Place): void {
    const places = this.places.get(form.key);
    if (places && places.length > MOST_OTHERS) return;
    const written = { ...place, bits: this.bitsOf(form) };
    if (places) places.push(written);
    else this.places.set(form.key, [written]);
  }

  /** The edges of a call: first those that need no other, which tell the objects that the call is about. */
  private connectAll(leaves: readonly ValueLeaf[], to: CallPlace): void {
    const wanted = leaves.flatMap((leaf) => this.wantedOf(leaf));
    const about = new Map<string, Set<Wanted>>();
    for (const one of wanted) {
      const source = this.bestOf(one, null)?.source;
      if (source?.kind !== "call") continue;
      for (const object of objectsAround(source).flatMap((object) => [object, listOf(object)]))
        about.set(object, (about.get(object) ?? new Set()).add(one));
    }
    let whole = "";
    for (const one of wanted) {
      // Of a text that is known as a whole, no parts are looked up.
      if (one.isPart && one.path === whole) continue;
      const best = this.bestOf(one, about);
      if (!one.isPart && best) whole = one.path;
      this.connect(best?.source ?? null, to, one.path, one.text);
    }
  }

  private wantedOf(leaf: ValueLeaf): Wanted[] {
    const { path, beside, value } = leaf;
    const whole: Wanted = { path, text: String(value).trim(), forms: this.wholeForms(leaf), beside, isPart: false };
    if (typeof value === "number" || !isText(value)) return [whole];
    const known = new Set<string>();
    const parts = valuesIn(value).flatMap(({ text, forms }): Wanted[] => {
      if (known.has(text)) return [];
      known.add(text);
      return [{ path, text, forms, beside: null, isPart: true }];
    });
    return [whole, ...parts];
  }

  /** The best source of a value; `about` has the objects that the call is about. Null: it is not followed. */
  private bestOf(wanted: Wanted, about: About | null): Place | null {
    const { forms, text, isPart, path } = wanted;
    const [form] = forms;
    if (!form) return null;
    const places = forms.flatMap(({ key }) => this.places.get(key) ?? []);
    const bits = Math.max(...forms.map((one) => this.bitsOf(one)));
    if (!isPart && (form.kind === "words" || places.length === 0)) places.push(...this.placesOfWords(text, bits));
    places.sort((one, other) => one.seq - other.seq);
    const [first] = places;
    // What the agent said first is its own; a small number only in the same field.
    if (!first || (first.source === null && (bits >= ENOUGH || isNamedAs(first, path)))) return null;
    const rated = places.flatMap((place): Rated[] => {
      const kinship = kinshipOf(place, wanted, form, about, places);
      const evidence = Math.max(bits, place.bits) + kinship + occasionOf(place, form, places);
      if (place.source === null || evidence < ENOUGH) return [];
      // An id is the same one whatever the field is called.
      return [{ place, kinship: bits < UNIQUE ? kinship : kinship % SAME_NAME }];
    });
    // What the user said first is the source, whoever repeats it.
    if (rated[0]?.place.source?.kind === "message") return rated[0].place;
    // Top-level parameters say what to do; nested objects say what it is about.
    const object = path.lastIndexOf("/") > 0 ? wanted.beside : null;
    return bestOfRated(rated, ({ place, kinship }) =>
      object ? agreement(place.beside, object, text) * AGREES + kinship : kinship,
    );
  }

  /** Where words stand in a text. */
  private placesOfWords(text: string, bits: number): Written[] {
    if (text.length < 3 || text.length > LONGEST_VALUE) return [];
    const said = this.spoken.first(text, ({ source }) => source?.kind !== "call");
    const written = /\s.*\p{Lu}|\d/u.test(text) ? this.spoken.first(text, ({ source }) => source?.kind === "call") : null;
    // At the beginning of a sentence, every word has a capital letter.
    const isName = said !== null && /\p{Lu}/u.test(text) && /[\p{L}\p{N},:;("'«]\s*$/u.test(said.before);
    return [
      ...(said ? [{ ...said.by, bits: isName ? bits + SAID : bits }] : []),
      ...(written ? [{ ...written.by, bits }] : []),
    ];
  }

  /** How unlikely a value is met by chance, in bits. */
  private bitsOf({ key, kind, bits }: ValueForm): number {
    if (bits >= UNIQUE || kind === "number" || kind === "date") return bits;
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

/** The evidence that a place is about the same thing as the wanted value, in bits. */
function kinshipOf(
  place: Place,
  wanted: Wanted,
  { kind }: ValueForm,
  about: About | null,
  places: readonly Place[],
): number {
  const { source } = place;
  if (source === null) return 0;
  const { path, isPart } = wanted;
  let bits = 0;
  if (kind === "words" && (isChoice(path) || isChosen(place, wanted.text, places))) bits += CHOICE;
  else if (!isPart && isNamedAs(place, path)) bits += SAME_NAME;
  if (source.kind === "message" || !about) return bits;
  const [object = "", ...around] = objectsAround(source);
  const isAbout = (one: string) => [...(about.get(one) ?? [])].some((other) => other !== wanted);
  if (isAbout(object)) return bits + SAME_OBJECT;
  const isBeside = (one: string) => [...(about.get(one) ?? [])].some((other) => other !== wanted && objectOf(other) === objectOf(wanted));
  if ([object, ...around].some((one) => isBeside(listOf(one)) && !isBeside(one))) return bits + OTHER_OBJECT;
  return around.some(isAbout) ? bits + SAME_RESULT : bits;
}

/** Whether a word is one of a few that a field may have: several objects have it in a field of this name. */
function isChosen({ source, near }: Place, text: string, places: readonly Place[]): boolean {
  if (source?.kind !== "call" || near !== null) return false;
  if (isChoice(source.path)) return true;
  if (!/^\p{Lu}\p{Ll}+$/u.test(text)) return false;
  const name = lastName(source.path);
  const alike = places.filter((one) => one.source?.kind === "call" && one.near === null && lastName(one.source.path) === name);
  return alike.length > 1;
}

/** Whether the name of a place, or a word around it, is the name of a parameter. */
function isNamedAs({ source, near }: Place, path: string): boolean {
  const there = near === null ? fieldWords(source?.kind === "call" ? source.path : "") : wordsNear(near);
  return [...ownWords(path)].some((word) => there.has(word));
}

/** The evidence that a value stands where it does, in bits. */
function occasionOf({ source }: Place, { kind, key }: ValueForm, places: readonly Place[]): number {
  const said = source?.kind === "message" && (kind !== "words" || isCompound(key)) ? SAID : 0;
  return kind === "date" && new Set(places.map(({ seq }) => seq)).size === 1 ? said + ONLY_PLACE : said;
}

/** The objects that contain a value of a result, the nearest first; not the result itself. */
function objectsAround({ call, path }: Extract<EdgeSource, { kind: "call" }>): string[] {
  const around: string[] = [];
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
    around.push(`${placeKey(call)} ${path.slice(0, end)}`);
  return around;
}

/** The object of the parameters that a value is in. */
function objectOf({ path }: Wanted): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** All objects of the list that an object is in. */
function listOf(object: string): string {
  return object.replace(/\d+$/, "*");
}

/** The first of the best. */
function bestOfRated(rated: readonly Rated[], ratingOf: (one: Rated) => number): Place | null {
  let best: Place | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const one of rated) {
    const rating = ratingOf(one);
    if (rating > most) [best, most] = [one.place, rating];
  }
  return best;
}

/** How many values with the same name beside `text` are equal in two objects, minus those that differ. */
function agreement(one: JsonObject | null, other: JsonObject, text: string): number {
  if (!one) return 0;
  let agrees = 0;
  for (const [name, value] of Object.entries(other)) {
    const [mine, its] = [keyOf(one[name]), keyOf(value)];
    if (mine !== null && its !== null && value !== text) agrees += mine === its ? 1 : -1;
  }
  return agrees;
}

function keyOf(value: Json | undefined): string | null {
  return typeof value === "string" || typeof value === "number" ? (formsOf(value)[0]?.key ?? null) : null;
}

function placeKey({ run_id, iteration, instance, call_id }: CallPlace): string {
  return callKey(run_id, iteration, instance, call_id);
}
