import type { Json, JsonObject } from "../json/json.ts";
import { callKey } from "../keys.ts";
import { fieldWords, isChoice, lastName, ownWords, wordsNear } from "./field-names.ts";
import type { CallPlace, EdgeSource } from "./inferred-edges.ts";
import { formsOf, isCompound, type ValueForm } from "./value-forms.ts";

/** An occurrence of a value. */
export interface Place {
  seq: number;
  /** Null: the agent's own words or parameters, which are not sources of edges. */
  source: EdgeSource | null;
  /** The object that contains it, if any: the values beside it identify what it is about. */
  beside: JsonObject | null;
  /** The words around it in a text; the path of a parameter. Null for a value of a result. */
  near: string | null;
  /** How unlikely it is to meet the value by chance, as it is written there: `1,200.00` less likely than 1200. */
  bits: number;
}

/** A value of a call's parameters, with the earlier places that have it. */
export interface WantedValue {
  path: string;
  text: string;
  form: ValueForm;
  bits: number;
  beside: JsonObject | null;
  /** It is a part of a text. */
  isPart: boolean;
  /** In order; not empty. */
  places: readonly Place[];
  /** The evidence of each place's name, once it was looked at. */
  names: number[];
}

/** An edge needs this much evidence, in bits: that of a code of four digits, or of less and its context. */
export const ENOUGH = 12;
/** Above this, a value is an id: the same one whatever its field is called. */
const UNIQUE = 20;
/** Users say what a call needs. */
export const SAID = 5;
/** The evidence that the field's name gives. */
const SAME_NAME = 6;
/** Other values of the call come from the same object, or from one around it. */
const SAME_OBJECT = 4;
const SAME_RESULT = 1.5;
/** A value beside it comes from another object of the same list. */
const OTHER_OBJECT = -4;
/** Of several places, one whose object has another equal value is preferred to everything else. */
const AGREES = 100;
/** A date that stands in one place only. */
const ONLY_PLACE = 3;
/** The value is a choice of a few: to meet it again means nothing. */
const CHOICE = -6;

/** The objects that a call is about: of which results, and which lists, it took values. */
export class CallSubjects {
  /** The values of each object and list, of all parameters and of those of one object among them. */
  private readonly values: ValuesByObject = new Map();
  private readonly within = new Map<string, ValuesByObject>();

  /** A value was taken from a place. */
  add(wanted: WantedValue, { source }: Place): void {
    if (source?.kind !== "call") return;
    const holder = holderOf(wanted);
    let within = this.within.get(holder);
    if (!within) {
      within = new Map();
      this.within.set(holder, within);
    }
    for (const { object, list } of objectsAround(source)) {
      for (const key of [object, list]) {
        addTo(this.values, key, wanted);
        addTo(within, key, wanted);
      }
    }
  }

  /** The evidence for a place that other values of the call give, in bits. */
  evidenceFor(source: EdgeSource, wanted: WantedValue): number {
    if (source.kind === "message") return 0;
    if (this.values.size === 0) return 0;
    const objects = objectsAround(source);
    const [nearest] = objects;
    if (nearest && hasOther(this.values, nearest.object, wanted)) return SAME_OBJECT;
    const within = this.within.get(holderOf(wanted));
    if (
      within &&
      objects.some(({ object, list }) => hasOther(within, list, wanted) && !hasOther(within, object, wanted))
    )
      return OTHER_OBJECT;
    return objects.some(({ object }) => hasOther(this.values, object, wanted)) ? SAME_RESULT : 0;
  }
}

type ValuesByObject = Map<string, Set<WantedValue>>;

function addTo(values: ValuesByObject, key: string, wanted: WantedValue): void {
  const known = values.get(key);
  if (known) known.add(wanted);
  else values.set(key, new Set([wanted]));
}

function hasOther(values: ValuesByObject, key: string, wanted: WantedValue): boolean {
  const known = values.get(key);
  return known !== undefined && known.size > (known.has(wanted) ? 1 : 0);
}

