import type { Logger } from "pino";
import type { AuditStore, KeyStore, UserStore } from "../../db/access.ts";
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
} from "../../db/repositories.ts";
import type { Storage } from "../../db/storage.ts";
import type { Access } from "../access/access.ts";
import type { Handler } from "../api/route.ts";
import type { LongReads } from "../api/stream/long-reads.ts";
import type { Telegram } from "../channels/telegram/telegram.ts";
import type { AgentRegistry } from "../dialog/agent-registry.ts";
import type { MainGraph } from "../dialog/main-graph.ts";
import type { PromptTrials } from "../dialog/prompt-trials.ts";
import type { Turns } from "../dialog/turns.ts";
import type { Engine } from "../engine/engine.ts";
import type { DelegateRegistry } from "../engine/tools/delegate.ts";
import type { ServerTools } from "../engine/tools/tools.ts";
import type { Forks } from "../fork/forks.ts";
import type { ImportsUnderWay } from "../intake/imports-under-way.ts";
import type { ImportedConversation } from "../intake/new-event.ts";
import type { ImportOptions } from "../intake/read-import.ts";
import type { Mcp } from "../mcp/mcp.ts";
import type { Notices } from "../notify/notices.ts";
import type { Erasures } from "../privacy/erasures.ts";
import type { Retention } from "../privacy/retention.ts";
import type { Prices } from "../session/prices.ts";
import type { AgUiRuns } from "../traces/ag-ui-runs.ts";
import type { Traces } from "../traces/traces.ts";
import type { Bus } from "./bus.ts";
import type { Config } from "./config.ts";
import type { LiveDrafts } from "./drafts.ts";
import type { Metrics } from "./metrics/metrics.ts";

/** Everything that routes and pages may use; made once by the composition root. */
export interface Services {
  config: Config;
  /** The handler of an address of the API, by its pattern (`/api/runs/{id}`). Throws for others: a broken invariant. */
  api(path: string): Handler;
  /** Who may come in. */
  access: Access;
  /** People who sign in here. */
  users: UserStore;
  /** Keys of programs. */
  keys: KeyStore;
  /** What was done, and by whom. */
  audit: AuditStore;
  erasures: Erasures;
  retention: Retention;
  conversations: Conversations;
  messages: Messages;
  events: Events;
  /** Reads of the log that may be long, in a thread of their own. */
  longReads: LongReads;
  agentStates: AgentStates;
  confirmations: Confirmations;
  alerts: Alerts;
  log: Log;
  runs: Runs;
  engine: Engine;
  agents: AgentRegistry;
  turns: Turns;
  forks: Forks;
  /** What clients may ask of the imports that they have sent. */
  imports: ImportsUnderWay;
  /** Reads the conversations of a file, whatever its format. Throws `ImportError`, which goes by its name here. */
  readImport(bytes: AsyncIterable<Uint8Array>, options: ImportOptions): AsyncIterable<ImportedConversation>;
  mainGraph: MainGraph;
  promptTrials: PromptTrials;
  tools: ServerTools;
  delegates: DelegateRegistry;
  /** What models cost, where the operator says so. */
  prices: Prices;
  sessions: Sessions;
  bookmarks: BookmarkStore;
  /** Null where no bot is configured. */
  telegram: Telegram | null;
  /** Tells people what awaits them. */
  notices: Notices;
  /** Takes what agents elsewhere tell of themselves. */
  traces: Traces;
  /** Takes runs that agents elsewhere tell as AG-UI streams. */
  agUiRuns: AgUiRuns;
  /** Answers assistants. */
  mcp: Mcp;
  /** Wakes streams after a commit. */
  bus: Bus;
  /** What is wrong with the database's file; null while nothing is known of that. */
  damage: Storage["damage"];
  /** Answers that are coming. */
  drafts: LiveDrafts;
  /** Takes what went wrong, with its cause. */
  logger: Logger;
  /** What this process counts about itself. */
  metrics: Metrics;
  /** Aborts when the server is about to stop: streams end then. */
  stopping: AbortSignal;
}

declare global {
  // Next's route bundles share nothing but globalThis; `var` is what TypeScript takes for a member of it.
  var obelusServices: Services | undefined;
}

/** Hands the services to the rest of the process. */
export function provideServices(services: Services): void {
  globalThis.obelusServices = services;
}

/** The services of this process. Throws when the composition root has not run: a broken invariant. */
export function services(): Services {
  const provided = globalThis.obelusServices;
  if (!provided) throw new Error("The services were used before lib/server/main.ts provided them");
  return provided;
}
