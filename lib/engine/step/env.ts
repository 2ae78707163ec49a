import type { Memory } from "../memory.ts";
import type { Planner } from "../planning/port.ts";
import type { EnginePorts } from "../ports.ts";
import type { Dialog, Drafts } from "../turn.ts";

/** Who is asked for plans, as events name it. */
export type ModelName = Pick<Planner, "model" | "provider">;

/** What steps look up: what a server is configured with. Nothing of it waits, tells the time or draws at random. */
export interface StepEnv extends Pick<EnginePorts, "checker" | "tools" | "delegates"> {
  memory: Pick<Memory, "schema"> | null;
  dialog: Pick<Dialog, "chain" | "speech"> | null;
  drafts: Pick<Drafts, "markers"> | null;
  /** Null where there is no model. */
  planner: ModelName | null;
  /** Who answers users in turns; null where nobody does. */
  talker: ModelName | null;
  /** A short text that stands for a long one. */
  digest(text: string): string;
}
