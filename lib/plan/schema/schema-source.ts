import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { type LocalizedText, localized } from "../localized-text.ts";
import type { Path } from "../reference.ts";
import { type Atom, Form, type Part } from "./schema-form.ts";
import { type Place, resolveRef } from "./schema-place.ts";

/** What is known of a value before it is there. */
export type Source =
  | { is: "value"; value: Json }
  | { is: "schema"; place: Place }
  /** Any one of them; of none, when something about it is wrong already and has been told. */
  | { is: "one of"; sources: readonly Source[] }
  /** What all of them say holds. */
  | { is: "all of"; sources: readonly Source[] }
  /** An object with exactly these keys, those that are not required perhaps missing. */
  | { is: "object"; entries: ReadonlyMap<string, { source: Source; required: boolean }> }
  | { is: "array"; items: readonly Source[] }
  /** What is read here: each of them can be what arrives, so that each has to fit. */
  | { is: "reads"; reads: readonly { reference: string; source: Source }[] }
  /** `reason` follows the value's name: "may be anything, …". */
  | { is: "unknown"; reason: LocalizedText };

/** Something is wrong with it that has been told already: nothing more is said. */
export const TOLD: Source = { is: "one of", sources: [] };

/** A union of schemas can grow without bound by `allOf` of `anyOf`; nobody writes that many by hand. */
const MOST_FORMS = 64;
/** Schemas may refer to themselves. */
const MOST_STEPS = 16;

export function schemaSource(schema: Json, root: Json = schema): Source {
  return { is: "schema", place: { schema, root } };
}

/** Everything that a value can be, each way by itself; none when it can never be there. */
export function formsOf(source: Source): Form[] {
  return expand(source, 0).map((atoms) => new Form(atoms));
}

/** What is known of a part of a value; null when it can never be there. */
export function partAt(source: Source, path: Path): Source | null {
  let part: Source | null = source;
  for (const segment of path) {
    if (part === null || part === TOLD || part.is === "unknown") return part;
    part = oneOf(formsOf(part).flatMap((form) => sourceOf(form.child(segment)) ?? []));
  }
  return part;
}

/** A part as a source; null when it can never be there. */
export function sourceOf(part: Part): Source | null {
  if (part === "absent") return null;
  return part === "undeclared" ? UNDECLARED : part;
}

const UNDECLARED: Source = {
  is: "unknown",
  reason: localized("not_described")`is not described by the schema of the value written there`,
};

/** One of several sources; null for none. */
export function oneOf(sources: readonly Source[]): Source | null {
  const [first, ...others] = sources;
  if (!first) return null;
  return others.length === 0 ? first : { is: "one of", sources };
}

function expand(source: Source, steps: number): Atom[][] {
  switch (source.is) {
    case "schema":
      return expandSchema(source.place, steps);
    case "one of":
      return bounded(source.sources.flatMap((each) => expand(each, steps)));
    case "all of":
      return product(source.sources.map((each) => expand(each, steps)));
    case "reads":
      return bounded(source.reads.flatMap((read) => expand(read.source, steps)));
    case "value":
    case "object":
    case "array":
    case "unknown":
      return [[source]];
    default:
      return source satisfies never;
  }
}

/** What narrows a schema's values and is not looked at (`not`, `if`) only makes what is known less certain. */
function expandSchema({ schema, root }: Place, steps: number): Atom[][] {
  if (schema === false) return [];
  if (!isJsonObject(schema)) return [[]];
  if (steps > MOST_STEPS)
    return [[{ is: "unknown", reason: localized("recursive_schema")`has a schema that refers to itself` }]];
  const place = (part: Json): Source => ({ is: "schema", place: { schema: part, root } });
  const parts = [...refParts(schema, root), ...schemaParts(schema, place)];
  return product([[[{ is: "own", schema, root }]], ...parts.map((part) => expand(part, steps + 1))]);
}

function refParts(schema: JsonObject, root: Json): Source[] {
  if (schema.$ref === undefined) return [];
  const found = resolveRef(schema.$ref, root);
  return [
    found
      ? { is: "schema", place: found }
      : { is: "unknown", reason: localized("external_schema")`has a schema in another document` },
  ];
}

function schemaParts(schema: JsonObject, place: (part: Json) => Source): Source[] {
  const union = (parts: Json[]): Source => ({ is: "one of", sources: parts.map(place) });
  const values = Array.isArray(schema.enum) && schema.enum.length <= MOST_FORMS ? [schema.enum] : [];
  if (schema.const !== undefined) values.push([schema.const]);
  return [
    ...(Array.isArray(schema.allOf) ? schema.allOf.map(place) : []),
    ...(Array.isArray(schema.anyOf) ? [union(schema.anyOf)] : []),
    ...(Array.isArray(schema.oneOf) ? [union(schema.oneOf)] : []),
    ...values.map((each): Source => ({ is: "one of", sources: each.map((value) => ({ is: "value", value })) })),
  ];
}

function product(factors: readonly Atom[][][]): Atom[][] {
  return factors.reduce<Atom[][]>(
    (all, factor) => bounded(all.flatMap((atoms) => factor.map((more) => [...atoms, ...more]))),
    [[]],
  );
}

function bounded(forms: Atom[][]): Atom[][] {
  return forms.length <= MOST_FORMS
    ? forms
    : [[{ is: "unknown", reason: localized("too_many_variants")`has too many variants to compare` }]];
}
