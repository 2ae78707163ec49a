import type { Payload } from "../../../session/events/catalogue.ts";
import { isJsonObject, type JsonObject } from "../../../session/json/json.ts";
import { type PatchOperation, patchBetween, patched } from "../../../session/json/patch.ts";

/** A user's memory document, from the log of a top-level run and its delegates' runs. */
export class RunMemory {
  /** Null until the log has it. */
  document: JsonObject | null = null;
  /** The version of the stored document; null if unknown. */
  version: number | null = null;

  apply({ delta, version }: Payload<"memory.updated">): void {
    const document = patched(this.document ?? {}, delta);
    if (!isJsonObject(document)) throw new Error("The log's own patch makes no document");
    this.document = document;
    this.version = version ?? 0;
  }

  /** What leads from the document as the log tells it to this one, which is stored over `version`; null: from whatever it is. */
  deltaTo(document: JsonObject, version: number | null): Payload<"memory.updated">["delta"] {
    const whole: PatchOperation[] = [{ op: "replace", path: "", value: document }];
    if (this.document === null || this.version !== version) return whole;
    const delta = patchBetween(this.document, document);
    return delta.some(({ path }) => UNNAMEABLE.test(path)) ? whole : delta;
  }
}

/** A document may hold such keys, and no patch may name them (P8). */
const UNNAMEABLE = /\/(__proto__|constructor\/prototype)(\/|$)/;
