import type { Json, JsonObject } from "../../session/json/json.ts";
import { type LocalizedText, localized } from "../localized-text.ts";
import { type PlanProblem, pointerTo } from "../problem.ts";
import type { Path } from "../reference.ts";
import { printReference } from "../reference.ts";
import type { SchemaChecker } from "../schema/schema-checker.ts";
import type { Finding } from "../schema/schema-finding.ts";
import { formsOf, oneOf, partAt, type Source, schemaSource, TOLD } from "../schema/schema-source.ts";
import type { Comparison } from "../schema/schema-types.ts";
import { outputSchema } from "../schema/tool-schema.ts";
import { errorAlternative } from "./targets.ts";
import { type KnownCall, writesWhole } from "./validate-calls.ts";

/** What a call writes to one of its targets. */
export interface Written {
  source: Source;
  /** The target takes errors, too (P10). */
  error: boolean;
}

/** The schema of what goes to an error alternative (P10). */
export const ERROR_SCHEMA: JsonObject = {
  type: "object",
  properties: { code: { type: "string" }, message: { type: "string" } },
  required: ["code", "message"],
  additionalProperties: false,
};
const ERROR = schemaSource(ERROR_SCHEMA);
const OBJECT = { schema: { type: "object" }, root: {} };

/** What each call of a plan gives, by the schemas of its tool and delegate; the same source for the same schemas. */
export class Results {
  readonly #sources = new Map<Json, Source>();
  readonly #parts = new WeakMap<Source, Map<string, Source | null>>();

  /** What a call gives as its result. */
  of({ call, tool, delegate }: KnownCall): Source {
    if (!tool) return TOLD;
    if (isLatent({ call, tool }) && call.result !== undefined) return { is: "value", value: call.result };
    const declared = [outputSchema(tool), delegate?.output_schema ?? undefined].flatMap((schema) =>
      schema === undefined ? [] : [this.#sourceOf(schema)],
    );
    const [first, ...others] = declared;
    if (!first)
      return {
        is: "unknown",
        reason: localized("any_output")`may be any value, because the tool ${tool.name} has no _output`,
      };
    return others.length === 0 ? first : { is: "all of", sources: declared };
  }

  /** A part of what is written; null when it can never be there. */
  partOf({ source, error }: Written, path: Path): Source | null {
    const part = this.#partAt(source, path);
    if (!error) return part;
    const ofError = this.#partAt(ERROR, path);
    // Where nothing is known of the result, the error's shape is all there is to go by.
    if (ofError === null || part === TOLD) return part;
    return part === null || part.is === "unknown" ? ofError : oneOf([part, ofError]);
  }

  #sourceOf(schema: Json): Source {
    const known = this.#sources.get(schema) ?? schemaSource(schema);
    this.#sources.set(schema, known);
    return known;
  }

  #partAt(source: Source, path: Path): Source | null {
    if (path.length === 0) return source;
    const parts = this.#parts.get(source) ?? new Map<string, Source | null>();
    this.#parts.set(source, parts);
    const key = JSON.stringify(path);
    const known = parts.get(key);
    if (known !== undefined) return known;
    const part = partAt(source, path);
    parts.set(key, part);
    return part;
  }
}

/** Whether the model itself produces a call's result (P2a). */
export function isLatent({ call, tool }: Pick<KnownCall, "call" | "tool">): boolean {
  return tool?.has_activity === false && call.activity === null && call.delegate === null;
}

/** What a call writes, target by target in the order of its output path. */
export function writtenBy(
  known: KnownCall,
  results: Results,
  stateSchema: Json | undefined,
  checker: SchemaChecker,
): Written[][] {
  const { call, back } = known;
  if (call.output === null) return [];
  const result = results.of(known);
  const errors = errorAlternative(call.output, stateSchema, checker);
  const alternatives = call.outputPath ?? [[]];
  return call.output.map((fanOut, alternative) => {
    const error = alternative === errors;
    // `†state` alone stands for the keys of the result, each of which is written by itself (P9).
    const whole = (alternatives[alternative] ?? []).findIndex(({ path }) => path.length === 0);
    const own = alternative === 0 ? fanOut.length - back : fanOut.length;
    const keys = whole < 0 ? 0 : own - (alternatives[alternative]?.length ?? 0) + 1;
    return fanOut.map(({ path }, target): Written => {
      if (target >= own)
        return {
          source: { is: "unknown", reason: localized("written_back")`is written back by a delegate` },
          error: false,
        };
      if (target < whole || target >= whole + keys) return { source: result, error };
      return { source: results.partOf({ source: result, error }, path) ?? TOLD, error: false };
    });
  });
}

/** What of a call's output the state's schema has no place for (P13, P16). */
export function checkWrites(
  known: KnownCall,
  written: readonly Written[][],
  results: Results,
  stateSchema: Json | undefined,
  comparison: Comparison,
): PlanProblem[] {
  const { call } = known;
  const problems: PlanProblem[] = [];
  const report = (
    severity: PlanProblem["severity"],
    text: LocalizedText,
    code: PlanProblem["code"] = "outside_schema",
  ) => problems.push({ code, severity, call: call.id, path: pointerTo(["_outputPath"]), ...text });
  if (writesWhole(call) && comparison.compareShared(results.of(known), OBJECT).some(({ certain }) => certain)) {
    report(
      "error",
      localized(
        "whole_state_not_object",
      )`${call.id} writes the whole †state, which must be an object, but the tool ${call.tool} returns none; write to a path below †state`,
    );
  }
  if (stateSchema === undefined) return problems;
  const state = schemaSource(stateSchema);
  call.output?.forEach((fanOut, alternative) => {
    fanOut.forEach((target, index) => {
      const name = printReference(target);
      const place = partAt(state, target.path);
      if (place === null)
        report(
          "error",
          localized(
            "write_not_allowed",
          )`The state's schema does not allow ${name}, which ${call.id} writes; write to a path that it describes, or add this path to it`,
        );
      else if (place.is === "unknown") {
        if (isDescribed(state, target.path))
          report(
            "warning",
            localized(
              "write_not_described",
            )`The state's schema does not describe ${name}, which ${call.id} writes; write to a path that it describes, or add this path to it`,
          );
      } else {
        const what = written[alternative]?.[index];
        if (what)
          for (const finding of misfits(what, place, results, comparison)) {
            const sentence = localized(
              "misfit",
            )`The value that ${call.id} writes to ${name} ${finding}, according to the state's schema`;
            if (finding.certain)
              report("error", localized("certain_misfit")`${sentence}; write to another path, or change the schema`);
            else
              report(
                "warning",
                localized("unchecked_misfit")`${sentence}; this is checked when it is written`,
                "unchecked",
              );
          }
      }
    });
  });
  return problems;
}

/** Whether a schema lists fields at the place above a path, so that one that it leaves out stands out. */
function isDescribed(state: Source, path: Path): boolean {
  const above = partAt(state, path.slice(0, -1));
  return above !== null && formsOf(above).some((form) => form.declared.length > 0);
}

/** The first way in which what is written breaks its place in the state's schema. */
function misfits({ source, error }: Written, place: Source, results: Results, comparison: Comparison): Finding[] {
  if (place.is !== "schema") return [];
  const what = results.partOf({ source, error }, []) ?? TOLD;
  // A tool that does not say what it gives is checked when the result is there, as every result is (P13).
  if (what.is === "unknown") return [];
  const findings = comparison.compareShared(what, place.place);
  const first = findings.find(({ certain }) => certain) ?? findings[0];
  return first ? [first] : [];
}
