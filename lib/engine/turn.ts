import type { HistoryMessage } from "../prompt/prompt.ts";
import type { Payload } from "../session/events/catalogue.ts";
import type { JsonObject } from "../session/json/json.ts";
import type { Locale } from "../session/locale.ts";
import type { Failure } from "../session/session.ts";
import type { RunMode } from "./engine.ts";
import type { HistorySettings } from "./prompt.ts";

/** A message of a conversation, with its position in the log. */
export interface HistoryEntry extends HistoryMessage {
  seq: number;
  /** The run that sent it; null for people and for external agents. */
  run_id: string | null;
}

/** Up to which messages, by seq, a model has the conversation. Users' messages after the answered one are not included. */
export interface HistoryRange {
  /** The user's message that was answered. */
  answers: number;
  /** The newest message of anybody else. */
  until: number;
}

/** The conversation state that a provider stores (D7). */
export interface StoredChain extends HistoryRange {
  /** The last response. */
  response_id: string;
  /** The agent; each agent has its own chains. */
  agent_id: string;
  /** The run that it ended: the model knows what that run said. */
  run_id: string;
}

/** What a turn reads of its conversation (M11). */
export interface Dialog {
  /**
   * The newest messages of a conversation before this one and the answers since, oldest first, this one last. Messages whose
   * turns are still queued are left out, and so are this run's own: the model gets those with its calls.
   */
  before(conversationId: string, messageId: string, runId: string): Promise<HistoryEntry[]>;
  /** The stored state to continue from (D7); null if there is none. */
  recall(conversationId: string): Promise<StoredChain | null>;
  /** Stores that state; null clears it. */
  chain(conversationId: string, chain: StoredChain | null): Payload<"agent_state.written"> & JsonObject;
  /** Messages that agents send without a model, in the turn's language. */
  speech: Speech;
}

export interface Speech {
  /** The turn waits for decisions on these. */
  waiting(descriptions: readonly string[], locale: Locale): string;
  /** The agent runs in shadow mode: these were planned, and nothing was run. */
  planned(descriptions: readonly string[], locale: Locale): string;
  /** The turn failed: a text for the failure's code, else the failure's message, which is written for operators. */
  failed(failure: Failure, locale: Locale): string;
  /** The turn ended without any message. */
  silent(locale: Locale): string;
  /** Somebody cancelled the turn. */
  cancelled(locale: Locale): string;
  /** A manager was called (D9). */
  escalated(locale: Locale): string;
}

/** Directs turns of several agents (D1). */
export interface Director {
  /**
   * Returns who speaks next in a turn, or the message it ends with. It depends only on its arguments and on what is stored for
   * the conversation, and is called after each part, also after a restart: what `told` and `parts` contain does not happen
   * again, and what was stored since does not change it.
   */
  next(turn: DirectedTurn): Promise<Direction>;
}

/** A turn, as derived from its run's events. */
export interface DirectedTurn {
  conversation_id: string;
  run_id: string;
  /** The user's message that it answers. */
  message_id: string;
  user_id: string | null;
  locale: Locale;
  /** The nodes it has visited, in order. */
  told: readonly Payload<"stage.entered">[];
  /** The parts of its agents, in order. */
  parts: readonly SpokenPart[];
}

/** What an agent said and did in its part of a turn. */
export interface SpokenPart {
  node: string;
  agent_id: string;
  /** Its answer, unchanged; null if it gave none. */
  answer: string | null;
  /** The names of the tools that it called, without repetition. */
  used_tools: readonly string[];
  /** The parameters of its successful call of a handoff tool (D5); null if there was none. */
  handed_over: JsonObject | null;
  /** Of its last response; null if there was none. */
  response_id: string | null;
}

/** The agent of a part of a turn. */
export interface Speaker {
  agent_id: string;
  /** The version of its definition; null in turns of before it was recorded. */
  agent_version: string | null;
  /** The node of the main graph that it speaks for. */
  node: string;
  instructions: string;
  history: HistorySettings;
  timezone: string | null;
  /** The tools that it may use; null for all there are. */
  tools: string[] | null;
  mode: RunMode;
  max_iterations: number;
  /** Prepended to what it says to the user beside its calls; its answer returns to the director unchanged. */
  prefix: string;
  /** Its answer is for the director only: nothing is streamed to the user. */
  silent: boolean;
  /** The values of `{{configuration.…}}` in its instructions (D4); null for none. */
  configuration: JsonObject | null;
  /** Why its previous answer was rejected, for the model (D4). */
  note: string | null;
}

/** How a turn continues. `events` are appended first, in the same step. */
export type Direction =
  | { kind: "ask"; speaker: Speaker; events: DialogEvent[] }
  /** The turn ends with this answer to the user; "" for none. */
  | { kind: "answer"; text: string; events: DialogEvent[] };

/** The events of a direction. */
export type DialogEvent =
  | { type: "stage.entered"; payload: Payload<"stage.entered"> & JsonObject }
  | { type: "stage.changed"; payload: Payload<"stage.changed"> & JsonObject }
  | { type: "agent_state.written"; payload: Payload<"agent_state.written"> & JsonObject };

/** Streams a partial answer before it is in the log. */
export interface Drafts {
  /** Markers by which agents address the server (D5): they are not shown. */
  readonly markers: readonly string[];
  /** The text of the answer so far, for the current request. */
  write(draft: { conversation_id: string; run_id: string; agent_id: string | null; text: string }): void;
  /** The request has ended: its result is in the log, or is lost. */
  end(runId: string): void;
}
