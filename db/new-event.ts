import type { Recorder } from "../lib/session/event.ts";
import type { Json } from "../lib/session/json/json.ts";

/** An event to append: validated, without seq and position. */
export interface NewEvent {
  id: string;
  conversation_id: string | null;
  type: string;
  actor: string | null;
  agent_id: string | null;
  run_id: string | null;
  parent_run_id: string | null;
  caused_by: string | null;
  payload: Json;
  occurred_at: string | null;
  /** Set only by imports, which keep the time that the original server recorded. */
  recorded_at?: string;
}

/** Who may append an event, besides the engine and imports. */
export type AppendOrigin = Exclude<Recorder, "engine" | "import">;
