import type { Absence } from "../lib/queue/absence.ts";

/** Who decides for whom while they are away. Nothing of it is in the event log. */
export interface AbsenceStore {
  /** Those that have not ended at `now`, epoch ms, by name. */
  list(now: number): Promise<Absence[]>;
  /** Takes the place of an earlier one of the same user. */
  set(absence: Absence): Promise<void>;
  end(name: string): Promise<void>;
  /** Ends those of a user, and those in which the user is the deputy. */
  forget(name: string): Promise<void>;
}
