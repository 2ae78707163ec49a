import type { NewEvent } from "../../../db/repositories.ts";
import type { SessionEvent } from "../../session/event.ts";
import { isJsonObject, type Json } from "../../session/json/json.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The ids that a replay drew, and those that the record has in their places: each stands for one other. */
export class SameIds {
  readonly #recorded = new Map<string, string>();
  readonly #replayed = new Map<string, string>();

  /** Two ids name the same thing. */
  bind(replayed: string, recorded: string): void {
    this.#recorded.set(replayed, recorded);
    this.#replayed.set(recorded, replayed);
  }

  /** The replay's id for one of the record; the same for ids that are no events of the replay. */
  replayed(recorded: string): string {
    return this.#replayed.get(recorded) ?? recorded;
  }

  /** The record's id for one of the replay. */
  recorded(replayed: string): string {
    return this.#recorded.get(replayed) ?? replayed;
  }

  /** Whether two texts are the same, or ids of the same thing; two ids that are both new are bound. */
  isSame(replayed: string, recorded: string): boolean {
    const known = this.#recorded.get(replayed);
    if (known !== undefined) return known === recorded;
    if (replayed === recorded) return true;
    if (!UUID.test(replayed) || !UUID.test(recorded) || this.#replayed.has(recorded)) return false;
    this.bind(replayed, recorded);
    return true;
  }
}

/**
 * Where an event of a replay differs from the recorded one: a JSON Pointer into the event; null if they are the same but for
 * times and the ids that were drawn.
 */
export function differenceOf(replayed: NewEvent, recorded: SessionEvent, ids: SameIds): string | null {
  if (replayed.type !== recorded.type) return "/type";
  ids.bind(replayed.id, recorded.id);
  for (const field of ["actor", "agent_id", "run_id", "parent_run_id", "caused_by"] as const)
    if (!isSameText(replayed[field] ?? null, recorded[field], ids)) return `/${field}`;
  return difference(replayed.payload, recorded.payload, ids, "/payload");
}

function isSameText(replayed: string | null, recorded: string | null, ids: SameIds): boolean {
  if (replayed === null || recorded === null) return replayed === recorded;
  return ids.isSame(replayed, recorded);
}

function difference(replayed: Json | undefined, recorded: Json | undefined, ids: SameIds, at: string): string | null {
  if (typeof replayed === "string" && typeof recorded === "string") return ids.isSame(replayed, recorded) ? null : at;
  if (Array.isArray(replayed) && Array.isArray(recorded)) {
    if (replayed.length !== recorded.length) return at;
    return first(replayed.keys(), (index) => difference(replayed[index], recorded[index], ids, `${at}/${index}`));
  }
  if (isJsonObject(replayed) && isJsonObject(recorded)) {
    const names = new Set([...Object.keys(replayed), ...Object.keys(recorded)]);
    return first(names, (name) => difference(replayed[name], recorded[name], ids, `${at}/${name}`));
  }
  return replayed === recorded ? null : at;
}

function first<T>(all: Iterable<T>, look: (one: T) => string | null): string | null {
  for (const one of all) {
    const found = look(one);
    if (found !== null) return found;
  }
  return null;
}
