import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { JSON_TEXT } from "./answer-json.ts";
import {
  mergedAll,
  namesNull,
  propertiesOf,
  requiredOf,
  TYPES,
  type Type,
  target,
  typeOf,
  typesOf,
  valuesOf,
} from "./schema-parts.ts";
import { checks, describe, MOST_VALUES } from "./strict-keywords.ts";

/** The strict format nests objects and lists ten levels at most; what lies deeper is taken as JSON text. */
const MOST_LEVELS = 10;

/** What may stand in the place of a value (P3). */
export const REFERENCE: JsonObject = {
  type: "string",
  pattern: "^†[^†]",
  description: "A reference: †state.path",
};
const TEXT_OF_JSON: JsonObject = {
  type: "object",
  description: "Any value, written as JSON text",
  properties: { [JSON_TEXT]: { type: "string" } },
  required: [JSON_TEXT],
  additionalProperties: false,
};
const ANYTHING: JsonObject = {
  anyOf: [
    { type: "string" },
    { type: "number" },
    { type: "boolean" },
    { type: "null" },
    { type: "array", items: { $ref: "#/$defs/anything" } },
    { $ref: "#/$defs/json" },
  ],
};

/** Where a schema stands. */
interface Place {
  /** What its `$ref` point into. */
  document: Json;
  /** A reference may stand in the place of a value (P3). */
  references: boolean;
  /** How many objects and lists it lies in. */
  level: number;
}

/**
 * Writes JSON Schemas in the subset that strict structured outputs take: every object closed, every key required, an
 * optional one null. What that cannot express is relaxed and told in the description; the engine checks it afterwards.
 */
export class StrictWriter {
  private readonly definitions = new Map<string, JsonObject>();
  /** The definition of each `$ref`, by what it points into. */
  private readonly names = new Map<Json, Map<string, string>>();
  /** Schemas with `allOf` that are being written. */
  private readonly merging = new Set<JsonObject>();
  /** Definitions that are being written, as far as no object or list lies in between: one that leads back to these says nothing. */
  private circle: readonly string[] = [];

  /** The schema of a value in the strict subset. */
  write(schema: Json, place: Place): JsonObject {
    return united(this.alternatives(schema, place), describe(schema));
  }

  /** The same, or null; for what may be left out. */
  writeOptional(schema: Json, place: Place): JsonObject {
    const alternatives = this.alternatives(schema, place);
    const nullable = alternatives.some(({ type }) => type === "null") || namesNull(schema, place.document);
    return united(nullable ? alternatives : [...alternatives, { type: "null" }], describe(schema));
  }

  /** What the schemas written so far refer to, for the `$defs` of the whole. */
  get defs(): JsonObject {
    return Object.fromEntries(this.definitions);
  }

  /** Any value at all. */
  anything(): JsonObject {
    this.definitions.set("anything", ANYTHING);
    this.definitions.set("json", TEXT_OF_JSON);
    return { $ref: "#/$defs/anything" };
  }

  private alternatives(schema: Json, place: Place): JsonObject[] {
    const plain = this.plain(schema, place);
    const takesText = plain.some((each) => isFreeText(each) || each.$ref === "#/$defs/anything");
    if (!place.references || takesText) return plain;
    this.definitions.set("reference", REFERENCE);
    return [...plain, { $ref: "#/$defs/reference" }];
  }

  /** The alternatives without references in the place of the value itself. */
  private plain(schema: Json, place: Place): JsonObject[] {
    if (!isJsonObject(schema)) return [this.anything()];
    if (schema.$ref !== undefined) return [this.referred(schema, place)];
    if (schema.allOf === undefined) return this.single(schema, place);
    const wrapped = wrappedIn(schema);
    if (wrapped) return [this.referred(wrapped, place)];
    // One that is a part of itself has no end.
    const merged = this.merging.has(schema) ? null : mergedAll(schema, place.document);
    if (merged === null) return [this.anything()];
    this.merging.add(schema);
    const alternatives = this.single(merged, place);
    this.merging.delete(schema);
    return alternatives;
  }

