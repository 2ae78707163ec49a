import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";
import type { DataMessage, TextMessage } from "./message.ts";
import { isName, type Path } from "./reference.ts";

export interface MessageFault {
  path: Path;
  message: string;
}

export type ReadMessage = { ok: true; message: DataMessage | TextMessage } | { ok: false; faults: MessageFault[] };

/** Instances are part of keys and events, which bound them. */
const LONGEST_INSTANCE = 200;
const ROLES = ["system", "user", "assistant"] as const;
/** Kinds that may be sent as the message's type, with their fields beside it. */
const SHORT_KINDS = new Set(["state", "input", "plan"]);
/** What belongs to a message and not to the data of a short form. */
const OWN_FIELDS = new Set(["type", "schema", "description", "_instance"]);

/**
 * Brings one message of a context to its one form (P14a): a data message, `{type: "state" | "input", …fields}`, the
 * same with its data under its type's name, `{type: "plan", plan: […]}`, a schema alone, or `{role, content}`.
 */
export function readMessage(raw: JsonObject): ReadMessage {
  const faults: MessageFault[] = [];
  const report = (path: Path, message: string) => faults.push({ path, message });
  const message = raw.type === undefined && raw.role !== undefined ? readText(raw, report) : readData(raw, report);
  return message && faults.length === 0 ? { ok: true, message } : { ok: false, faults };
}

type Report = (path: Path, message: string) => void;

function readText(raw: JsonObject, report: Report): TextMessage | undefined {
  const { role, content } = raw;
  refuseOthers(raw, new Set(["role", "content"]), report);
  const known = ROLES.find((each) => each === role);
  if (!known) report(["role"], `must be one of ${ROLES.join(", ")}`);
  if (typeof content !== "string") report(["content"], "must be a string");
  return known && typeof content === "string" ? { role: known, content } : undefined;
}

function readData(raw: JsonObject, report: Report): DataMessage | undefined {
  const kind = readKind(raw, report);
  if (kind === undefined) return undefined;
  const data = raw.type === "data" ? readFull(raw, report) : readShort(raw, kind);
  const schema = readSchema(raw.schema, report);
  const description = readDescription(raw.description, report);
  if (kind === "state" && data !== undefined && !isJsonObject(data)) report(placeOfData(raw), "must be an object");
  return {
    kind,
    instance: readInstance(raw, report),
    ...(data === undefined ? {} : { data }),
    ...(schema === undefined ? {} : { schema }),
    ...(description === undefined ? {} : { description }),
  };
}

function readKind({ type, kind }: JsonObject, report: Report): string | undefined {
  if (typeof type === "string" && SHORT_KINDS.has(type)) return type;
  if (type !== "data") report(["type"], "must be data, state, input or plan; a text message has a role instead");
  else if (typeof kind !== "string" || !isName(kind))
    report(["kind"], "must be a name of letters, digits, _ and -, as in †kind");
  else return kind;
  return undefined;
}

function readFull(raw: JsonObject, report: Report): Json | undefined {
  refuseOthers(raw, new Set([...OWN_FIELDS, "kind", "data"]), report);
  const isBlueprint = raw.schema !== undefined && raw.schema !== null;
  if (raw.data === undefined && !isBlueprint) report(["data"], "is required without a schema");
  return raw.data;
}

/** A short form's data: what stands under its kind's name if nothing else does, else its fields; none for a blueprint. */
function readShort(raw: JsonObject, kind: string): Json | undefined {
  const fields = Object.entries(raw).filter(([name]) => !OWN_FIELDS.has(name));
  const [first] = fields;
  if (!first) return raw.schema === undefined || raw.schema === null ? {} : undefined;
  const [name, value] = first;
  const isWrapped = fields.length === 1 && name === kind && typeof value === "object" && value !== null;
  return isWrapped ? value : Object.fromEntries(fields);
}

function placeOfData(raw: JsonObject): Path {
  return [raw.type === "data" ? "data" : "state"];
}

function readInstance(raw: JsonObject, report: Report): string {
  const unknown = Object.keys(raw).find((name) => name.startsWith("_") && name !== "_instance");
  if (unknown !== undefined) report([unknown], "is not a property of a message; the nearest is _instance");
  const instance = raw._instance ?? "";
  if (typeof instance === "string" && instance.length <= LONGEST_INSTANCE && !/\p{Cc}/u.test(instance)) return instance;
  report(["_instance"], `must be a string of at most ${LONGEST_INSTANCE} characters without control characters`);
  return "";
}

function readSchema(schema: Json | undefined, report: Report): Json | undefined {
  if (schema === undefined || schema === null) return undefined;
  if (isJsonObject(schema) || typeof schema === "boolean") return schema;
  report(["schema"], "must be a JSON Schema; put a field of this name into data");
  return undefined;
}

function readDescription(description: Json | undefined, report: Report): string | undefined {
  if (description === undefined || description === null) return undefined;
  if (typeof description === "string") return description;
  report(["description"], "must be a string; put a field of this name into data");
  return undefined;
}

function refuseOthers(raw: JsonObject, known: ReadonlySet<string>, report: Report): void {
  for (const name of Object.keys(raw)) if (!known.has(name)) report([name], "is not a known field");
}
