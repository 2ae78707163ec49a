import type { FindWhere, Found } from "../lib/session/find/find-in-event.ts";
import type { InferredEdge } from "../lib/session/find/inferred-edges.ts";
import type { StateHistoryEntry } from "../lib/session/find/state-history.ts";
import type { StepUnit } from "../lib/session/timeline/steps.ts";

/** The kinds of steps that "next" and "previous" look for. */
export type FoundUnit = Exclude<StepUnit, "step">;

/** Slow reads, done in reader threads. Views and timelines are JSON text, ready to be sent. */
export interface Sessions {
  /**
   * The view after event `at` (default: the last); `bare`: without derived fields. Throws `OutOfRange` with the last step.
   * Null: the conversation does not exist.
   */
  view(conversationId: string, at: number | null, form?: { bare?: boolean }): Promise<string | null>;
  /** The same as UTF-8, for an answer. */
  viewBytes(
    conversationId: string,
    at: number | null,
    form?: { bare?: boolean },
  ): Promise<Uint8Array<ArrayBuffer> | null>;
  /**
   * Timeline rows in columns, for the whole session after `after` (at most 200,000), or for at most `limit` steps, then with
   * what is active at their start. Null: the conversation does not exist. Throws `NotMade` if there is a limit.
   */
  timeline(conversationId: string, after: number, limit?: number): Promise<string | null>;
  /**
   * Buckets of the steps of a range, by default all, for zoom levels at which single steps cannot be seen. Ends before the last
   * step while the rest is being built. Null: the conversation does not exist.
   */
  timelineBuckets(conversationId: string, range: { from?: number; to?: number }): Promise<string | null>;
  /** The nearest step of a unit after or before a step; 0 if there is none. Null: the conversation does not exist. Throws `NotMade`. */
  nextStep(conversationId: string, asked: { at: number; unit: FoundUnit; direction: 1 | -1 }): Promise<number | null>;
  /**
   * The steps at which a path of the state was written or read, oldest first (C6); `path` must be below `†state`; `instance`
   * null means all. Null: the conversation does not exist. Throws `BadCursor`.
   */
  stateHistory(
    conversationId: string,
    query: { path: string; instance: string | null; cursor?: string; limit: number },
  ): Promise<PathHistory | null>;
  /**
   * Inferred edges: where calls without a plan used values of earlier calls or messages (E15), for a run with its delegates,
   * or for all runs. Null: the conversation does not exist.
   */
  inferredEdges(conversationId: string, runId: string | null): Promise<InferredEdges | null>;
  /** The whole session as runs, calls and declared edges (`SessionMap`), as JSON. Null: the conversation does not exist. */
  map(conversationId: string): Promise<string | null>;
  /**
   * The failures of the same kind as that of a step, in all conversations, among the newest 1,000 of the same tool, and
   * that of the step. Null: there is no such step, or it records no failure.
   */
  similarFailures(conversationId: string, seq: number): Promise<SimilarFailures | null>;
  /** Whether the conversation has a run, or a call of it, started or planned. Null: the conversation does not exist. */
  holds(conversationId: string, part: { run_id: string; call_id: string | null }): Promise<boolean | null>;
  /** The token usage of models in a range of steps. Null: the conversation does not exist. */
  tokens(conversationId: string, range: { from: number; to: number }): Promise<Tokens | null>;
  /** Steps whose payload contains all words of `q`, newest first (E14). Null: the conversation does not exist. Throws `BadCursor`. */
  search(
    conversationId: string,
    query: { q: string; where?: FindWhere; cursor?: string; limit: number },
  ): Promise<SessionSearch | null>;
}

/** The steps at which a path of the state was written or read; `next` continues the list, null at the session's end. */
export interface PathHistory {
  items: StateHistoryEntry[];
  next: string | null;
}

/** Inferred edges; `cut`: not all events were examined. */
export interface InferredEdges {
  items: InferredEdge[];
  cut: boolean;
}

/** Failures of the same kind, the step's own among them. `cut`: there may be more. */
export interface SimilarFailures {
  failures: number;
  conversations: number;
  cut: boolean;
  /** The earliest; when cut, among the newest and the oldest 1,000 of the same tool. */
  first: FailurePlace | null;
  /** The newest of each conversation, of the newest five. */
  items: FailurePlace[];
}

export interface FailurePlace {
  conversation_id: string;
  /** The conversation's title or its first words. */
  name: string | null;
  seq: number;
  at: string;
  message: string;
}

/** The token usage that models reported. */
export interface Tokens {
  responses: number;
  /** Responses that came without numbers of tokens. */
  unreported: number;
  input_tokens: number;
  output_tokens: number;
}

/** Search results of a session. A request searches a limited part of it: it may have few results, or none, and a `next`. */
export interface SessionSearch {
  items: Found[];
  /** The earliest step searched. */
  from: number;
  /** The `cursor` of the next request; null if the session's start was reached. */
  next: string | null;
}
