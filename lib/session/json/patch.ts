import jsonPatch, { type Operation } from "fast-json-patch";
import { setKey } from "../../plan/state.ts";
import type { Payload } from "../events/catalogue.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { weightOf } from "./weight.ts";

/** An operation of a JSON Patch, as recorded for changes of memory. */
export type PatchOperation = Payload<"memory.updated">["delta"][number];

/** The JSON Patch from one document to another (RFC 6902); empty if they are equal. */
export function patchBetween(before: JsonObject, after: JsonObject): PatchOperation[] {
  return jsonPatch.compare(before, after).flatMap(asOperation);
}

/** The library only generates these three. */
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

/** The maximum size of the result, in characters: that of a request. */
const MOST_SIZE = 5 * 1024 * 1024;
/** The maximum nesting, that of a request. */
const MOST_DEPTH = 64;
/** How much a patch may copy within the document, in characters: 27 copies of the whole make 2^27 of it. */
const MOST_COPIED = 2 * MOST_SIZE;
/** How many array entries a patch may shift: 20 million took 66 ms. */
const MOST_SHIFTED = 10_000_000;

/**
 * Applies a JSON Patch. The input is not changed, and unchanged parts are shared: adding an entry to a memory of
 * thousands costs no more than the entry. Throws if the patch does not apply, and at the first operation that makes the
 * document too large.
 */
export function patched(document: Json, operations: readonly PatchOperation[]): Json {
  const patch = new Patch(document);
  for (const operation of operations) patch.apply(operation);
  return patch.document;
}

/** A location in a document: its parent and its key. The root has none. */
interface Place {
  above: Json | undefined;
  key: string;
  depth: number;
}

class Patch {
  document: Json;
  /** Copies made for this patch, which may be mutated. */
  readonly #own = new Set<object>();
  #size: number;
  #copied = 0;
  #shifted = 0;

  constructor(document: Json) {
    this.document = document;
    this.#size = weightOf(document).size;
  }

  apply(operation: PatchOperation): void {
    switch (operation.op) {
      case "test":
        this.#copyAlong(operation.path);
        this.#inPlace(operation);
        return;
      case "remove":
        this.#remove(operation.path);
        return;
      case "add":
      case "replace":
        return this.#put(operation);
      case "copy":
        return this.#copy(operation);
      case "move":
        return this.#move(operation);
      default:
        return operation satisfies never;
    }
  }

  #remove(path: string): Json | undefined {
    const place = this.#copyAlong(path);
    this.#shift(place);
    const { removed } = this.#inPlace({ op: "remove", path });
    if (removed !== undefined) this.#size -= weightOf(removed, this.#own).size;
    return removed;
  }

  #put(operation: Extract<PatchOperation, { value: Json }>): void {
    const place = this.#copyAlong(operation.path);
    const { size, depth } = weightOf(operation.value, this.#own);
    const isInserted = operation.op === "add" && Array.isArray(place.above);
    if (isInserted) this.#shift(place);
    const gone = isInserted ? undefined : this.#at(place);
    this.#grow(operation, size - (gone === undefined ? 0 : weightOf(gone, this.#own).size), place.depth + depth);
    this.#inPlace(operation);
  }

  #copy(operation: Extract<PatchOperation, { from: string }>): void {
    const source = this.#at(this.#copyAlong(operation.from));
    // The library reports a missing one.
    const { size, depth } = weightOf(source ?? null, this.#own);
    this.#copied += size;
    if (this.#copied > MOST_COPIED)
      throw new Error(`The operations copy more than ${MOST_COPIED / 1024 / 1024} MB; send the values themselves`);
    const place = this.#copyAlong(operation.path);
    this.#grow(operation, size, place.depth + depth);
    if (Array.isArray(place.above)) this.#shift(place);
    this.#inPlace(operation);
  }

  #move({ from, path }: Extract<PatchOperation, { from: string }>): void {
    if (path.startsWith(`${from}/`))
      throw new Error(`The value at ${from} cannot be moved to ${path}, which is inside it`);
    // The target is resolved after the removal: in an array, later entries move up.
    const value = this.#remove(from);
    if (value === undefined) throw new Error(`There is no value at ${from} to move`);
    this.#put({ op: "add", path, value });
  }

  #grow({ op, path }: PatchOperation, size: number, depth: number): void {
    this.#size += size;
    if (this.#size > MOST_SIZE)
      throw new Error(`The operation ${op} at ${path} makes the document larger than ${MOST_SIZE / 1024 / 1024} MB`);
    if (depth > MOST_DEPTH)
      throw new Error(`The operation ${op} at ${path} nests the document deeper than ${MOST_DEPTH} levels`);
  }

  #shift({ above, key }: Place): void {
    if (!Array.isArray(above)) return;
    this.#shifted += key === "-" ? 0 : Math.max(0, above.length - Number(key));
    if (this.#shifted > MOST_SHIFTED)
      throw new Error("The operations shift too many array entries; replace the whole array");
  }

  #at({ above, key }: Place): Json | undefined {
    return above === undefined ? this.document : childOf(above, key);
  }

  #inPlace(operation: PatchOperation) {
    const result = jsonPatch.applyOperation<Json | undefined>(this.document, operation, true, true);
    const { newDocument } = result;
    // The library treats a missing one as the whole document.
    if (newDocument === undefined)
      throw new Error(`The operation ${operation.op} at ${operation.path} has no value to read`);
    this.document = newDocument;
    const removed: Json | undefined = result.removed;
    return { removed };
  }

  /** Copies the collections on the path to a location, unless copied before, and returns the location. */
  #copyAlong(pointer: string): Place {
    const keys = pointer.split("/").slice(1).map(jsonPatch.unescapePathComponent);
    const last = keys.pop();
    if (last === undefined) return { above: undefined, key: "", depth: 0 };
    this.document = copied(this.document, this.#own);
    let above = this.document;
    for (const key of keys) {
      const child = childOf(above, key);
      if (child === undefined) break;
      const copy = copied(child, this.#own);
      if (Array.isArray(above)) above[Number(key)] = copy;
      else if (isJsonObject(above)) setKey(above, key, copy);
      above = copy;
    }
    // Whether the library throws or does nothing depends on how it is bundled: it assigns to a property of a text or a number.
    if (typeof above !== "object" || above === null)
      throw new Error(`The parent of ${pointer} is neither an object nor an array`);
    return { above, key: last, depth: keys.length + 1 };
  }
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
