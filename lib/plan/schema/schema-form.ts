import { isJsonObject, isSameJson, type Json, type JsonObject } from "../../session/json/json.ts";
import { type LocalizedText, localized } from "../localized-text.ts";
import { childAt } from "../reference.ts";
import { refsOf } from "./schema-place.ts";
import type { Source } from "./schema-source.ts";

/** One thing that is known of a value: a schema's own keywords, or a source that has no further forms. */
export type Atom =
  | { is: "own"; schema: JsonObject; root: Json }
  | Extract<Source, { is: "value" | "object" | "array" | "unknown" }>;

/** A child of a value: what is known of it, that it can never be there, or that nothing is said of it. */
export type Part = Source | "absent" | "undeclared";

/** The types of JSON Schema, numbers split so that they do not overlap. */
export const TYPES = ["null", "boolean", "object", "array", "string", "integer", "fraction"] as const;
export type TypeName = (typeof TYPES)[number];

/** Bounds of a number, a length or a count. */
export interface Range {
  least: number;
  most: number;
}

/** One way in which a value can be: all of its atoms hold. */
export class Form {
  readonly atoms: readonly Atom[];
  readonly types: readonly TypeName[];

  constructor(atoms: readonly Atom[]) {
    this.atoms = atoms;
    const allowed = atoms.map(typesOf);
    this.types = TYPES.filter((type) => allowed.every((types) => types.includes(type)));
  }

  /** The value itself, where it is known. */
  get value(): Json | undefined {
    return this.atoms.find((atom) => atom.is === "value")?.value;
  }

  /** Why nothing is known of it; null when something is. */
  get unknown(): LocalizedText | null {
    if (!this.atoms.every((atom) => atom.is === "unknown")) return null;
    const [first] = this.atoms;
    return first?.is === "unknown" ? first.reason : localized("any_value")`may be any value`;
  }

  /** Whether it is known by exactly this schema. */
  isOf(schema: JsonObject, root: Json): boolean {
    return this.#own().some(
      (atom) => isSameJson(atom.schema, schema) && (isSameJson(atom.root, root) || refsOf(schema).length === 0),
    );
  }

  /** Whether it is known to hold what another schema asks by one keyword. */
  says(keyword: string, value: Json): boolean {
    return refsOf(value).length === 0 && this.#own().some(({ schema }) => isSameJson(schema[keyword], value));
  }

  /** Its own schemas. */
  places(): { schema: JsonObject; root: Json }[] {
    return this.#own();
  }

  child(segment: string | number): Part {
    const asObject = this.types.includes("object") ? this.property(String(segment)) : "absent";
    const asArray = typeof segment === "number" && this.types.includes("array") ? this.item(segment) : "absent";
    if (asObject === "absent") return asArray;
    if (asArray === "absent") return asObject;
    if (asObject === "undeclared" || asArray === "undeclared") return "undeclared";
    return { is: "one of", sources: [asObject, asArray] };
  }

  property(name: string): Part {
    return joined(this.atoms.map((atom) => propertyOf(atom, name)));
  }

  item(index: number): Part {
    return index >= this.length.most ? "absent" : joined(this.atoms.map((atom) => itemOf(atom, index)));
  }

  isRequired(name: string): boolean {
    return this.atoms.some((atom) => {
      if (atom.is === "value") return childAt(atom.value, name) !== undefined;
      if (atom.is === "object") return atom.entries.get(name)?.required === true;
      return atom.is === "own" && Array.isArray(atom.schema.required) && atom.schema.required.includes(name);
    });
  }

  /** The declared keys that can be present. */
  get declared(): string[] {
    const names = this.atoms.flatMap((atom) => {
      if (atom.is === "object") return [...atom.entries.keys()];
      if (atom.is === "value") return isJsonObject(atom.value) ? Object.keys(atom.value) : [];
      return atom.is === "own" && isJsonObject(atom.schema.properties) ? Object.keys(atom.schema.properties) : [];
    });
    return [...new Set(names)].filter((name) => this.property(name) !== "absent");
  }

  /** The value of undeclared keys. */
  get otherProperties(): Part {
    return joined(this.atoms.map(othersOf));
  }

  /** How many items of an array are declared one by one. */
  get tupled(): number {
    return Math.max(0, ...this.atoms.map(tupleLength));
  }

  get length(): Range {
    const exact = this.atoms.find((atom) => atom.is === "array");
    if (exact) return { least: exact.items.length, most: exact.items.length };
    return this.range("minItems", "maxItems", 0);
  }

  get count(): Range {
    const { least, most } = this.range("minProperties", "maxProperties", 0);
    const { declared } = this;
    const required = declared.filter((name) => this.isRequired(name)).length;
    return {
      least: Math.max(least, required),
      most: this.otherProperties === "absent" ? Math.min(most, declared.length) : most,
    };
  }

  range(lower: string, upper: string, least: number): Range {
    const numbers = (keyword: string) =>
      this.#own().flatMap(({ schema }) => {
        const value = schema[keyword];
        return typeof value === "number" ? [value] : [];
      });
    return { least: Math.max(least, ...numbers(lower)), most: Math.min(Number.POSITIVE_INFINITY, ...numbers(upper)) };
  }

  #own() {
    return this.atoms.filter((atom) => atom.is === "own");
  }
}

