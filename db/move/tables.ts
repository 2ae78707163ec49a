/** What a column holds. `place`: its number tells the order of rows; in SQLite it is the row's own. */
export type ColumnKind = "text" | "integer" | "bytes" | "place";

/** A table that both storages have. */
export interface MovedTable {
  name: string;
  /** The columns that name a row, in the order in which rows are read. */
  key: readonly string[];
  columns: Readonly<Record<string, ColumnKind>>;
  /** It is made from the log where it is missing, and may grow at any time. */
  isDerived?: boolean;
}

export type Value = string | number | Uint8Array | null;

/** The values of a row, in the order of its table's columns. */
export type Row = readonly Value[];

function table(name: string, key: readonly string[], columns: Partial<Record<ColumnKind, string>>): MovedTable {
  const named = (["place", "text", "integer", "bytes"] as const).flatMap((kind) =>
    (columns[kind] ?? "")
      .split(" ")
      .flatMap((column): [string, ColumnKind][] => (column === "" ? [] : [[column, kind]])),
  );
  return { name, key, columns: Object.fromEntries(named) };
}

/** Every table with data of its own, the log first. The index of the search is made anew from the log. */
export const MOVED: readonly MovedTable[] = [
  table("events", ["position"], {
    integer: "position seq iteration error occurred_at recorded_at",
    text: "id conversation_id type actor agent_id run_id parent_run_id caused_by call_id instance tool payload origin",
  }),
  table("messages", ["position"], {
    integer: "position seq created_at",
    text: "conversation_id id role name tool_call_id run_id metadata content",
  }),
  table("conversations", ["position"], {
    integer: "position updated_at",
    text: "id title status channel stage agent_id summary forked_from",
  }),
  table("agent_state", ["agent_id", "key"], { text: "agent_id key value", integer: "version updated_at" }),
  table("agent_state_versions", ["agent_id", "key", "version"], { text: "agent_id key", integer: "version position" }),
  table("confirmations", ["position"], {
    integer: "position own iteration requested_seq requested_at decided_seq decided_at used",
    text: "id conversation_id status run_id call_id instance key cause action_key decided_by reason description action before approvals",
  }),
  table("run_owners", ["run_id"], { text: "run_id key", integer: "fence decided ready" }),
  table("alerts", ["position"], {
    integer: "position seq created_at closed_at",
    text: "id conversation_id run_id closed_by reason text",
  }),
  table("bookmarks", ["conversation_id", "seq"], { text: "conversation_id note by", integer: "seq at set_seq" }),
  table("scores", ["conversation_id", "id"], {
    text: "conversation_id id run_id call_id name kind value source comment by detail",
    integer: "seq at",
  }),
  table("queue", ["conversation_id"], {
    text: "conversation_id assignee tags",
    integer: "due_at snoozed_until resolved_at",
  }),
  table("notes", ["conversation_id", "id"], {
    text: "conversation_id id run_id call_id path text mentions by",
    integer: "seq at",
  }),
  table("list_views", ["id"], { text: "id owner name query", integer: "shared created_at updated_at" }),
  table("waiting_scores", ["id"], { text: "id target content", integer: "received_at" }),
  {
    ...table("snapshots", ["conversation_id", "seq"], {
      text: "conversation_id",
      integer: "seq reducer_version",
      bytes: "session",
    }),
    isDerived: true,
  },
  {
    ...table("timeline_chunks", ["conversation_id", "seq"], {
      text: "conversation_id holds buckets",
      integer: "seq version",
      bytes: "standing",
    }),
    isDerived: true,
  },
  table("agent_usage", ["day", "agent_id", "model"], {
    text: "day agent_id model",
    integer: "input_tokens output_tokens",
  }),
  table("users", ["id"], { text: "id name role password_hash subject", integer: "created_at" }),
  table("absences", ["name"], { text: "name deputy", integer: "from_at until_at" }),
  table("sign_ins", ["token_hash"], {
    text: "token_hash user_id address user_agent",
    integer: "created_at seen_at expires_at",
  }),
  table("api_keys", ["place"], {
    place: "place",
    text: "id name token_hash shown scopes created_by",
    integer: "created_at expires_at used_at revoked_at",
  }),
  table("audit", ["id"], {
    integer: "id at",
    text: "action actor address request_id target before after salt digest hash",
  }),
  table("notices", ["subject", "channel", "number"], {
    text: "subject channel message error",
    integer: "number due_at tries sent_at",
  }),
  table("notice_places", ["channel"], { text: "channel", integer: "position" }),
  table("telegram_updates", ["update_id"], { integer: "update_id handled_at", text: "conversation_id content" }),
  table("telegram_progress", ["name"], { text: "name", integer: "position parts" }),
  table("spans", ["place"], {
    place: "place",
    text: "trace_id span_id parent_span_id content",
    integer: "received_at taken",
  }),
  table("erasures", ["id"], {
    text: "id kind target reason scope receipt phase requested_by",
    integer: "conversations events requested_at finished_at",
  }),
  table("suites", ["name"], { text: "name created_by", integer: "created_at" }),
  table("suite_cases", ["suite", "id"], {
    text: "suite id conversation_id title tags created_by tools content users",
    integer: "calls created_at",
  }),
  table("suite_runs", ["id"], {
    text: "id suite agent_id version model rule cases status error worker started_by",
    integer: "tries done total started_at seen_at finished_at",
  }),
  table("suite_tries", ["run_id", "case_id", "number"], {
    text: "run_id case_id outcome brief result",
    integer: "number",
  }),
  table("alert_rules", ["id"], {
    text: "id name condition state created_by",
    integer: "enabled muted_until since told_at created_at updated_at",
  }),
  table("alert_firings", ["id"], {
    text: "id rule_id condition value peak",
    integer: "started_at ended_at window_from count told_at",
  }),
  table("agent_versions", ["agent_id", "version"], {
    text: "agent_id version definition created_by",
    integer: "created_at",
  }),
  table("agent_promotions", ["id"], {
    text: "id agent_id version before run_id promoted_by",
    integer: "promoted_at",
  }),
];

/** What is being stored and is not complete: a move has none, but a check looks at a database in use. */
export const UNFINISHED = table("unfinished_forks", ["conversation_id"], {
  text: "conversation_id",
  integer: "position",
});

/** A page of rows: so many of them, and about so many bytes. */
export const PAGE = { rows: 1_000, bytes: 4_000_000 } as const;

/** One of the two databases of a move. */
export interface Side {
  /** Rows after one, by its key, in the order of keys; the first page if there is none. At least one if there are any. */
  read(table: MovedTable, after: Row | null): Promise<Row[]>;
  /** The last row by its key; null where the table is empty. */
  last(table: MovedTable): Promise<Row | null>;
  count(table: MovedTable): Promise<number>;
}

export interface Target extends Side {
  /** The source of the move that is under way; null for none. */
  source(): Promise<string | null>;
  /** Notes the source of a move, or that it is complete. */
  setSource(source: string | null): Promise<void>;
  /** Writes rows that are not there, all or none of them. */
  write(table: MovedTable, rows: readonly Row[]): Promise<void>;
}

/** The values of a row's key. */
export function keyOf({ key, columns }: MovedTable, row: Row): Value[] {
  const names = Object.keys(columns);
  return key.map((column) => row[names.indexOf(column)] ?? null);
}
