import type {
  AgentStateVersionValues,
  AlertValues,
  AskedConfirmation,
  ConversationValues,
  EventValues,
  MessageValues,
} from "../../log/writes.ts";
import { columnOf, type ElementType, type Row } from "../arrays.ts";
import type { Value } from "../database.ts";
import { wordsWithPlaces } from "../search/words.ts";

/** A statement that is to be run when the transaction is decided. */
export interface Statement {
  text: string;
  values: Value[];
}

/** A confirmation as it is stored: with what finds it again by its action, and the step that used its approval. */
export interface StoredConfirmation extends AskedConfirmation {
  action_key: string;
  used: number | null;
}

interface Alert {
  values: AlertValues;
  closed: { at: number; by: string | null } | null;
}

/** What one transaction is to write. */
export class Written {
  readonly events: EventValues[] = [];
  readonly eventsById = new Map<string, EventValues>();
  readonly eventsAt = new Map<number, EventValues>();
  readonly messages: MessageValues[] = [];
  readonly conversations = new Map<string, ConversationValues>();
  readonly agentState = new Map<string, Row>();
  readonly agentStateVersions: AgentStateVersionValues[] = [];
  readonly confirmations = new Map<string, { row: StoredConfirmation | null }>();
  readonly alerts: Alert[] = [];
  readonly usage: [day: string, agent: string, model: string, input: number, output: number][] = [];
  readonly searched: [place: bigint, words: string][] = [];
  readonly searchProgress: [position: number, history: number][] = [];
  readonly bookmarks = new Map<string, Value[]>();
  readonly runOwners = new Map<string, Row>();
  readonly snapshots: Value[][] = [];
  readonly timelineChunks: Value[][] = [];
  /** Conversations of which no event stays. */
  readonly removed = new Map<string, true>();
  /** What changes rows that were there before; it comes first. */
  readonly removals: Statement[] = [];
  readonly forks: Statement[] = [];
  readonly beside: Statement[] = [];
  readonly #lists: unknown[][] = [
    ...[this.messages, this.agentStateVersions, this.alerts, this.usage, this.searched, this.searchProgress],
    ...[this.snapshots, this.timelineChunks, this.removals, this.forks, this.beside],
  ];
  #marks = { events: 0, lists: this.#lists.map(() => 0) };

  /** Remembers how long the lists are. */
  mark(): void {
    this.#marks = { events: this.events.length, lists: this.#lists.map(({ length }) => length) };
  }

  /** Takes away what the lists got since the mark. */
  back(): void {
    for (const [position, id] of this.events.splice(this.#marks.events)) {
      this.eventsById.delete(id);
      this.eventsAt.delete(position);
    }
    for (const [index, length] of this.#marks.lists.entries()) this.#lists[index]?.splice(length);
  }

  statements(): Statement[] {
    const confirmations = [...this.confirmations];
    const asked = confirmations.flatMap(([, { row }]) => (row ? [row] : []));
    return [
      ...this.removals,
      ...this.forks,
      ...EVENTS(this.events),
      ...MESSAGES(this.messages.map(asJson)),
      ...CONVERSATIONS([...this.conversations.values()].map(withWords)),
      ...AGENT_STATE([...this.agentState.values()]),
      ...RUN_OWNERS([...this.runOwners.values()]),
      ...AGENT_STATE_VERSIONS(this.agentStateVersions),
      ...(confirmations.length === 0
        ? []
        : [{ text: "DELETE FROM confirmations WHERE id = ANY($1)", values: [confirmations.map(([id]) => id)] }]),
      ...CONFIRMATIONS(asked.map((row) => CONFIRMATION_NAMES.map((name) => row[name]))),
      ...ALERTS(this.alerts.map(({ values, closed }) => [...values, closed?.at ?? null, closed?.by ?? null])),
      ...this.usage.map((values) => ({ text: ADD_USAGE, values })),
      ...SEARCHED(this.searched),
      ...this.searchProgress.map((values) => ({ text: SAVE_SEARCH_PROGRESS, values })),
      ...[...this.bookmarks.values()].map((values) => ({ text: SAVE_BOOKMARK, values })),
      ...this.snapshots.map((values) => ({ text: SAVE_SNAPSHOT, values })),
      ...this.timelineChunks.map((values) => ({ text: SAVE_TIMELINE_CHUNK, values })),
      ...this.beside,
    ];
  }
}

const EVENTS = insertInto("events", {
  ...{ position: "bigint", id: "text", conversation_id: "text", seq: "bigint", type: "text", actor: "text" },
  ...{ agent_id: "text", run_id: "text", parent_run_id: "text", caused_by: "text", call_id: "text" },
  ...{ iteration: "bigint", instance: "text", tool: "text", error: "bigint", occurred_at: "bigint" },
  ...{ recorded_at: "bigint", payload: "text", origin: "text" },
});
const MESSAGES = insertInto("messages", {
  ...{ position: "bigint", conversation_id: "text", seq: "bigint", id: "text", role: "text", name: "text" },
  ...{ tool_call_id: "text", run_id: "text", created_at: "bigint", metadata: "text", content: "text" },
});
const CONVERSATIONS = insertInto(
  "conversations",
  {
    ...{ position: "bigint", id: "text", title: "text", status: "text", channel: "text", stage: "text" },
    ...{ agent_id: "text", updated_at: "bigint", summary: "text", forked_from: "text", title_words: "tsvector" },
  },
  `ON CONFLICT (position) DO UPDATE SET title = excluded.title, status = excluded.status,
  channel = excluded.channel, stage = excluded.stage, agent_id = excluded.agent_id, updated_at = excluded.updated_at,
  summary = excluded.summary, forked_from = excluded.forked_from, title_words = excluded.title_words`,
);
const AGENT_STATE = insertInto(
  "agent_state",
  { agent_id: "text", key: "text", value: "text", version: "bigint", updated_at: "bigint" },
  `ON CONFLICT (agent_id, key) DO UPDATE SET value = excluded.value, version = excluded.version,
  updated_at = excluded.updated_at`,
);
const RUN_OWNERS = insertInto(
  "run_owners",
  { run_id: "text", key: "text", fence: "bigint", decided: "bigint", ready: "bigint" },
  `ON CONFLICT (run_id) DO UPDATE SET key = excluded.key, fence = excluded.fence,
  decided = excluded.decided, ready = excluded.ready`,
);
const AGENT_STATE_VERSIONS = insertInto("agent_state_versions", {
  ...{ agent_id: "text", key: "text", version: "bigint", position: "bigint" },
});
const CONFIRMATIONS = insertInto("confirmations", {
  ...{ position: "bigint", id: "text", conversation_id: "text", own: "bigint", status: "text", run_id: "text" },
  ...{ call_id: "text", iteration: "bigint", instance: "text", key: "text", cause: "text", action_key: "text" },
  ...{ requested_seq: "bigint", requested_at: "bigint", decided_seq: "bigint", decided_at: "bigint" },
  ...{ decided_by: "text", used: "bigint", reason: "text", description: "text", action: "text", before: "text" },
  approvals: "text",
});
const CONFIRMATION_NAMES = [
  ...(["position", "id", "conversation_id", "own", "status", "run_id", "call_id", "iteration", "instance"] as const),
  ...(["key", "cause", "action_key", "requested_seq", "requested_at", "decided_seq", "decided_at"] as const),
  ...(["decided_by", "used", "reason", "description", "action", "before", "approvals"] as const),
];
const ALERTS = insertInto("alerts", {
  ...{ position: "bigint", id: "text", conversation_id: "text", seq: "bigint", run_id: "text", created_at: "bigint" },
  ...{ reason: "text", text: "text", closed_at: "bigint", closed_by: "text" },
});
const SEARCHED = insertInto(
  "event_search",
  { place: "bigint", words: "tsvector" },
  "ON CONFLICT (place) DO UPDATE SET words = excluded.words",
);
const ADD_USAGE = `INSERT INTO agent_usage (day, agent_id, model, input_tokens, output_tokens) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (day, agent_id, model) DO UPDATE SET input_tokens = agent_usage.input_tokens + excluded.input_tokens,
    output_tokens = agent_usage.output_tokens + excluded.output_tokens`;
const SAVE_SEARCH_PROGRESS = `INSERT INTO search_progress (id, position, history) VALUES (1, $1, $2)
  ON CONFLICT (id) DO UPDATE SET position = excluded.position, history = excluded.history
  WHERE excluded.position >= search_progress.position`;
const SAVE_BOOKMARK = `INSERT INTO bookmarks (conversation_id, seq, note, by, at, set_seq) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (conversation_id, seq) DO UPDATE SET note = excluded.note, by = excluded.by, at = excluded.at,
    set_seq = excluded.set_seq`;
const SAVE_SNAPSHOT = `INSERT INTO snapshots (conversation_id, seq, reducer_version, session) VALUES ($1, $2, $3, $4)
  ON CONFLICT (conversation_id, seq) DO UPDATE SET reducer_version = excluded.reducer_version, session = excluded.session`;
const SAVE_TIMELINE_CHUNK = `INSERT INTO timeline_chunks (conversation_id, seq, version, holds, buckets, standing)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (conversation_id, seq) DO UPDATE SET version = excluded.version, holds = excluded.holds,
    buckets = excluded.buckets, standing = excluded.standing`;

/**
 * A table's columns, in the order of its rows' values, as a function that writes rows in one statement, with an array for each
 * column; nothing where there are none.
 */
function insertInto(table: string, columns: Record<string, ElementType | "tsvector">, conflict = "") {
  const names = Object.keys(columns);
  // An array of vectors is sent as one of texts.
  const types = Object.values(columns).map((type) => (type === "tsvector" ? "text" : type));
  const arrays = types.map((type, index) => `$${index + 1}::${type}[]`);
  const selected = names.map((name) => (columns[name] === "tsvector" ? `"${name}"::tsvector` : `"${name}"`));
  const quoted = names.map((name) => `"${name}"`).join(", ");
  const text = `INSERT INTO ${table} (${quoted}) SELECT ${selected.join(", ")} FROM unnest(${arrays.join(", ")}) AS row (${quoted}) ${conflict}`;
  return (rows: readonly Row[]): Statement[] =>
    rows.length === 0 ? [] : [{ text, values: types.map((type, index) => columnOf(rows, index, type)) }];
}

/** What was said may have any character. */
function asJson(values: MessageValues): MessageValues {
  const [position, conversation_id, seq, id, role, name, tool_call_id, run_id, created_at, metadata, content] = values;
  const text = JSON.stringify(content);
  return [position, conversation_id, seq, id, role, name, tool_call_id, run_id, created_at, metadata, text];
}

/** With the words of its id and its title. */
function withWords(values: ConversationValues): Row {
  const [, id, title] = values;
  return [...values, wordsWithPlaces(`${id}\n${title ?? ""}`)];
}
