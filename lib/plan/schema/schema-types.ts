import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { type LocalizedText, localized } from "../localized-text.ts";
import { compareArray } from "./schema-array.ts";
import type { SchemaChecker } from "./schema-checker.ts";
import { type Comparing, type Finding, open, sure } from "./schema-finding.ts";
import { type Form, TYPES, type TypeName, typesOfSchema } from "./schema-form.ts";
import { constrains, UNCOMPARED } from "./schema-keywords.ts";
import { compareObject } from "./schema-object.ts";
import { type Place, resolveRef, standalone } from "./schema-place.ts";
import { compareNumber, compareString } from "./schema-scalar.ts";
import { formsOf, type Source } from "./schema-source.ts";

/** Comparisons within that of one value: schemas of people have dozens, those that refer to themselves would never end. */
const MOST_STEPS = 4_000;
const MOST_DEPTH = 64;

/**
 * Compares what is known of values with JSON Schemas (P16). No finding: every value that the source allows fits. A
 * certain finding: none does. Anything else is a finding that is not certain, and says why. Keywords that cannot be
 * compared are of the last kind, unless the source says the very same.
 */
export class Comparison {
  readonly #checker: SchemaChecker;
  readonly #known = new WeakMap<Source, WeakMap<JsonObject, Finding[]>>();
  #steps = 0;

  constructor(checker: SchemaChecker) {
    this.#checker = checker;
  }

  compare(source: Source, target: Place): Finding[] {
    this.#steps = 0;
    return this.#compare(source, target, 0);
  }

  /** The same for a source that many calls have, such as a tool's result: what is found is kept. */
  compareShared(source: Source, target: Place): Finding[] {
    if (!isJsonObject(target.schema)) return this.compare(source, target);
    const known = this.#known.get(source) ?? new WeakMap<JsonObject, Finding[]>();
    this.#known.set(source, known);
    const findings = known.get(target.schema) ?? this.compare(source, target);
    known.set(target.schema, findings);
    return findings;
  }

