import type { Logger } from "pino";
import type { AbsenceStore } from "../../db/absences.ts";
import type { AuditStore, KeyStore, UserStore } from "../../db/access.ts";
import type { AlertRuleStore } from "../../db/alert-rules.ts";
import type { Replicas } from "../../db/replicas.ts";
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
  Runs,
  ScoreStore,
  Sessions,
} from "../../db/repositories.ts";
import type { RollupStore } from "../../db/rollup.ts";
import type { Storage } from "../../db/storage.ts";
import type { SuiteStore } from "../../db/suites.ts";
import type { ViewStore } from "../../db/views.ts";
import type { Access } from "../access/access.ts";
import type { RuleFollower } from "../alert-rules/follow-rules.ts";
import type { LongReads } from "../api/stream/long-reads.ts";
import type { Telegram } from "../channels/telegram/telegram.ts";
import type { AgentRegistry } from "../dialog/agent-registry.ts";
import type { MainGraph } from "../dialog/main-graph/main-graph.ts";
import type { PromptPreviews } from "../dialog/prompts/prompt-previews.ts";
import type { Turns } from "../dialog/turns.ts";
import type { Engine } from "../engine/engine.ts";
import type { DelegateRegistry } from "../engine/tools/delegate.ts";
import type { ServerTools } from "../engine/tools/tools.ts";
import type { Forks } from "../fork/forks.ts";
import type { ImportsInProgress } from "../intake/imports-in-progress.ts";
import type { ImportedConversation } from "../intake/new-event.ts";
import type { ImportOptions } from "../intake/read-import.ts";
import type { Mcp } from "../mcp/mcp.ts";
import type { Notices } from "../notify/notices.ts";
import type { Erasures } from "../privacy/erasures.ts";
import type { Retention } from "../privacy/retention.ts";
import type { JudgeRegistry } from "../scores/judge-registry.ts";
import type { Prices } from "../session/prices.ts";
import type { CaseWork } from "../suites/case-work.ts";
import type { SuiteRuns } from "../suites/run/suite-runs.ts";
import type { AgUiRuns } from "../traces/ag-ui-runs.ts";
import type { Traces } from "../traces/traces.ts";
import type { Bus } from "./bus.ts";
import type { Config } from "./config.ts";
import type { LiveDrafts } from "./drafts.ts";
import type { ApiHandlers } from "./front/api-handlers.ts";
import type { Metrics } from "./metrics/metrics.ts";

/** Everything that routes and pages may use; created once by the composition root. */
export interface Services {
  config: Config;
  api: ApiHandlers;
  /** Authentication. */
  access: Access;
  /** Users who sign in. */
  users: UserStore;
  /** API keys. */
  keys: KeyStore;
  /** The audit log. */
  audit: AuditStore;
  erasures: Erasures;
  retention: Retention;
  conversations: Conversations;
  /** What all conversations add up to. */
  rollup: RollupStore;
  messages: Messages;
  events: Events;
  /** Long reads of the log, in their own thread. */
  longReads: LongReads;
  agentStates: AgentStates;
  confirmations: Confirmations;
  alerts: Alerts;
  log: Log;
  runs: Runs;
  engine: Engine;
  agents: AgentRegistry;
  judges: JudgeRegistry;
  turns: Turns;
  forks: Forks;
  /** The progress of imports. */
  imports: ImportsInProgress;
  /** Reads the conversations of a file in any known format. Throws an error with the name `ImportError`. */
  readImport(bytes: AsyncIterable<Uint8Array>, options: ImportOptions): AsyncIterable<ImportedConversation>;
  mainGraph: MainGraph;
  promptTrials: PromptPreviews;
  tools: ServerTools;
  delegates: DelegateRegistry;
  /** Prices of models, if the operator set them. */
  prices: Prices;
  alertRules: AlertRuleStore;
  ruleFollower: Pick<RuleFollower, "ruleChanged">;
  absences: AbsenceStore;
  suites: SuiteStore;
  suiteRuns: SuiteRuns;
  /** Makes and changes cases, in a thread of its own. */
  caseWork: CaseWork;
  /** The model that agents are answered by, as it is called in requests. */
  models: { name: string };
  sessions: Sessions;
  bookmarks: BookmarkStore;
  scores: ScoreStore;
  queue: QueueStore;
  /** Saved views of the list. */
  views: ViewStore;
  notes: NoteStore;
  /** Null if no bot is configured. */
  telegram: Telegram | null;
  /** Notifies operators of what waits for them. */
  notices: Notices;
  /** Ingests traces of external agents. */
  traces: Traces;
  /** Ingests runs of external agents as AG-UI streams. */
  agUiRuns: AgUiRuns;
  /** The MCP server for assistants. */
  mcp: Mcp;
  /** Notifies streams after a commit. */
  bus: Bus;
  /** The damage of the database file; null if none is known. */
  damage: Storage["damage"];
  /** The replicas that share the database. */
  replicas: Replicas;
  /** Answers that are being streamed. */
  drafts: LiveDrafts;
  /** Logs errors, with their cause. */
  logger: Logger;
  /** Metrics of this process. */
  metrics: Metrics;
  /** Aborted when the server is about to stop: streams end then. */
  stopping: AbortSignal;
  /** Aborted before `stopping`: the server still answers, but a load balancer is to send requests elsewhere. */
  draining: AbortSignal;
}

declare global {
  // Next's route bundles only share globalThis; TypeScript requires `var` for its members.
  var obelusServices: Services | undefined;
}

/** Makes the services available to the rest of the process. */
export function provideServices(services: Services): void {
  globalThis.obelusServices = services;
}

/** The services of this process. Throws when the composition root has not run: a broken invariant. */
export function services(): Services {
  const provided = globalThis.obelusServices;
  if (!provided) throw new Error("The services were used before lib/server/main.ts provided them");
  return provided;
}