  private single(schema: JsonObject, place: Place): JsonObject[] {
    const values = valuesOf(schema);
    if (values) return this.enumerated(schema, values);
    const types = typesOf(schema);
    if (types) return types.flatMap((type) => this.typed(type, schema, place));
    const choices = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(choices) && choices.length > 0)
      return choices.flatMap((choice) => withWords(this.plain(choice, place), describe(choice)));
    return [this.anything()];
  }

  private enumerated(schema: JsonObject, values: readonly Json[]): JsonObject[] {
    const scalars = values.filter((value) => typeof value !== "object" || value === null);
    const allowed = typesOf(schema);
    const types = TYPES.filter((type) => scalars.some((value) => typeOf(value) === type));
    if (scalars.length < values.length || types.length === 0) return [this.anything()];
    return types.flatMap((type) => {
      const own = scalars.filter((value) => typeOf(value) === type);
      const written = type === "number" && allowed?.includes("integer") ? "integer" : type;
      return values.length > MOST_VALUES ? [{ type: written }] : [{ type: written, enum: own }];
    });
  }

  private typed(type: Type, schema: JsonObject, place: Place): JsonObject[] {
    switch (type) {
      case "object":
        return this.apart(() => this.object(schema, place));
      case "array":
        if (place.level >= MOST_LEVELS) return [this.jsonText()];
        return this.apart(() => [
          { type, items: this.items(schema, { ...place, level: place.level + 1 }), ...checks(type, schema) },
        ]);
      case "string":
      case "number":
      case "integer":
      case "boolean":
      case "null":
        return [{ type, ...checks(type, schema) }];
      default:
        return type satisfies never;
    }
  }

  private items(schema: JsonObject, place: Place): JsonObject {
    return schema.items === undefined || Array.isArray(schema.items) || schema.prefixItems !== undefined
      ? this.anything()
      : this.write(schema.items, place);
  }

  /** Keys that the schema does not name can be given as JSON text only. */
  private object(schema: JsonObject, place: Place): JsonObject[] {
    const properties = Object.entries(propertiesOf(schema));
    const extra = schema.additionalProperties ?? properties.length === 0;
    const open = extra !== false || schema.patternProperties !== undefined;
    if (place.level >= MOST_LEVELS) return [this.jsonText()];
    const closed = this.closed(properties, requiredOf(schema), { ...place, level: place.level + 1 });
    if (!open) return [closed];
    return properties.length === 0 ? [this.jsonText()] : [closed, this.jsonText()];
  }

  private closed(properties: readonly [string, Json][], required: readonly string[], place: Place): JsonObject {
    // A key of one value tells alternatives apart, and the format wants to know it first.
    const ordered = [...properties].sort(([, a], [, b]) => Number(isConstant(b)) - Number(isConstant(a)));
    const written = ordered.map(([key, schema]): [string, JsonObject] => [
      key,
      required.includes(key) ? this.write(schema, place) : this.writeOptional(schema, place),
    ]);
    return closedObject(Object.fromEntries(written));
  }

  private jsonText(): JsonObject {
    this.definitions.set("json", TEXT_OF_JSON);
    return { $ref: "#/$defs/json" };
  }

  /** A definition of its own, so that a schema may refer to itself. */
  private referred(reference: JsonObject, place: Place): JsonObject {
    const found = target(reference, place.document);
    if (found === undefined) return this.anything();
    const names = this.names.get(place.document) ?? new Map<string, string>();
    this.names.set(place.document, names);
    const key = `${place.references} ${String(reference.$ref)}`;
    const known = names.get(key);
    if (known !== undefined) return this.circle.includes(known) ? this.anything() : { $ref: `#/$defs/${known}` };
    const name = `d${this.definitions.size}`;
    names.set(key, name);
    // Holds the name while the definition, which may refer to itself, is written.
    this.definitions.set(name, {});
    const outside = this.circle;
    this.circle = [...outside, name];
    this.definitions.set(name, united(this.plain(found, place), describe(found)));
    this.circle = outside;
    return { $ref: `#/$defs/${name}` };
  }

  /** Writes what lies in an object or a list: there a schema may lead back to itself. */
  private apart(write: () => JsonObject[]): JsonObject[] {
    const outside = this.circle;
    this.circle = [];
    const written = write();
    this.circle = outside;
    return written;
  }
}

/** An object with exactly these keys. */
export function closedObject(properties: JsonObject): JsonObject {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** The one `$ref` of an `allOf` that is there only to put a description beside it. */
function wrappedIn({ allOf, description: _, title: __, ...others }: JsonObject): JsonObject | null {
  if (!Array.isArray(allOf) || allOf.length > 1 || Object.keys(others).length > 0) return null;
  const [only] = allOf;
  return isJsonObject(only) && only.$ref !== undefined ? only : null;
}

function isConstant(schema: Json): boolean {
  return isJsonObject(schema) && valuesOf(schema)?.length === 1;
}

/** Whether a schema takes any text, and so a reference, too. */
export function isFreeText(schema: JsonObject): boolean {
  return schema.type === "string" && !["enum", "pattern", "format"].some((key) => schema[key] !== undefined);
}

function withWords(alternatives: readonly JsonObject[], words: string): JsonObject[] {
  return alternatives.map((each) => (words === "" || each.$ref !== undefined ? each : { ...each, description: words }));
}

function united(alternatives: readonly JsonObject[], words: string): JsonObject {
  const [only, ...others] = alternatives;
  const schema = only !== undefined && others.length === 0 ? only : { anyOf: [...alternatives] };
  if (words === "") return schema;
  // Nothing may stand beside a $ref.
  return schema.$ref === undefined ? { ...schema, description: words } : { anyOf: [schema], description: words };
}
