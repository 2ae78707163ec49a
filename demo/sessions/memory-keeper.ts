import type { Happening } from "../../lib/memory/actions/happening.ts";
import { emptyDocument } from "../../lib/memory/document.ts";
import { update } from "../../lib/memory/update.ts";
import { isJsonObject, type Json, type JsonObject } from "../../lib/session/json/json.ts";
import { patchBetween } from "../../lib/session/json/patch.ts";
import type { Draft, Origin, Recording } from "./recording.ts";
import type { About } from "./turn.ts";

type Untimed<Each> = Each extends Happening ? Omit<Each, "at"> : never;

/** A change of a user's memory at its event's time. */
export type News = Untimed<Happening>;

interface Note {
  happening: Happening;
  cause: Draft;
  from: Omit<Origin, "cause">;
}

/** Collects events about a user, in any order, and computes the changes of the memory (M4–M9, M13). */
export class MemoryKeeper {
  readonly #notes: Note[] = [];

  /** Adds what an event means for the memory. */
  note(news: News, cause: Draft, from: Note["from"]): void {
    this.#notes.push({ happening: { ...news, at: new Date(cause.at).toISOString() }, cause, from });
  }

  /** Records each change right after its event. */
  tell(recording: Recording, { user, locale }: Pick<About, "user" | "locale">): void {
    const notes = this.#notes.toSorted((a, b) => a.cause.at - b.cause.at);
    let document = emptyDocument();
    let isTold = false;
    for (const { happening, cause, from } of notes) {
      const before = jsonOf(document);
      document = update(document, happening, locale);
      const after = jsonOf(document);
      const changes = patchBetween(before, after);
      if (changes.length === 0) continue;
      const delta = isTold ? changes : [{ op: "replace" as const, path: "", value: after }];
      recording.add(cause.at, "memory.updated", { delta, ...(user !== null && { user_id: user }) }, { ...from, cause });
      isTold = true;
    }
  }
}

function jsonOf(document: object): JsonObject {
  const json: Json = JSON.parse(JSON.stringify(document));
  if (!isJsonObject(json)) throw new Error("A memory is an object");
  return json;
}
