import enAccess from "@/messages/en/access.json";
import enAdmin from "@/messages/en/admin.json";
import enAgents from "@/messages/en/agents.json";
import enAlerts from "@/messages/en/alerts.json";
import enApprovals from "@/messages/en/approvals.json";
import enAudit from "@/messages/en/audit.json";
import enCommon from "@/messages/en/common.json";
import enCompare from "@/messages/en/compare.json";
import enCompose from "@/messages/en/compose.json";
import enConnect from "@/messages/en/connect.json";
import enData from "@/messages/en/data.json";
import enDecision from "@/messages/en/decision.json";
import enEvents from "@/messages/en/events.json";
import enFailure from "@/messages/en/failure.json";
import enFind from "@/messages/en/find.json";
import enFork from "@/messages/en/fork.json";
import enGraph from "@/messages/en/graph.json";
import enInspector from "@/messages/en/inspector.json";
import enList from "@/messages/en/list.json";
import enMemory from "@/messages/en/memory.json";
import enOverview from "@/messages/en/overview.json";
import enPalette from "@/messages/en/palette.json";
import enPlayground from "@/messages/en/playground.json";
import enProblems from "@/messages/en/problems.json";
import enPrompt from "@/messages/en/prompt.json";
import enReference from "@/messages/en/reference.json";
import enStages from "@/messages/en/stages.json";
import enStudio from "@/messages/en/studio.json";
import enThread from "@/messages/en/thread.json";
import enTimeline from "@/messages/en/timeline.json";
import enTrace from "@/messages/en/trace.json";
import enTranscript from "@/messages/en/transcript.json";
import enTransfer from "@/messages/en/transfer.json";
import enWorkbench from "@/messages/en/workbench.json";
import ruAccess from "@/messages/ru/access.json";
import ruAdmin from "@/messages/ru/admin.json";
import ruAgents from "@/messages/ru/agents.json";
import ruAlerts from "@/messages/ru/alerts.json";
import ruApprovals from "@/messages/ru/approvals.json";
import ruAudit from "@/messages/ru/audit.json";
import ruCommon from "@/messages/ru/common.json";
import ruCompare from "@/messages/ru/compare.json";
import ruCompose from "@/messages/ru/compose.json";
import ruConnect from "@/messages/ru/connect.json";
import ruData from "@/messages/ru/data.json";
import ruDecision from "@/messages/ru/decision.json";
import ruEvents from "@/messages/ru/events.json";
import ruFailure from "@/messages/ru/failure.json";
import ruFind from "@/messages/ru/find.json";
import ruFork from "@/messages/ru/fork.json";
import ruGraph from "@/messages/ru/graph.json";
import ruInspector from "@/messages/ru/inspector.json";
import ruList from "@/messages/ru/list.json";
import ruMemory from "@/messages/ru/memory.json";
import ruOverview from "@/messages/ru/overview.json";
import ruPalette from "@/messages/ru/palette.json";
import ruPlayground from "@/messages/ru/playground.json";
import ruProblems from "@/messages/ru/problems.json";
import ruPrompt from "@/messages/ru/prompt.json";
import ruReference from "@/messages/ru/reference.json";
import ruStages from "@/messages/ru/stages.json";
import ruStudio from "@/messages/ru/studio.json";
import ruThread from "@/messages/ru/thread.json";
import ruTimeline from "@/messages/ru/timeline.json";
import ruTrace from "@/messages/ru/trace.json";
import ruTranscript from "@/messages/ru/transcript.json";
import ruTransfer from "@/messages/ru/transfer.json";
import ruWorkbench from "@/messages/ru/workbench.json";
import type { Locale } from "./locales.ts";

const en = {
  access: enAccess,
  admin: enAdmin,
  agents: enAgents,
  alerts: enAlerts,
  approvals: enApprovals,
  audit: enAudit,
  common: enCommon,
  compare: enCompare,
  compose: enCompose,
  connect: enConnect,
  data: enData,
  decision: enDecision,
  events: enEvents,
  failure: enFailure,
  find: enFind,
  fork: enFork,
  graph: enGraph,
  inspector: enInspector,
  list: enList,
  memory: enMemory,
  overview: enOverview,
  palette: enPalette,
  playground: enPlayground,
  problems: enProblems,
  prompt: enPrompt,
  reference: enReference,
  stages: enStages,
  studio: enStudio,
  thread: enThread,
  timeline: enTimeline,
  trace: enTrace,
  transcript: enTranscript,
  transfer: enTransfer,
  workbench: enWorkbench,
};

const ru = {
  access: ruAccess,
  admin: ruAdmin,
  agents: ruAgents,
  alerts: ruAlerts,
  approvals: ruApprovals,
  audit: ruAudit,
  common: ruCommon,
  compare: ruCompare,
  compose: ruCompose,
  connect: ruConnect,
  data: ruData,
  decision: ruDecision,
  events: ruEvents,
  failure: ruFailure,
  find: ruFind,
  fork: ruFork,
  graph: ruGraph,
  inspector: ruInspector,
  list: ruList,
  memory: ruMemory,
  overview: ruOverview,
  palette: ruPalette,
  playground: ruPlayground,
  problems: ruProblems,
  prompt: ruPrompt,
  reference: ruReference,
  stages: ruStages,
  studio: ruStudio,
  thread: ruThread,
  timeline: ruTimeline,
  trace: ruTrace,
  transcript: ruTranscript,
  transfer: ruTransfer,
  workbench: ruWorkbench,
};

/** The messages by namespace, typed by the English files. */
export type Messages = typeof en;

const MESSAGES = { en, ru } satisfies Record<Locale, object>;

/** All messages of a language. */
export function messagesOf(locale: Locale): (typeof MESSAGES)[Locale] {
  return MESSAGES[locale];
}
