import type { Recorder, SessionEvent } from "../lib/session/event.ts";

/** An event to append: validated, without seq and position. */
export interface NewEvent extends Omit<SessionEvent, "seq" | "position" | "recorded_at" | "recorded_by"> {
  /** Set only by imports, which keep the time that the original server recorded. */
  recorded_at?: string;
}

/** Who may append an event, besides the engine and imports. */
export type AppendOrigin = Exclude<Recorder, "engine" | "import">;
