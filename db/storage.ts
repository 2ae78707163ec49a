import type { Json } from "../lib/session/json/json.ts";
import type { AbsenceStore } from "./absences.ts";
import type { AuditStore, KeyStore, SignInStore, UsageStore, UserStore } from "./access.ts";
import type { AlertRuleStore } from "./alert-rules.ts";
import type { ErasureStore } from "./erasures.ts";
import type { StorageDamaged } from "./errors.ts";
import type { Commit, StorageMeasures } from "./measures.ts";
import type { NoticeStore } from "./notices.ts";
import type { Replicas } from "./replicas.ts";
import type {
  AgentStates,
  Alerts,
  BookmarkStore,
  Confirmations,
  Conversations,
  Events,
  Log,
  Messages,
  NoteStore,
  QueueStore,
  RunOwners,
  Runs,
  ScoreStore,
  Sessions,
  SpanStore,
  TelegramStore,
} from "./repositories.ts";
import type { RetentionStore } from "./retention.ts";
import type { RollupStore } from "./rollup.ts";
import type { SuiteStore } from "./suites.ts";
import type { ViewStore } from "./views.ts";

/** Those who follow the log, one for all replicas, and keep how far they have come. */
export type FollowerName = "telemetry" | "evaluators" | "judges";

/** How far a follower has come: a position in the log; null at first. */
export interface LogPlace {
  read(): Promise<number | null>;
  write(position: number): Promise<void>;
}

/** Options and callbacks of a storage. */
export interface StorageOptions {
  /** Created if missing; used by one process at a time. */
  dataDir: string;
  /** `full`: durable when acknowledged. `normal`: survives a crash of the process, but not always of the machine. */
  durability: "full" | "normal";
  /** Called after each commit with new events, with the newest position, after its requests were answered. */
  onCommit: (position: number) => void;
  /** Called after each commit, also without new events. */
  onWrite?: (commit: Commit) => void;
  /** Removes what must not be stored from new data; by default nothing. */
  redact?: (value: Json) => Json;
  /** Called now and then while projections are rebuilt on start. */
  onRebuilding?: OnRebuilding;
  /** Logs background failures: of a reader thread, of a snapshot. Compatible with Pino. */
  logger: StorageLogger;
}

export interface StorageLogger {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** The progress of a rebuild, in events. */
export interface Rebuilding {
  projection: "messages" | "standing" | "conversations" | "search" | "rollup";
  done: number;
  total: number;
}

export type OnRebuilding = (progress: Rebuilding) => void;

/** An open database with all its repositories. Made by `openStorage` of `sqlite/open.ts` or `openPostgres` of `postgres/open.ts`. */
export interface Storage {
  conversations: Conversations;
  messages: Messages;
  events: Events;
  agentStates: AgentStates;
  confirmations: Confirmations;
  alerts: Alerts;
  runs: Runs;
  runOwners: RunOwners;
  log: Log;
  sessions: Sessions;
  bookmarks: BookmarkStore;
  scores: ScoreStore;
  queue: QueueStore;
  notes: NoteStore;
  telegram: TelegramStore;
  spans: SpanStore;
  users: UserStore;
  signIns: SignInStore;
  keys: KeyStore;
  audit: AuditStore;
  notices: NoticeStore;
  erasures: ErasureStore;
  retention: RetentionStore;
  usage: UsageStore;
  rollup: RollupStore;
  suites: SuiteStore;
  alertRules: AlertRuleStore;
  views: ViewStore;
  absences: AbsenceStore;
  /** The replicas that share its database. */
  replicas: Replicas;
  /** How far a follower of the log has come, for all replicas; null in SQLite, where it is kept beside the database. */
  placeOf: ((follower: FollowerName) => LogPlace) | null;
  /** Its current gauges. */
  measures(): Promise<StorageMeasures>;
  /** The damage found in its file; null if none is known. */
  damage(): StorageDamaged | null;
  /** Releases the reserved disk space, so that what is in memory can be written when the disk is full. */
  makeRoom(): void;
  /** Writes what is queued, ends reader threads, closes the files and unlocks the directory; idempotent. */
  close(): Promise<void>;
}
