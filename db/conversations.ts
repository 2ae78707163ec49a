import type { QueueFilter, QueueItem } from "../lib/queue/queue.ts";
import type { Direction, Ranges, Sort } from "../lib/rollup/totals.ts";
import type { ScoreFilter, ScoreSummary } from "../lib/scores/score.ts";
import type { ForkMode } from "../lib/session/events/catalogue.ts";
import type { SearchHit } from "../lib/session/find/search-hit.ts";
import type { ConversationStatus, DecidedStatus, ShownConversationStatus, Summary } from "../lib/session/session.ts";
import type { Happened } from "./rollup.ts";

/** A page of a list with keyset pagination. Cursors are opaque; null at either end. */
export interface Page<T> {
  items: T[];
  next: string | null;
  prev: string | null;
}

/** A row of the conversation list. */
export interface Conversation
  extends Omit<
    Summary,
    | "open_runs"
    | "open_calls"
    | "awaiting"
    | "unanswered"
    | "escalated"
    | "newest_run"
    | "simulated"
    | "ended"
    | "asked"
    | "untouched"
    | "failures"
  > {
  id: string;
  status: ConversationStatus;
  /** The status that the console shows. */
  shown_status: ShownConversationStatus;
  error_count: number;
  /** The newest decision that its agent has not responded to yet. */
  unanswered: DecidedStatus | null;
  created_at: string;
  updated_at: string;
  /** The number of its forks (E9). */
  fork_count: number;
  /** For a fork: whether its calls are executed, as chosen on this server; null if it is not a fork. */
  fork_mode: ForkMode | null;
  /** What people do about it; null where nobody has touched it. */
  queue: QueueItem | null;
  note_count: number;
  /** Of its newest scores. */
  scores: ScoreSummary[];
  /** Of all requests to models, as the overview counts them; null until they are counted. */
  tokens: number | null;
  /** What they cost, by the prices of this server; null if a model has no price, or until it is counted. */
  cost: number | null;
  /** Where the search matched. Only in searches, and not if only the title or the id matches. */
  hit?: SearchHit;
}

/** A page of the list. */
export interface ConversationPage extends Page<Conversation> {
  /** Events not yet indexed, up to 10,000. Only in searches and by what conversations add up to, while there are any. */
  behind?: number;
}

export interface ConversationQuery {
  q?: string;
  channel?: string;
  status?: ConversationStatus;
  stage?: string;
  agent_id?: string;
  /** Last activity at or after `from` and before `to`, ISO 8601. */
  from?: string;
  to?: string;
  /** Only forks of this conversation (E9). */
  forked_from?: string;
  /** Only those of a view of the queue, of somebody, or with a tag. */
  queue?: QueueFilter | undefined;
  assignee?: string | undefined;
  tag?: string | undefined;
  /** Only those with such a score. */
  score?: ScoreFilter | undefined;
  /** Only those in which this happened, as the overview counts it. */
  happened?: Happened | undefined;
  /** Only those with a failure of this kind among the newest 2,000 failures of a tool. */
  error?: { tool: string; fingerprint: string } | undefined;
  /** Only those that add up to as much. */
  ranges?: Ranges | undefined;
  /** By last activity if it is left out. By a score: only those that have one. */
  sort?: Sort | undefined;
  /** Descending by default. */
  order?: Direction | undefined;
  cursor?: string;
  limit: number;
}

/** The values of filters, conversations per status, and the numbers of pending confirmations and open alerts. */
export interface Facets {
  total: number;
  awaiting: number;
  /** Open alerts. */
  alerts: number;
  statuses: Record<ConversationStatus, number>;
  /** The most frequent values, a limited number of each. */
  channels: string[];
  stages: string[];
  agents: string[];
  /** The number of other values. */
  more: { channels: number; stages: number; agents: number };
}

export interface Conversations {
  get(id: string): Promise<Conversation | null>;
  /** The summary that its row is derived from, as of its newest event. */
  summary(id: string): Promise<Summary | null>;
  list(query: ConversationQuery): Promise<ConversationPage>;
  facets(): Promise<Facets>;
}
