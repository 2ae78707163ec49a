import type { Memory } from "../memory.ts";
import type { Planner } from "../planning/port.ts";
import type { EnginePorts } from "../ports.ts";
import type { Dialog, Drafts } from "../turn.ts";

/** The planner's provider and model, as events name them. */
export type ModelName = Pick<Planner, "model" | "provider">;

/** The configuration that steps read. None of it waits, reads a clock or is random. */
export interface StepEnv extends Pick<EnginePorts, "checker" | "tools" | "delegates"> {
  memory: Pick<Memory, "schema"> | null;
  dialog: Pick<Dialog, "chain" | "speech"> | null;
  drafts: Pick<Drafts, "markers"> | null;
  /** Null if there is no model. */
  planner: ModelName | null;
  /** The model that answers users in turns; null if none does. */
  talker: ModelName | null;
  /** A digest of a long text. */
  digest(text: string): string;
}
