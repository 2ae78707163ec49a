import type { HistoryMessage } from "../prompt/prompt.ts";
import type { Payload } from "../session/catalogue.ts";
import type { JsonObject } from "../session/json/json.ts";
import type { Locale } from "../session/locale.ts";
import type { Failure } from "../session/session.ts";
import type { RunMode } from "./engine.ts";
import type { HistorySettings } from "./prompt.ts";

/** A message of a conversation, and where the log has it. */
export interface HistoryEntry extends HistoryMessage {
  seq: number;
  /** The run that said it; null for people, and for agents outside of this server. */
  run_id: string | null;
}

/** How much of what was said a model was told, by seqs: of people's words that come after the answered ones, nothing. */
export interface HistoryRange {
  /** The user's message that was answered. */
  answers: number;
  /** The newest message of anybody else. */
  until: number;
}

/** How far a provider keeps a conversation (D7). */
export interface StoredChain extends HistoryRange {
  /** The last response. */
  response_id: string;
  /** Whose it is: each agent has chains of its own. */
  agent_id: string;
  /** The run that it ended: the model has what that one has said. */
  run_id: string;
}

/** What a turn takes of the dialog that it is part of (M11). */
export interface Dialog {
  /**
   * The newest messages of a conversation before this one and the answers that came since, oldest first, this one last.
   * Messages whose turns are still to come are left out, and so is what this run itself has said: it tells its model of
   * that with its calls.
   */
  before(conversationId: string, messageId: string, runId: string): Promise<HistoryEntry[]>;
  /** What is stored to go on from (D7); null where nothing is. */
  recall(conversationId: string): Promise<StoredChain | null>;
  /** How that is stored; null for nothing to go on from. */
  chain(conversationId: string, chain: StoredChain | null): Payload<"agent_state.written"> & JsonObject;
  /** What an agent tells its user without a model, in the turn's language. */
  speech: Speech;
}

export interface Speech {
  /** The turn waits for a person to decide on these. */
  waiting(descriptions: readonly string[], locale: Locale): string;
  /** The agent runs in shadow: these were planned, and nothing was carried out. */
  planned(descriptions: readonly string[], locale: Locale): string;
  /** The turn failed: words for a failure's code, else its own sentence, which is written for who operates the server. */
  failed(failure: Failure, locale: Locale): string;
  /** The turn ended, and nothing at all was said in it. */
  silent(locale: Locale): string;
  /** A person stopped the turn. */
  cancelled(locale: Locale): string;
  /** A manager was called (D9). */
  escalated(locale: Locale): string;
}

/** Directs turns in which several agents may speak (D1). */
export interface Director {
  /**
   * Who speaks next in a turn, or with which words it ends. It depends on nothing but what it is told and what is stored
   * for the conversation, and is asked anew after each part, after a restart too: what `told` and `parts` say has happened
   * does not happen again, and what was stored since does not change it.
   */
  next(turn: DirectedTurn): Promise<Direction>;
}

/** A turn, as its run's events tell it. */
export interface DirectedTurn {
  conversation_id: string;
  run_id: string;
  /** The user's message that it answers. */
  message_id: string;
  user_id: string | null;
  locale: Locale;
  /** The nodes that it has come to, in order. */
  told: readonly Payload<"stage.entered">[];
  /** What agents have said in it, in order. */
  parts: readonly SpokenPart[];
}

/** What an agent has said and done in its part of a turn. */
export interface SpokenPart {
  node: string;
  agent_id: string;
  /** Its answer as it gave it; null where it gave none. */
  answer: string | null;
  /** Names of the tools that it called, each once. */
  used_tools: readonly string[];
  /** The parameters of its call of a tool that hands the turn over (D5); null where it made none that succeeded. */
  handed_over: JsonObject | null;
  /** Of its last response; null where none came. */
  response_id: string | null;
}

/** An agent as it speaks in a part of a turn. */
export interface Speaker {
  agent_id: string;
  /** The node of the main graph for which it speaks. */
  node: string;
  instructions: string;
  history: HistorySettings;
  timezone: string | null;
  /** The tools that it may use; null for all there are. */
  tools: string[] | null;
  mode: RunMode;
  max_iterations: number;
  /** Stands before what it says to the user beside its calls; its answer comes back to the director as it is. */
  prefix: string;
  /** What it says is for the director alone: nothing of it streams to the user. */
  silent: boolean;
  /** What `{{configuration.…}}` of its instructions reads (D4); null for none. */
  configuration: JsonObject | null;
  /** What was wrong with its answer before, for the model (D4). */
  note: string | null;
}

/** How a turn goes on. `events` are told first, in the same step. */
export type Direction =
  | { kind: "ask"; speaker: Speaker; events: DialogEvent[] }
  /** The turn ends with this answer, as the user gets it; "" for none. */
  | { kind: "answer"; text: string; events: DialogEvent[] };

/** What a direction tells in the log. */
export type DialogEvent =
  | { type: "stage.entered"; payload: Payload<"stage.entered"> & JsonObject }
  | { type: "stage.changed"; payload: Payload<"stage.changed"> & JsonObject }
  | { type: "agent_state.written"; payload: Payload<"agent_state.written"> & JsonObject };

/** Where an answer can be watched as it comes, before it is in the log. */
export interface Drafts {
  /** Words by which agents speak to the server alone (D5): nothing of them is shown. */
  readonly markers: readonly string[];
  /** All that an agent has said so far to its user with the request that is under way. */
  write(draft: { conversation_id: string; run_id: string; agent_id: string | null; text: string }): void;
  /** The request has ended: what it gave is in the log now, or is lost. */
  end(runId: string): void;
}
