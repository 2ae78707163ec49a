import { isKnown, type KnownEvent, type SessionEvent } from "../../lib/session/event.ts";
import { Conflict } from "../errors.ts";
import type { Writes } from "./writes.ts";

/** A transaction's cache of which runs are the engine's own. Each run is looked up once. */
export class OwnRuns {
  readonly #writes: Writes;
  readonly #known = new Map<string, boolean>();

  constructor(writes: Writes) {
    this.#writes = writes;
  }

  /**
   * Throws `Conflict` for an external event that names an own run or its confirmation: only the engine writes those
   * (P22a).
   */
  refuse(event: SessionEvent): void {
    this.#refuseOwn(event.run_id);
    this.#refuseOwn(event.parent_run_id);
    const confirmation = confirmationOf(event);
    if (confirmation !== null && this.#writes.isOwnConfirmation.get(confirmation) !== undefined) {
      throw new Conflict(
        `The confirmation ${confirmation} belongs to a run of this server; decide it with POST /api/confirmations/${encodeURIComponent(confirmation)}/decision`,
      );
    }
  }

  /** Records what the engine appends. */
  note(event: SessionEvent): void {
    if (event.type === "run.started" && event.run_id !== null) this.#known.set(event.run_id, true);
  }

  /** Clears the cache after a rollback. */
  forget(): void {
    this.#known.clear();
  }

  #refuseOwn(id: string | null): void {
    if (id !== null && this.#isOwn(id)) throw new Conflict(`The run ${id} belongs to this server; use another run id`);
  }

  #isOwn(id: string): boolean {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const isOwn = this.#writes.isOwnRun.get(id) !== undefined;
    this.#known.set(id, isOwn);
    return isOwn;
  }
}

/** The confirmation that an event requests or decides; null for all other events. */
function confirmationOf(event: SessionEvent): string | null {
  if (!isKnown(event)) return null;
  switch (event.type) {
    case "confirmation.requested":
    case "confirmation.approved":
    case "confirmation.denied":
      return event.payload.confirmation_id;
    default:
      return null;
  }
}

/** Throws `Conflict` for a call that starts with an approval that another call has used (P22a). */
export function refuseSecondUse(writes: Writes, event: SessionEvent): void {
  if (!isKnown(event) || event.type !== "call.started" || event.payload.confirmation_id === undefined) return;
  const use = writes.useOfApproval.get(event.payload.confirmation_id);
  if (!use || isSameCall(use, event)) return;
  throw new Conflict(
    `The approval ${event.payload.confirmation_id} was already used by the call ${use.call_id}; request another one`,
  );
}

/** A retry uses the approval of the first attempt. */
function isSameCall(
  use: { run_id: string | null; iteration: number | null; instance: string | null; call_id: string | null },
  { run_id, payload }: Extract<KnownEvent, { type: "call.started" }>,
): boolean {
  const { call_id, iteration = null, instance = null } = payload;
  return use.run_id === run_id && use.call_id === call_id && use.iteration === iteration && use.instance === instance;
}