/** The most likely source of a value; `subjects`: null if none are known yet. Null: it is not followed. */
export function bestPlace(wanted: WantedValue, subjects: CallSubjects | null): Place | null {
  const { path, text, bits, places } = wanted;
  const [first] = places;
  // What the agent said first is its own; a small number only in the same field.
  if (!first || (first.source === null && (bits >= ENOUGH || isNamedAs(first, path)))) return null;
  // Top-level parameters say what to do; nested objects say what it is about.
  const object = path.lastIndexOf("/") > 0 ? wanted.beside : null;
  let best: Place | null = null;
  let most = Number.NEGATIVE_INFINITY;
  for (const [index, place] of places.entries()) {
    if (place.source === null) continue;
    wanted.names[index] ??= nameEvidence(place, wanted);
    const name = wanted.names[index];
    const own = Math.max(bits, place.bits) + name + occasion(place, wanted);
    if (own + SAME_OBJECT < ENOUGH) continue;
    const others = subjects?.evidenceFor(place.source, wanted) ?? 0;
    if (own + others < ENOUGH) continue;
    // What the user said first is the source, whoever repeats it.
    if (best === null && place.source.kind === "message") return place;
    const agrees = object ? agreement(place.beside, object, text) * AGREES : 0;
    const rating = agrees + others + (bits < UNIQUE ? name : 0);
    if (rating > most) [best, most] = [place, rating];
  }
  return best;
}

/** The evidence of names: the field's own, and that of what is chosen from a few. */
function nameEvidence(place: Place, { form, path, text, isPart, places }: WantedValue): number {
  // `utf-8`, `h264`
  const isWord = form.kind === "words" || (form.kind === "code" && form.bits < ENOUGH && !/\p{Lu}/u.test(text));
  if (isWord && (isChoice(path) || isChosen(place, text, places))) return CHOICE;
  return !isPart && isNamedAs(place, path) ? SAME_NAME : 0;
}

/** The evidence that a value stands where it does. */
function occasion({ source }: Place, { form: { kind, key }, places }: WantedValue): number {
  const said = source?.kind === "message" && (kind !== "words" || isCompound(key)) ? SAID : 0;
  const isOnly = kind === "date" && places.every(({ seq }) => seq === places[0]?.seq);
  return isOnly ? said + ONLY_PLACE : said;
}

/** Whether a word is one of a few that a field may have: several objects have it in a field of this name. */
function isChosen({ source, near }: Place, text: string, places: readonly Place[]): boolean {
  if (source?.kind !== "call" || near !== null) return false;
  if (isChoice(source.path)) return true;
  if (!/^\p{Lu}\p{Ll}+$/u.test(text)) return false;
  const name = lastName(source.path);
  const isAlike = (one: Place) =>
    one.source?.kind === "call" && one.near === null && lastName(one.source.path) === name;
  return places.filter(isAlike).length > 1;
}

/** Whether the name of a place, or a word around it, is the name of a parameter. */
function isNamedAs({ source, near }: Place, path: string): boolean {
  const own = ownWords(path);
  if (own.size === 0) return false;
  const there = near === null ? fieldWords(source?.kind === "call" ? source.path : "") : wordsNear(near);
  return [...own].some((word) => there.has(word));
}

type CallSource = Extract<EdgeSource, { kind: "call" }>;

/** An object of a result, and all objects of the list that it is in: itself if it is in none. */
interface Around {
  object: string;
  list: string;
}

/** A place is compared with all later values that are equal. */
const known = new WeakMap<CallSource, readonly Around[]>();

/** The objects that contain a value of a result, the nearest first; not the result itself. */
function objectsAround(source: CallSource): readonly Around[] {
  const before = known.get(source);
  if (before) return before;
  const { call, path } = source;
  const around: Around[] = [];
  const key = placeKey(call);
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const object = `${key} ${path.slice(0, end)}`;
    around.push({ object, list: listOf(object) });
  }
  known.set(source, around);
  return around;
}

/** All objects of the list that an object is in; itself if it is in none. */
function listOf(object: string): string {
  const last = object.charCodeAt(object.length - 1);
  if (last < 48 || last > 57) return object;
  const end = object.lastIndexOf("/") + 1;
  return /^\d+$/.test(object.slice(end)) ? `${object.slice(0, end)}*` : object;
}

/** The parameters' object that holds a value. */
function holderOf({ path }: WantedValue): string {
  return path.slice(0, path.lastIndexOf("/"));
}

/** How many values with the same name beside `text` are equal in two objects, minus those that differ. */
function agreement(one: JsonObject | null, other: JsonObject, text: string): number {
  if (!one) return 0;
  let agrees = 0;
  for (const [name, value] of Object.entries(other)) {
    const [mine, its] = [valueKey(one[name]), valueKey(value)];
    if (mine !== null && its !== null && value !== text) agrees += mine === its ? 1 : -1;
  }
  return agrees;
}

function valueKey(value: Json | undefined): string | null {
  return typeof value === "string" || typeof value === "number" ? (formsOf(value)[0]?.key ?? null) : null;
}

/** A call's key in its session. */
export function placeKey({ run_id, iteration, instance, call_id }: CallPlace): string {
  return callKey(run_id, iteration, instance, call_id);
}