function typesOf(atom: Atom): readonly TypeName[] {
  switch (atom.is) {
    case "value":
      return [typeOfValue(atom.value)];
    case "object":
    case "array":
      return [atom.is];
    case "unknown":
      return TYPES;
    case "own":
      return typesOfSchema(atom.schema);
    default:
      return atom satisfies never;
  }
}

/** The types that a schema's `type` allows; all of them when it has none. */
export function typesOfSchema({ type, nullable }: JsonObject): readonly TypeName[] {
  if (type === undefined) return TYPES;
  const names = Array.isArray(type) ? type : [type];
  // What Ajv makes of OpenAPI's word.
  const all = nullable === true ? [...names, "null"] : names;
  return TYPES.filter(
    (known) => all.includes(known) || ((known === "integer" || known === "fraction") && all.includes("number")),
  );
}

function typeOfValue(value: Json): TypeName {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "fraction";
  if (typeof value === "boolean") return "boolean";
  return typeof value === "string" ? "string" : "object";
}

function joined(parts: readonly Part[]): Part {
  if (parts.includes("absent")) return "absent";
  const sources = parts.filter((part) => typeof part !== "string");
  const [first, ...others] = sources;
  if (!first) return "undeclared";
  return others.length === 0 ? first : { is: "all of", sources };
}

function propertyOf(atom: Atom, name: string): Part {
  switch (atom.is) {
    case "value":
      return ofValue(isJsonObject(atom.value) ? childAt(atom.value, name) : undefined);
    case "object":
      return atom.entries.get(name)?.source ?? "absent";
    case "array":
      return "absent";
    case "unknown":
      return "undeclared";
    case "own": {
      const { properties } = atom.schema;
      const own = isJsonObject(properties) ? childAt(properties, name) : undefined;
      return own === undefined ? othersOf(atom) : ofSchema(own, atom.root);
    }
    default:
      return atom satisfies never;
  }
}

/** Patterns of keys are strangers' code, so they are not run: what might match one is undeclared. */
function othersOf(atom: Atom): Part {
  if (atom.is === "unknown") return "undeclared";
  if (atom.is !== "own") return "absent";
  const { additionalProperties, patternProperties } = atom.schema;
  if (isJsonObject(patternProperties) && Object.keys(patternProperties).length > 0) return "undeclared";
  return additionalProperties === undefined ? "undeclared" : ofSchema(additionalProperties, atom.root);
}

function itemOf(atom: Atom, index: number): Part {
  switch (atom.is) {
    case "value":
      return ofValue(Array.isArray(atom.value) ? atom.value[index] : undefined);
    case "array":
      return atom.items[index] ?? "absent";
    case "object":
      return "absent";
    case "unknown":
      return "undeclared";
    case "own": {
      const { tuple, rest } = itemSchemas(atom.schema);
      const schema = index < tuple.length ? tuple[index] : rest;
      return schema === undefined ? "undeclared" : ofSchema(schema, atom.root);
    }
    default:
      return atom satisfies never;
  }
}

function tupleLength(atom: Atom): number {
  if (atom.is === "array") return atom.items.length;
  return atom.is === "own" ? itemSchemas(atom.schema).tuple.length : 0;
}

/** The schemas of an array's first items, and of the rest; draft-07 has other words for them. */
export function itemSchemas({ prefixItems, items, additionalItems }: JsonObject): {
  tuple: Json[];
  rest: Json | undefined;
} {
  if (Array.isArray(items)) return { tuple: items, rest: additionalItems };
  return { tuple: Array.isArray(prefixItems) ? prefixItems : [], rest: items };
}

function ofValue(value: Json | undefined): Part {
  return value === undefined ? "absent" : { is: "value", value };
}

function ofSchema(schema: Json, root: Json): Part {
  if (schema === false) return "absent";
  if (schema === true) return "undeclared";
  return { is: "schema", place: { schema, root } };
}
