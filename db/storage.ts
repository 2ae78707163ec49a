import type { Json } from "../lib/session/json/json.ts";
import type { AuditStore, KeyStore, SignInStore, UsageStore, UserStore } from "./access.ts";
import type { ErasureStore } from "./erasures.ts";
import type { StorageDamaged } from "./errors.ts";
import type { Commit, StorageMeasures } from "./measures.ts";
import type { NoticeStore } from "./notices.ts";
import type {
  AgentStates,
  Alerts,
  BookmarkStore,
  Confirmations,
  Conversations,
  Events,
  Log,
  Messages,
  Runs,
  Sessions,
  SpanStore,
  TelegramStore,
} from "./repositories.ts";
import type { RetentionStore } from "./retention.ts";

/** Where storage lives and whom it tells. */
export interface StorageOptions {
  /** Made when it is missing; held by one process at a time. */
  dataDir: string;
  /** `full`: an answer means it is on disk. `normal`: it survives a crash of the process, not always of the machine. */
  durability: "full" | "normal";
  /** Called after each commit that added events, with the newest position, once those who waited have been answered. */
  onCommit: (position: number) => void;
  /** Called after each commit, also one that added no events. */
  onWrite?: (commit: Commit) => void;
  /** Takes out of what comes in what is not to be stored; nothing where it is missing. */
  redact?: (value: Json) => Json;
  /** Called now and then while a start makes projections anew. */
  onRebuilding?: OnRebuilding;
  /** Takes what nobody waits for: a reader thread that died, a snapshot that failed. Pino's logger fits. */
  logger: StorageLogger;
}

export interface StorageLogger {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** How far the making anew of a projection is, in events of the log. */
export interface Rebuilding {
  projection: "messages" | "standing" | "conversations" | "search";
  done: number;
  total: number;
}

export type OnRebuilding = (progress: Rebuilding) => void;

/** An open database with all its repositories. Made by `openStorage` of `sqlite/open.ts`. */
export interface Storage {
  conversations: Conversations;
  messages: Messages;
  events: Events;
  agentStates: AgentStates;
  confirmations: Confirmations;
  alerts: Alerts;
  runs: Runs;
  log: Log;
  sessions: Sessions;
  bookmarks: BookmarkStore;
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
  /** How much it holds and how far behind it is, by now. */
  measures(): StorageMeasures;
  /** What is wrong with its file, since it was found to be damaged; null while nothing is known of that. */
  damage(): StorageDamaged | null;
  /** Gives the disk back what is kept for the end, so that what is in memory can be written where it is full. */
  makeRoom(): void;
  /** Writes what is queued, ends the reader threads, closes the files and frees the directory; once. */
  close(): Promise<void>;
}
