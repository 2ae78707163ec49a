import type { AuditStore } from "./access.ts";
import type {
  AgentStates,
  Alerts,
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

/** Where storage lives and whom it tells. */
export interface StorageOptions {
  /** Made when it is missing; held by one process at a time. */
  dataDir: string;
  /** `full`: an answer means it is on disk. `normal`: it survives a crash of the process, not always of the machine. */
  durability: "full" | "normal";
  /** Called after each commit that added events, with the newest position, once those who waited have been answered. */
  onCommit: (position: number) => void;
  /** Takes what nobody waits for: a reader thread that died, a snapshot that failed. Pino's logger fits. */
  logger: StorageLogger;
}

export interface StorageLogger {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

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
  telegram: TelegramStore;
  spans: SpanStore;
  audit: AuditStore;
  /** Writes what is queued, ends the reader threads, closes the files and frees the directory; once. */
  close(): Promise<void>;
}
