import type { PlanCall } from "@/lib/plan/call.ts";
import { readContext } from "@/lib/plan/context.ts";
import type { Context } from "@/lib/plan/message.ts";
import type { Target } from "@/lib/plan/output-path.ts";
import { type Path, printReference } from "@/lib/plan/reference.ts";
import { type Source, schemaSource } from "@/lib/plan/schema/schema-source.ts";
import { outputSchema, rootKeys } from "@/lib/plan/schema/tool-schema.ts";
import { isErrorTarget } from "@/lib/plan/validate/targets.ts";
import { ERROR_SCHEMA } from "@/lib/plan/validate/validate-writes.ts";
import { isJsonObject, type Json, type JsonObject } from "@/lib/session/json/json.ts";
import type { ReadCalls } from "../read-calls.ts";
import type { KnownTools } from "./toolbox.ts";

/** A path that a call can read, and its source. */
export interface KnownPath {
  /** As written: `†state.order.total`. */
  path: string;
  /** The call that writes it; null for the context. */
  writer: string | null;
  /** Its type by schema or value; null when unknown. */
  type: string | null;
  /** What is known of its value; of one in the context, its type. */
  source: Source;
}

/** Parts of a value are suggested to this depth below the written path. */
const DEEPEST = 3;
/** Limits the suggestions of a large schema. */
const MOST_PARTS = 60;

/** All paths that a plan's calls can read: outputs of other calls, data of the context, and its schemas. */
export function knownPaths({ calls }: ReadCalls, context: readonly JsonObject[], known: KnownTools): KnownPath[] {
  const found = new Map<string, KnownPath>();
  const add = (path: KnownPath) => found.has(path.path) || found.set(path.path, path);
  for (const call of calls) {
    const tool = known.tools.get(call.tool);
    const delegate = known.delegates.get(call.delegate ?? "");
    const schema = delegate?.output_schema ?? (tool && outputSchema(tool));
    for (const [target, isError] of targetsOf(call)) {
      const { path } = target;
      if (isError) {
        addParts({ kind: "state", path, document: ERROR_SCHEMA }, ERROR_SCHEMA, call.id, add);
        continue;
      }
      const below: [Path, Json | undefined][] =
        path.length > 0 ? [[path, schema]] : (tool ? rootKeys(tool) : []).map((key) => [[key], part(schema, key)]);
      for (const [at, of] of below) addParts({ kind: "state", path: at, document: schema }, of, call.id, add);
    }
  }
  for (const { kind, data, schema } of contextOf(context)?.data ?? []) {
    addValue({ kind, path: [], document: undefined }, data, add);
    addParts({ kind, path: [], document: schema }, schema, null, add);
  }
  return [...found.values()];
}

/** Where a call writes, and whether that is its error. */
function targetsOf({ outputPath }: PlanCall): [Target, boolean][] {
  const all = outputPath ?? [];
  return all.flatMap((fanOut, index) => {
    const isError = index > 0 && index === all.length - 1 && fanOut.every(isErrorTarget);
    return fanOut.map((target): [Target, boolean] => [target, isError]);
  });
}

/** The parsed context; null when invalid. */
export function contextOf(messages: readonly JsonObject[]): Context | null {
  const read = readContext(messages);
  return read.ok ? read.context : null;
}

interface Root {
  kind: string;
  path: Path;
  /** The schema that has the references of its parts. */
  document: Json | undefined;
}

type Add = (path: KnownPath) => void;

function addParts(root: Root, schema: Json | undefined, writer: string | null, add: Add, depth = 0): void {
  const source = schemaSource(schema ?? true, root.document ?? true);
  add({ path: printReference(root), writer, type: typeOf(schema), source });
  if (depth === DEEPEST || !isJsonObject(schema) || !isJsonObject(schema.properties)) return;
  for (const [key, of] of Object.entries(schema.properties).slice(0, MOST_PARTS))
    addParts({ ...root, path: [...root.path, key] }, of, writer, add, depth + 1);
}

function addValue(root: Root, value: Json | undefined, add: Add, depth = 0): void {
  if (value === undefined) return;
  const type = typeOfValue(value);
  add({ path: printReference(root), writer: null, type, source: schemaSource({ type: typeOfValue(value) }) });
  if (depth === DEEPEST || !isJsonObject(value)) return;
  for (const [key, of] of Object.entries(value).slice(0, MOST_PARTS))
    addValue({ ...root, path: [...root.path, key] }, of, add, depth + 1);
}

function typeOfValue(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

function part(schema: Json | undefined, key: string): Json | undefined {
  return isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties[key] : undefined;
}

/** The types that a schema allows; null when it has none. */
export function typeOf(schema: Json | undefined): string | null {
  if (!isJsonObject(schema)) return null;
  const { type } = schema;
  if (typeof type === "string") return type;
  return Array.isArray(type) ? type.filter((one) => typeof one === "string").join(" | ") : null;
}
