import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import type { BitrixClient, Command } from "../client.ts";
import type { NamedCommand } from "./batch.ts";
import { found } from "./result.ts";

/** The maximum wait for current values before an approval is requested, ms. */
const LONGEST_MS = 5_000;

/** How the fields that a change would replace are read. */
interface Reader extends Command {
  pick(result: Json): JsonObject;
}

/**
 * The current values of the fields that a change would replace (M9); null if it replaces none. Throws an
 * `ActivityError`.
 */
export async function valuesBefore(
  client: BitrixClient,
  method: string,
  params: JsonObject,
  signal: AbortSignal,
): Promise<JsonObject | null> {
  const reader = readerOf(method, params);
  if (!reader) return null;
  const { result } = await client.call(reader.method, reader.params, { signal, within: LONGEST_MS });
  return reader.pick(found(reader.method, result));
}

/** The same for the commands of a batch, by name; those that cannot be read are left out. */
export async function valuesBeforeAll(
  client: BitrixClient,
  commands: readonly NamedCommand[],
  signal: AbortSignal,
): Promise<JsonObject | null> {
  const readers = commands.flatMap(({ name, method, params }): [string, Reader][] => {
    const reader = readerOf(method.name, params);
    return reader ? [[name, reader]] : [];
  });
  if (readers.length === 0) return null;
  const { result } = await client.batch(Object.fromEntries(readers), { halt: false, signal, within: LONGEST_MS });
  return Object.fromEntries(
    readers.flatMap(([name, { pick }]): [string, JsonObject][] => {
      const object = Object.hasOwn(result, name) ? result[name] : undefined;
      return isJsonObject(object) ? [[name, pick(object)]] : [];
    }),
  );
}

function readerOf(method: string, { id = null, taskId = null, fields }: JsonObject): Reader | null {
  const names = isJsonObject(fields) ? Object.keys(fields) : [];
  // The id is the result of an earlier command of the batch, and not known yet.
  if (names.length === 0 || [id, taskId].some((each) => String(each).startsWith("$result"))) return null;
  const [, kind] = /^crm\.(deal|contact|company|activity)\.update$/.exec(method) ?? [];
  if (kind !== undefined) {
    return { method: `crm.${kind}.get`, params: { id }, pick: (object) => picked(object, names, (name) => name) };
  }
  if (method !== "tasks.task.update") return null;
  return {
    method: "tasks.task.get",
    params: { taskId, select: ["ID", ...names] },
    pick: (result) => picked(isJsonObject(result) ? (result.task ?? null) : null, names, camelCase),
  };
}

/** Fields that the portal does not return are left out. */
function picked(object: Json, names: readonly string[], answeredName: (name: string) => string): JsonObject {
  if (!isJsonObject(object)) return {};
  return Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const value = Object.hasOwn(object, answeredName(name)) ? object[answeredName(name)] : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** `UF_CRM_TASK` is written, `ufCrmTask` is returned. */
function camelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
