import type { Json, JsonObject } from "../../../session/json/json.ts";
import { isKept } from "../../../session/json/json-number.ts";

/** How deep an attribute's value may nest: within its event it stands four levels down, and 64 is the limit there. */
const DEEPEST = 60;
/** How much text and how many values one attribute may hold, in characters, a value of its own counting as one. */
const LARGEST = 1024 * 1024;

/**
 * Why one span is refused, as a sentence; what came with it is stored. No `Error`: a request may have tens of thousands, and the
 * stack of each took most of the time of refusing it.
 */
export class BadSpan {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/**
 * Attributes as JSON, whether they came as JSON or as protobuf: there, the same fields hold bytes. A key that stands twice
 * has its last value; `__proto__` is a key like any other. Throws `BadSpan`.
 */
export function attributesOf(list: unknown): JsonObject {
  return objectOf(list, 1, (key) => ({ left: LARGEST, key }));
}

/** A single value of OTLP as JSON, such as the body of a log record. Throws `BadSpan`. */
export function anyValueOf(value: unknown, name: string): Json {
  return jsonOf(value, 1, { left: LARGEST, key: name });
}

/** An assignment would take `__proto__` for the prototype. */
const OWN = { configurable: true, enumerable: true, writable: true };

/** What one attribute may still hold. */
interface Room {
  left: number;
  key: string;
}

function objectOf(list: unknown, depth: number, roomOf: (key: string) => Room): JsonObject {
  const object: JsonObject = {};
  for (const pair of arrayOf(list)) {
    const key = textOf(fieldOf(pair, "key") ?? "");
    const value = jsonOf(fieldOf(pair, "value"), depth, take(roomOf(key), key.length));
    if (key === "__proto__") Object.defineProperty(object, key, { value, ...OWN });
    else object[key] = value;
  }
  return object;
}

function jsonOf(value: unknown, depth: number, room: Room): Json {
  take(room, 1);
  const text = fieldOf(value, "stringValue");
  if (text !== undefined) return longText(text, room);
  const flag = fieldOf(value, "boolValue");
  if (typeof flag === "boolean") return flag;
  const whole = fieldOf(value, "intValue");
  if (whole !== undefined) return wholeNumber(whole, room.key);
  const number = fieldOf(value, "doubleValue");
  if (number !== undefined) return doubleOf(number, room);
  const bytes = fieldOf(value, "bytesValue");
  if (bytes !== undefined) return longText(bytes instanceof Uint8Array ? base64Of(bytes) : bytes, room);
  const array = fieldOf(value, "arrayValue");
  const list = fieldOf(value, "kvlistValue");
  if (array === undefined && list === undefined) return null;
  if (depth > DEEPEST) throw new BadSpan(`the attribute ${shown(room.key)} is nested deeper than ${DEEPEST} levels`);
  if (list !== undefined) return objectOf(fieldOf(list, "values"), depth + 1, () => room);
  return arrayOf(fieldOf(array, "values")).map((item) => jsonOf(item, depth + 1, room));
}

function longText(text: unknown, room: Room): string {
  const checked = textOf(text);
  take(room, checked.length);
  return checked;
}

function take(room: Room, size: number): Room {
  room.left -= size;
  if (room.left < 0) {
    throw new BadSpan(
      `the attribute ${shown(room.key)} is larger than ${LARGEST / 1024 / 1024} MB; send a shorter one`,
    );
  }
  return room;
}

/** A text; half of a surrogate pair is no character, and could not be stored. */
export function textOf(text: unknown): string {
  if (typeof text !== "string") throw new BadSpan("a text in it is none");
  if (!text.isWellFormed())
    throw new BadSpan("a text in it contains half of a surrogate pair, which is not a character");
  return text;
}

/** JSON keeps what a double holds exactly; a larger number stays text, so that an id does not change on its way. */
function wholeNumber(value: unknown, key: string): Json {
  const text = String(value);
  if (!/^-?\d{1,20}$/.test(text)) throw new BadSpan(`the attribute ${shown(key)} has ${shown(text)} as a whole number`);
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** What is no number in JSON, or would be another one, is a text: in OTLP's JSON `NaN` and the infinities are, too. */
function doubleOf(value: unknown, room: Room): Json {
  if (typeof value === "string" && value.trim() !== "")
    return DECIMAL.test(value) && isKept(value) ? Number(value) : longText(value, room);
  if (typeof value !== "number")
    throw new BadSpan(`the attribute ${shown(room.key)} has ${shown(String(value))} as a number`);
  if (Object.is(value, -0)) return "-0";
  return Number.isFinite(value) ? value : String(value);
}

function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** A field that is there; null stands for an absent one, as in all of protobuf's JSON. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  const field: unknown = Reflect.get(value, name);
  return field === null ? undefined : field;
}

export function arrayOf(list: unknown): unknown[] {
  if (list === undefined) return [];
  if (!Array.isArray(list)) throw new BadSpan("a list in it is none");
  return list;
}

/** A text from outside within a sentence: short. */
export function shown(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
}
