import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { itemSchemas } from "../schema/schema-form.ts";
import { resolveRef } from "../schema/schema-place.ts";
import type { ReadPlaces } from "./read-places.ts";

/** A plan may read a far position; nobody looks at more entries than these. */
const MOST_ENTRIES = 100;
/** Definitions may refer to one another exponentially often. */
const MOST_VALUES = 10_000;

/**
 * A value of the shape that a schema gives (P18): the first of its `examples`, else its `default`, else the first of
 * its `enum` (a `const` is its only one), else the type's empty value, objects with the properties that they declare.
 * Where the schema leaves it open, what is read is present: a simulation assumes that readers find what they read.
 */
export function exampleOf(schema: Json | undefined, places: ReadPlaces): Json {
  return new Example(schema ?? true).of(schema, places, []);
}

/** Schemas may refer to themselves without any value between. */
const MOST_STEPS = 16;

class Example {
  readonly #root: Json;
  #left = MOST_VALUES;

  constructor(root: Json) {
    this.#root = root;
  }

  /** `around`: the schemas that this one stands in. One that stands in itself gives only what is read of it. */
  of(schema: Json | undefined, places: ReadPlaces, around: readonly Json[]): Json {
    this.#left -= 1;
    if (!isJsonObject(schema) || this.#left < 0) return this.#open(places);
    const whole = this.#whole(schema, 0);
    const told = toldValue(whole);
    if (told !== undefined) return structuredClone(told);
    switch (typeOf(whole)) {
      case "object":
        return this.#object(whole, around.includes(schema) ? [] : declaredKeys(whole), places, [...around, schema]);
      case "array":
        return this.#array(whole, places, [...around, schema]);
      case "string":
        return "";
      case "number":
      case "integer":
        return 0;
      case "boolean":
        return false;
      case "null":
        return null;
      default:
        return this.#open(places);
    }
  }

  /** The schema with what it refers to and what holds with it; of alternatives, the first. */
  #whole({ $ref, allOf, anyOf, oneOf, ...own }: JsonObject, steps: number): JsonObject {
    if (steps > MOST_STEPS) return own;
    const parts = [
      ...($ref === undefined ? [] : [resolveRef($ref, this.#root)?.schema]),
      ...(Array.isArray(allOf) ? allOf : []),
      ...[anyOf, oneOf].map((alternatives) => (Array.isArray(alternatives) ? alternatives[0] : undefined)),
    ];
    return parts.filter(isJsonObject).reduce((all, part) => joined(all, this.#whole(part, steps + 1)), own);
  }

  #object(schema: JsonObject, declared: readonly string[], places: ReadPlaces, around: readonly Json[]): Json {
    const properties = isJsonObject(schema.properties) ? schema.properties : {};
    const others = schema.additionalProperties ?? true;
    const read = [...places.keys()].filter((key) => Object.hasOwn(properties, key) || others !== false);
    return Object.fromEntries(
      [...new Set([...declared, ...read])].map((key) => [
        key,
        this.of(Object.hasOwn(properties, key) ? properties[key] : others, places.get(key) ?? new Map(), around),
      ]),
    );
  }

  #array(schema: JsonObject, places: ReadPlaces, around: readonly Json[]): Json {
    const { tuple, rest } = itemSchemas(schema);
    const least = typeof schema.minItems === "number" ? schema.minItems : 0;
    return this.#entries(Math.max(least, lengthFor(places)), (position) =>
      this.of(tuple[position] ?? rest, places.get(String(position)) ?? new Map(), around),
    );
  }

  /** What nothing is known of but who reads it. */
  #open(places: ReadPlaces): Json {
    const keys = [...places];
    if (keys.length === 0) return null;
    if (keys.every(([key]) => POSITION.test(key)))
      return this.#entries(lengthFor(places), (position) => this.#open(places.get(String(position)) ?? new Map()));
    return Object.fromEntries(keys.map(([key, below]) => [key, this.#open(below)]));
  }

  #entries(length: number, entryAt: (position: number) => Json): Json[] {
    return Array.from({ length: Math.min(length, MOST_ENTRIES) }, (_, position) => entryAt(position));
  }
}

const POSITION = /^(0|[1-9][0-9]*)$/;

/** How many entries an array needs so that all the positions that are read are there. */
function lengthFor(places: ReadPlaces): number {
  return Math.max(0, ...[...places.keys()].filter((key) => POSITION.test(key)).map((key) => Number(key) + 1));
}

function toldValue({ examples, default: usual, const: only, enum: values }: JsonObject): Json | undefined {
  if (only !== undefined) return only;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  if (usual !== undefined) return usual;
  return Array.isArray(values) ? values[0] : undefined;
}

function typeOf(schema: JsonObject): Json | undefined {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type !== undefined) return type;
  if (schema.properties !== undefined || schema.required !== undefined) return "object";
  return schema.items !== undefined || schema.prefixItems !== undefined ? "array" : undefined;
}

/** The properties that a schema declares, and those that it requires without declaring them. */
function declaredKeys({ properties, required }: JsonObject): string[] {
  const named = Array.isArray(required) ? required.filter((key) => typeof key === "string") : [];
  return [...(isJsonObject(properties) ? Object.keys(properties) : []), ...named];
}

/** Two schemas that both hold, as far as a value's shape goes: the first one's words, and both ones' properties. */
function joined(first: JsonObject, second: JsonObject): JsonObject {
  const both = { ...second, ...first };
  const required = [first.required, second.required].flatMap((names) => (Array.isArray(names) ? names : []));
  if (required.length > 0) both.required = required;
  if (isJsonObject(first.properties) && isJsonObject(second.properties))
    both.properties = { ...second.properties, ...first.properties };
  return both;
}
