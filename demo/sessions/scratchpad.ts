import type { Read } from "../../lib/plan/call.ts";
import type { Target } from "../../lib/plan/output-path.ts";
import { overlaps } from "../../lib/plan/overlap.ts";
import { type Reference, valueAt } from "../../lib/plan/reference.ts";
import { isJsonObject, type Json, type JsonObject } from "../../lib/session/json/json.ts";
import type { Draft } from "./recording.ts";

/** The input and state of an instance during the simulation. */
export class Scratchpad {
  readonly #input: JsonObject;
  readonly #state: JsonObject = {};
  readonly #writes: { target: Target; draft: Draft }[] = [];

  constructor(input: JsonObject) {
    this.#input = input;
  }

  /** The value of a reference; undefined for none. */
  read(reference: Reference): Json | undefined {
    return valueAt(reference.kind === "state" ? this.#state : this.#input, reference.path);
  }

  /** Writes a value, creating parent objects (P9); `draft` is its event. */
  write(target: Target, value: Json, draft: Draft): void {
    let place = this.#state;
    for (const key of target.path.slice(0, -1)) {
      const below = place[key];
      const next = isJsonObject(below) ? below : {};
      place[key] = next;
      place = next;
    }
    place[target.path.at(-1) ?? ""] = value;
    this.#writes.push({ target, draft });
  }

  /** The newest write of the inputs: the one that the reader waited for. */
  awaited(reads: readonly Read[]): Draft | null {
    const references = reads.flatMap(({ expression }) => expression.flat());
    const write = this.#writes.findLast(({ target }) => references.some((reference) => overlaps(target, reference)));
    return write?.draft ?? null;
  }
}
