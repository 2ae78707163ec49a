import type { NewEvent } from "../../../db/repositories.ts";
import type { SessionEvent } from "../../session/event.ts";
import type { EventType } from "../../session/events/kinds.ts";
import type { Input } from "../step/input.ts";
import type { Run } from "../step/run.ts";
import type { RunEvent } from "../step/state/run-event.ts";
import type { SameIds } from "./same-event.ts";

/** What came of a replay. */
export type Replayed =
  | { outcome: "same" }
  | {
      outcome: "differs";
      /** The first recorded event that did not come again; null if all did, and more. */
      recorded: SessionEvent | null;
      /** What came in its place; null if nothing did. */
      replayed: NewEvent | null;
      /** What differs: a JSON Pointer into the event, or a sentence. */
      where: string;
    }
  /** The record does not say what the engine was told, so nothing can be said. */
  | { outcome: "cannot"; why: string };

/** An event of the record, discriminated by its type. */
export type RecordedEvent = Omit<SessionEvent, "type" | "payload"> & RunEvent;

/** A recorded event of one type. */
export type Recorded<T extends EventType> = Extract<RecordedEvent, { type: T }>;

/** Ends a replay. */
export class Ended extends Error {
  readonly replayed: Replayed;

  constructor(replayed: Replayed) {
    super(replayed.outcome);
    this.name = "Ended";
    this.replayed = replayed;
  }
}

/** Ends a replay, because the record does not say what the engine was told. */
export function cannot(why: string): never {
  throw new Ended({ outcome: "cannot", why });
}

/** A replay in progress, for choosing its next input. */
export interface Replaying {
  readonly ids: SameIds;
  /** The events of a run that have not come again yet. */
  ahead(run: Run): readonly RecordedEvent[];
  /** Takes an input that the engine has sent to a run; null if there is none. */
  sent(run: Run, kind: Input["kind"]): Input | null;
}

/** An input, and the run that takes it. */
export interface Given {
  run: Run;
  input: Input;
}
