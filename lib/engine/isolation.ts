import type { ForkMode } from "../session/events/catalogue.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import type { Failure } from "../session/session.ts";
import type { CallPlace } from "./engine.ts";

/** Keeps forks apart from the conversations that they come from (E9). */
export interface Isolation {
  /** What a fork does with calls; null where the conversation is no fork. */
  modeOf(conversationId: string): Promise<ForkMode | null>;
  /**
   * The name under which a fork keeps a user's memory and has a line of turns of its own. The memory begins as a copy of
   * the user's as it stood at the step that the fork goes on from.
   */
  scopeOf(conversationId: string, userId: string): Promise<string>;
  /** How a call ended that is recorded where the fork comes from, with the same tool and parameters; null for none. */
  recorded(
    conversationId: string,
    call: { place: CallPlace; tool: string; params: JsonObject },
  ): Promise<Recorded | null>;
}

/** How a call ended once. */
export interface Recorded {
  at: { conversation_id: string; seq: number };
  /** Which alternative of its output path it took; null for the first. */
  branch: number | null;
  result: { ok: true; output: Json } | { ok: false; error: Failure };
}