  #compare(source: Source, target: Place, depth: number): Finding[] {
    if (target.schema === true || (isJsonObject(target.schema) && !constrains(target.schema))) return [];
    if (source.is === "value") return this.#faults(source.value, target);
    if (source.is === "unknown") return [open(source.reason)];
    if (source.is === "reads") {
      return source.reads.flatMap(({ reference, source: read }) => {
        this.#steps = 0;
        return this.#compare(read, target, depth).map((finding) => ({ reference, ...finding }));
      });
    }
    if (++this.#steps > MOST_STEPS || depth > MOST_DEPTH)
      return [open(localized("too_large")`is too large to compare with its schema`)];
    return either(formsOf(source).map((form) => this.#compareForm(form, target, depth)));
  }

  #compareForm(form: Form, target: Place, depth: number): Finding[] {
    const { schema, root } = target;
    if (schema === false) return [sure(localized("not_allowed")`is not allowed`)];
    if (!isJsonObject(schema)) return [];
    if (form.value !== undefined) return this.#faults(form.value, target);
    if (form.unknown !== null) return [open(form.unknown)];
    if (form.isOf(schema, root)) return [];
    const allowed = typesOfSchema(schema);
    const types = form.types.filter((type) => allowed.includes(type));
    if (types.length === 0)
      return [sure(localized("wrong_type")`is ${inWords(form.types)}, but must be ${inWords(allowed)}`)];
    const comparing: Comparing = {
      form,
      schema,
      types,
      compare: (part, inner) => this.#compare(part, { schema: inner, root }, depth + 1),
    };
    const whole: Source = { is: "all of", sources: form.atoms.map(asSource) };
    const other = form.types.filter((type) => !allowed.includes(type));
    return [
      ...(other.length > 0
        ? [open(localized("maybe_wrong_type")`may be ${inWords(other)}, but must be ${inWords(allowed)}`)]
        : []),
      ...this.#compareValues(form, schema),
      ...compareNumber(comparing),
      ...compareString(comparing),
      ...compareArray(comparing),
      ...compareObject(comparing),
      ...compareCombined(comparing, whole),
      ...(schema.$ref === undefined ? [] : this.#compareRef(whole, target, depth)),
      ...UNCOMPARED.filter((keyword) => schema[keyword] !== undefined).map((keyword) =>
        open(localized("keyword_at_run_time")`can be checked against ${keyword} only at run time`),
      ),
    ];
  }

  #compareRef(whole: Source, { schema, root }: Place, depth: number): Finding[] {
    const found = isJsonObject(schema) ? resolveRef(schema.$ref, root) : null;
    return found
      ? this.#compare(whole, found, depth + 1)
      : [open(localized("match_external_schema")`must match a schema in another document`)];
  }

  /** `enum` and `const`, of a value that has too many forms to try each. */
  #compareValues(form: Form, schema: JsonObject): Finding[] {
    const listed = valuesOf(schema);
    if (listed === null) return [];
    const few = finiteValues(form.types);
    if (few?.every((value) => listed.includes(value))) return [];
    const fitting = listed.filter((value) =>
      form.places().every((place) => this.#faults(value, place).every(({ certain }) => !certain)),
    );
    const names = listed.map((value) => JSON.stringify(value)).join(", ");
    return [
      fitting.length === 0
        ? sure(localized("is_none_of")`is none of ${names}`)
        : open(localized("must_be_one_of")`must be one of ${names}`),
    ];
  }

  #faults(value: Json, place: Place): Finding[] {
    const schema = standalone(place);
    if (schema === null || this.#checker.refusal(schema) !== null)
      return [open(localized("schema_at_run_time")`can be checked against its schema only at run time`)];
    return this.#checker.faults(schema, value).map((fault) => ({ certain: true, ...fault }));
  }
}

/** Of several forms one will come: it is certain only if it is for each of them. */
function either(forms: readonly Finding[][]): Finding[] {
  const wrong = forms.filter((findings) => findings.length > 0);
  const [first = []] = wrong;
  if (forms.every((findings) => findings.some(({ certain }) => certain))) return first;
  return first.map((finding) => ({ ...finding, certain: false }));
}

function compareCombined({ schema, compare }: Comparing, whole: Source): Finding[] {
  const { allOf, anyOf, oneOf, not } = schema;
  return [
    ...(Array.isArray(allOf) ? allOf.flatMap((each) => compare(whole, each)) : []),
    ...(Array.isArray(anyOf) ? anyOfThem(anyOf.map((each) => compare(whole, each))) : []),
    ...(Array.isArray(oneOf) ? oneOfThem(oneOf.map((each) => compare(whole, each))) : []),
    ...(not === undefined ? [] : negated(compare(whole, not))),
  ];
}

function anyOfThem(branches: readonly Finding[][]): Finding[] {
  if (branches.some((findings) => findings.length === 0)) return [];
  const possible = branches.filter((findings) => !findings.some(({ certain }) => certain));
  const [first = []] = possible.length > 0 ? possible : branches;
  return possible.length > 0
    ? first
    : [
        sure(
          localized(
            "no_variant",
          )`matches none of the allowed variants: it ${first[0] ?? localized("not_a_variant")`is not one of them`}`,
        ),
      ];
}

function oneOfThem(branches: readonly Finding[][]): Finding[] {
  const any = anyOfThem(branches);
  if (any.length > 0) return any;
  const possible = branches.filter((findings) => !findings.some(({ certain }) => certain));
  return possible.length === 1
    ? []
    : [open(localized("maybe_several_variants")`may match more than one variant, but must match exactly one`)];
}

function negated(findings: readonly Finding[]): Finding[] {
  if (findings.length === 0) return [sure(localized("matches_not")`matches a schema that is not allowed`)];
  return findings.some(({ certain }) => certain)
    ? []
    : [open(localized("maybe_matches_not")`may match a schema that is not allowed`)];
}

function asSource(atom: Form["atoms"][number]): Source {
  return atom.is === "own" ? { is: "schema", place: { schema: withoutBranches(atom.schema), root: atom.root } } : atom;
}

/** The keywords that have their forms already, or would give them again. */
const BRANCHES = new Set(["$ref", "allOf", "anyOf", "oneOf", "enum", "const"]);

function withoutBranches(schema: JsonObject): JsonObject {
  if (!Object.keys(schema).some((keyword) => BRANCHES.has(keyword))) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !BRANCHES.has(keyword)));
}

function valuesOf(schema: JsonObject): Json[] | null {
  if (schema.const !== undefined) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : null;
}

/** All values of these types, where they are few. */
function finiteValues(types: readonly TypeName[]): Json[] | null {
  if (!types.every((type) => type === "null" || type === "boolean")) return null;
  return types.flatMap((type): Json[] => (type === "null" ? [null] : [true, false]));
}

const NOUNS: Record<TypeName, LocalizedText> = {
  null: localized("null")`null`,
  boolean: localized("boolean")`true or false`,
  object: localized("object")`an object`,
  array: localized("array")`an array`,
  string: localized("string")`a string`,
  integer: localized("integer")`a whole number`,
  fraction: localized("fraction")`a number with a fraction`,
};

function inWords(types: readonly TypeName[]): LocalizedText {
  if (types.length === TYPES.length) return localized("anything")`anything`;
  const whole = types.includes("integer") && types.includes("fraction");
  const names = types.flatMap((type) => {
    if (!whole || (type !== "integer" && type !== "fraction")) return [NOUNS[type]];
    return type === "integer" ? [localized("number")`a number`] : [];
  });
  const last = names.pop() ?? localized("nothing")`nothing`;
  if (names.length === 0) return last;
  const others = names.reduce((before, name) => localized("list")`${before}, ${name}`);
  return localized("either")`${others} or ${last}`;
}
