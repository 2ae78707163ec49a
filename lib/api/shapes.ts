import type { z } from "zod";
import type * as answers from "./answers/answers.ts";
import type { auditEntry } from "./operations/access/audit.ts";
import type { apiKey } from "./operations/access/keys.ts";
import type { user } from "./operations/access/users.ts";
import type * as rules from "./operations/alert-rules/rule-answers.ts";
import type { erasure } from "./operations/conversations/erasures.ts";
import type { facets } from "./operations/conversations/get-facets.ts";
import type { conversations } from "./operations/conversations/list-conversations.ts";
import type { sessionSearch } from "./operations/conversations/search-conversation.ts";
import type { unreadReport } from "./operations/get-unread.ts";
import type * as overview from "./operations/overview/overview-answer.ts";
import type { queue } from "./operations/queue/queue.ts";
import type * as agreement from "./operations/scores/agreement.ts";
import type * as judges from "./operations/scores/judges.ts";
import type { inferredEdges } from "./operations/sessions/inferred-edges.ts";
import type { similarFailures } from "./operations/sessions/similar-failures.ts";
import type { pathHistory, tokens } from "./operations/sessions/state-history.ts";
import type * as suites from "./operations/suites/suite-answers.ts";
import type { listView, listViews } from "./operations/views/views.ts";

// The types of the API's responses: all that the console knows of stored data.

export type AgentStateEntry = z.infer<typeof answers.agentStateEntry>;
export type AgentStateVersion = z.infer<typeof answers.agentStateVersion>;
export type AppendedEvents = z.infer<typeof answers.appendedEvents>;
export type AuditEntry = z.infer<typeof auditEntry>;
export type ApiKey = z.infer<typeof apiKey>;
export type Confirmation = z.infer<typeof answers.confirmation>;
export type Conversation = z.infer<typeof answers.conversation>;
export type ConversationPage = z.infer<typeof conversations>;
export type Erasure = z.infer<typeof erasure>;
export type Facets = z.infer<typeof facets>;
export type InferredEdges = z.infer<typeof inferredEdges>;
export type ListView = z.infer<typeof listView>;
export type ListViews = z.infer<typeof listViews>;
export type ListedAlert = z.infer<typeof answers.listedAlert>;
export type ListedConfirmation = z.infer<typeof answers.listedConfirmation>;
export type AlertRule = z.infer<typeof rules.alertRule>;
export type RuleFiring = z.infer<typeof rules.ruleFiring>;
export type Backtest = z.infer<typeof rules.backtestAnswer>;
export type Overview = overview.OverviewAnswer;
export type ToolCalls = overview.ToolsAnswer;
export type ToolReport = overview.ToolAnswer;
export type Agreement = z.infer<typeof agreement.agreementAnswer>;
export type Judge = z.infer<typeof judges.judgeAnswer>;
export type ComparedVersions = overview.VersionsAnswer;
export type PathHistory = z.infer<typeof pathHistory>;
export type Queue = z.infer<typeof queue>;
export type SimilarFailures = z.infer<typeof similarFailures>;
export type SessionSearch = z.infer<typeof sessionSearch>;
export type AgentVersion = z.infer<typeof suites.agentVersion>;
export type CaseResult = z.infer<typeof suites.caseResultAnswer>;
export type Promotion = z.infer<typeof suites.promotion>;
export type SuiteCase = z.infer<typeof suites.suiteCaseRow>;
export type SuiteRow = z.infer<typeof suites.suiteRow>;
export type SuiteRun = z.infer<typeof suites.suiteRun>;
export type SuiteRunReport = z.infer<typeof suites.suiteRunAnswer>;
export type Tokens = z.infer<typeof tokens>;
export type UnreadReport = z.infer<typeof unreadReport>;
export type User = z.infer<typeof user>;

/** A page of a list; cursors are opaque, and null at either end. */
export interface Page<T> {
  items: T[];
  next: string | null;
  prev: string | null;
}
