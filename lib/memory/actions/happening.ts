import type { Json, JsonObject } from "../../session/json/json.ts";

/** A method with its parameters (M2, M14). */
export interface Action {
  method: string;
  params: JsonObject;
  requires_confirmation?: boolean;
  confirmed?: boolean;
  confirmation_decision?: "approve" | "deny";
}

/** The effect of a tool on other systems: none, reads, creates, changes. */
export type Effect = "none" | "read" | "create" | "change";

/** What happened for the user, at a time in UTC with `Z` (M3). */
export type Happening =
  /** A call succeeded with this result. */
  | { type: "carried_out"; action: Action; result: Json; effect: Effect; at: string }
  /** A call failed: it stays planned (M13). */
  | { type: "failed"; action: Action; at: string }
  /** It was not executed: in shadow and canary mode (M8). */
  | { type: "planned"; action: Action; at: string }
  | { type: "requested"; key: string; action: Action; description: string; at: string }
  /** `action` is what was approved: possibly edited, or another call (P22). */
  | { type: "approved"; key: string; action: Action; at: string }
  | { type: "denied"; key: string; action: Action; reason: string; at: string };
