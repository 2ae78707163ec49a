import jsonPatch, { type Operation } from "fast-json-patch";
import { setKey } from "../plan/state.ts";
import type { Payload } from "./catalogue.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

/** One step of a JSON Patch, as the log tells how a memory changes. */
export type PatchOperation = Payload<"memory.updated">["delta"][number];

/** What leads from one document to another (RFC 6902); nothing where they are the same. */
export function patchBetween(before: JsonObject, after: JsonObject): PatchOperation[] {
  return jsonPatch.compare(before, after).flatMap(asOperation);
}

/** The library compares by these three. */
function asOperation(operation: Operation): PatchOperation[] {
  switch (operation.op) {
    case "remove":
      return [{ op: "remove", path: operation.path }];
    case "add":
    case "replace":
      return [{ op: operation.op, path: operation.path, value: operation.value }];
    default:
      throw new Error(`A comparison gave the operation ${operation.op}`);
  }
}

/**
 * A document after a JSON Patch, all of it. What comes in stays as it is, and what no operation touches is shared with
 * it: a memory of thousands of entries costs no more than the entry that is added. Throws where the patch does not fit.
 */
export function patched(document: Json, operations: readonly PatchOperation[]): Json {
  // What was copied for this patch, and may be changed.
  const own = new Set<object>();
  return operations.reduce((result, operation) => applied(result, operation, own), document);
}

function applied(document: Json, operation: PatchOperation, own: Set<object>): Json {
  if (operation.op !== "move") return appliedInPlace(copiedAlong(document, operation.path, own), operation).newDocument;
  const { from, path } = operation;
  if (path.startsWith(`${from}/`)) throw new Error(`What stands at ${from} cannot be moved to ${path}, inside of it`);
  // The place to move to is looked for when it has been taken away: in an array what stood behind it moves up.
  const taken = appliedInPlace(copiedAlong(document, from, own), { op: "remove", path: from });
  const value: Json | undefined = taken.removed;
  if (value === undefined) throw new Error(`There is nothing to move at ${from}`);
  return appliedInPlace(copiedAlong(taken.newDocument, path, own), { op: "add", path, value }).newDocument;
}

function appliedInPlace(document: Json, operation: PatchOperation) {
  const result = jsonPatch.applyOperation<Json | undefined>(document, operation, true, true);
  const { newDocument } = result;
  // The library takes what is not there for the whole document.
  if (newDocument === undefined) throw new Error(`There is nothing to ${operation.op} to ${operation.path}`);
  return { ...result, newDocument };
}

/** The document with the collections above a place copied, unless they are the patch's own. */
function copiedAlong(document: Json, pointer: string, own: Set<object>): Json {
  const keys = pointer.split("/").slice(1, -1).map(jsonPatch.unescapePathComponent);
  const root = copied(document, own);
  let above = root;
  for (const key of keys) {
    const child = childOf(above, key);
    if (child === undefined) break;
    const copy = copied(child, own);
    if (Array.isArray(above)) above[Number(key)] = copy;
    else if (isJsonObject(above)) setKey(above, key, copy);
    above = copy;
  }
  return root;
}

function childOf(value: Json, key: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function copied(value: Json, own: Set<object>): Json {
  if (typeof value !== "object" || value === null || own.has(value)) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  own.add(copy);
  return copy;
}
