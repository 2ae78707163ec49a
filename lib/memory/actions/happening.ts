import type { Json, JsonObject } from "../../session/json/json.ts";

/** What an agent does in the world: a method with its parameters (M2, M14). */
export interface Action {
  method: string;
  params: JsonObject;
  requires_confirmation?: boolean;
  confirmed?: boolean;
  confirmation_decision?: "approve" | "deny";
}

/** What a tool does outside: nothing, reads, makes something new, changes something. */
export type Effect = "none" | "read" | "create" | "change";

/** What happened to the user's affairs, at a time in UTC with `Z` (M3). */
export type Happening =
  /** A call succeeded; `result` is what the tool gave. */
  | { type: "carried_out"; action: Action; result: Json; effect: Effect; at: string }
  /** A call failed: it stays planned (M13). */
  | { type: "failed"; action: Action; at: string }
  /** It is not carried out for now: shadow, canary (M8). */
  | { type: "planned"; action: Action; at: string }
  | { type: "requested"; key: string; action: Action; description: string; at: string }
  /** `action` is what was approved: perhaps edited, perhaps another call (P22). */
  | { type: "approved"; key: string; action: Action; at: string }
  | { type: "denied"; key: string; action: Action; reason: string; at: string };
