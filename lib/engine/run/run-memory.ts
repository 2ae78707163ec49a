import jsonPatch, { type Operation } from "fast-json-patch";
import type { Payload } from "../../session/catalogue.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json.ts";

/** A user's document as the log of a top-level run and its delegates' runs tells it. */
export class RunMemory {
  /** Null before the log has it. */
  document: JsonObject | null = null;
  /** Of the stored document; null while none is known. */
  version: number | null = null;

  apply({ delta, version }: Payload<"memory.updated">): void {
    const operations: Operation[] = delta;
    const { newDocument } = jsonPatch.applyPatch<Json>(this.document ?? {}, operations, true, false, true);
    if (!isJsonObject(newDocument)) throw new Error("The log's own patch makes no document");
    this.document = newDocument;
    this.version = version ?? 0;
  }

  /** What leads from the document as the log tells it to this one, which is stored over `version`; null: from whatever it is. */
  deltaTo(document: JsonObject, version: number | null): Payload<"memory.updated">["delta"] {
    const whole: PatchOperation[] = [{ op: "replace", path: "", value: document }];
    if (this.document === null || this.version !== version) return whole;
    const delta = jsonPatch.compare(this.document, document).flatMap(asOperation);
    return delta.some(({ path }) => UNNAMEABLE.test(path)) ? whole : delta;
  }
}

/** A document may hold such keys, and no patch may name them (P8). */
const UNNAMEABLE = /\/(__proto__|constructor\/prototype)(\/|$)/;

type PatchOperation = Payload<"memory.updated">["delta"][number];

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
