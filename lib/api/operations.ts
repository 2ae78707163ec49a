import type { Operation } from "./operation.ts";
import { deleteAbsence, listAbsences, putAbsence } from "./operations/absences/absences.ts";
import { exportAudit, listAudit } from "./operations/access/audit.ts";
import { deleteKey, listKeys, postKey } from "./operations/access/keys.ts";
import { getMe, putMyPassword, signIn, signOut } from "./operations/access/sign-in.ts";
import { finishSignIn, startSignIn } from "./operations/access/sign-in-elsewhere.ts";
import { deleteUser, listUsers, postUser, putUser } from "./operations/access/users.ts";
import {
  createAlertRule,
  deleteAlertRule,
  getAlertRule,
  listAlertRules,
  muteAlertRule,
  putAlertRule,
  tryAlertRule,
} from "./operations/alert-rules/alert-rules.ts";
import { deleteBookmark, listBookmarks, putBookmark } from "./operations/conversations/bookmarks.ts";
import { createConversation } from "./operations/conversations/create-conversation.ts";
import { getErasure, listErasures, postErasure } from "./operations/conversations/erasures.ts";
import { exportCase } from "./operations/conversations/export-case.ts";
import { exportConversation } from "./operations/conversations/export-conversation.ts";
import { exportConversations } from "./operations/conversations/export-conversations.ts";
import { exportTable } from "./operations/conversations/export-table.ts";
import { forkConversation, previewFork, runFork, setForkMode } from "./operations/conversations/fork-conversation.ts";
import { getConversation } from "./operations/conversations/get-conversation.ts";
import { getFacets } from "./operations/conversations/get-facets.ts";
import { getRetention } from "./operations/conversations/get-retention.ts";
import { getImport, importConversations } from "./operations/conversations/import-conversations.ts";
import { listConversations } from "./operations/conversations/list-conversations.ts";
import { listMessages } from "./operations/conversations/list-messages.ts";
import { postMessages } from "./operations/conversations/post-messages.ts";
import { postTurn } from "./operations/conversations/post-turn.ts";
import { searchConversation } from "./operations/conversations/search-conversation.ts";
import { handBack, takeOver } from "./operations/conversations/takeover.ts";
import { getMetrics } from "./operations/get-metrics.ts";
import { getPrices } from "./operations/get-prices.ts";
import { getUnread } from "./operations/get-unread.ts";
import { getHealth, getReady } from "./operations/health.ts";
import { deleteNote, listNotes, postNote } from "./operations/notes/notes.ts";
import { compareVersions, getOverview, getToolCalls, getToolReport } from "./operations/overview/overview.ts";
import { postEvents } from "./operations/post-events.ts";
import { postMcp } from "./operations/post-mcp.ts";
import {
  postLogs,
  postMetrics,
  postOtlpLogs,
  postOtlpMetrics,
  postOtlpTraces,
  postTraces,
} from "./operations/post-otlp.ts";
import { changeQueue, getQueue } from "./operations/queue/queue.ts";
import { cancelRun } from "./operations/runs/cancel-run.ts";
import { decideConfirmation } from "./operations/runs/decide-confirmation.ts";
import { decideConfirmations } from "./operations/runs/decide-confirmations.ts";
import { listDelegates, postDelegate } from "./operations/runs/delegates.ts";
import { drawDialogGraph } from "./operations/runs/dialog-graph.ts";
import { getRun } from "./operations/runs/get-run.ts";
import { listAlerts } from "./operations/runs/list-alerts.ts";
import { listConfirmations } from "./operations/runs/list-confirmations.ts";
import { renderPrompt } from "./operations/runs/render-prompt.ts";
import { resumeRun } from "./operations/runs/resume-run.ts";
import { runPlan } from "./operations/runs/run-plan.ts";
import { simulatePlan } from "./operations/runs/simulate-plan.ts";
import { listTools, postTool } from "./operations/runs/tools.ts";
import { validatePlan } from "./operations/runs/validate-plan.ts";
import { getAgreement } from "./operations/scores/agreement.ts";
import { deleteJudge, getJudgement, listJudges, putJudge } from "./operations/scores/judges.ts";
import { deleteScore, listScores, postScore } from "./operations/scores/scores.ts";
import { postAgUi, streamAgUi } from "./operations/sessions/ag-ui.ts";
import { getSessionMap } from "./operations/sessions/get-map.ts";
import { getNextStep, getTimeline, getTimelineBuckets } from "./operations/sessions/get-timeline.ts";
import { getView } from "./operations/sessions/get-view.ts";
import { getInferredEdges } from "./operations/sessions/inferred-edges.ts";
import { listEvents } from "./operations/sessions/list-events.ts";
import { getResponse, postResponse } from "./operations/sessions/responses.ts";
import { runAgUi } from "./operations/sessions/run-ag-ui.ts";
import { getSimilarFailures } from "./operations/sessions/similar-failures.ts";
import { getStateHistory, getTokens } from "./operations/sessions/state-history.ts";
import { streamEvents } from "./operations/sessions/stream-events.ts";
import { deleteAgentState, getAgentState, putAgentState } from "./operations/state/agent-state.ts";
import { getAgentStateVersion, listAgentStateHistory } from "./operations/state/agent-state-history.ts";
import { getAgent, listAgents, putAgent } from "./operations/state/agents.ts";
import { listAgentStates } from "./operations/state/list-agent-states.ts";
import { getMemory, listMemories, putMemory } from "./operations/state/memory.ts";
import { getAgentVersion, listAgentVersions, promoteAgent } from "./operations/suites/agent-versions.ts";
import { deleteCase, getCase, postCase, putCase } from "./operations/suites/cases.ts";
import { cancelSuiteRun, getCaseResult, getSuiteRun, listSuiteRuns, postSuiteRun } from "./operations/suites/runs.ts";
import { createSuite, deleteSuite, getSuite, listSuites } from "./operations/suites/suites.ts";
import { postTelegramUpdate } from "./operations/telegram-webhook.ts";
import { testNotices } from "./operations/test-notices.ts";
import { deleteListView, getListViews, postListView, putListView } from "./operations/views/views.ts";

/** All operations of the API, in the order of the documentation. */
export const operations: readonly Operation[] = [
  postEvents,
  postMessages,
  postTraces,
  postOtlpTraces,
  postLogs,
  postOtlpLogs,
  postMetrics,
  postOtlpMetrics,
  getUnread,
  postAgUi,
  streamEvents,
  streamAgUi,
  runAgUi,
  postResponse,
  getResponse,
  createConversation,
  listConversations,
  getFacets,
  getOverview,
  getToolCalls,
  getToolReport,
  compareVersions,
  getConversation,
  listMessages,
  postTurn,
  takeOver,
  handBack,
  listEvents,
  getTimeline,
  getTimelineBuckets,
  getNextStep,
  getView,
  searchConversation,
  getStateHistory,
  getInferredEdges,
  getSessionMap,
  getSimilarFailures,
  getTokens,
  listBookmarks,
  putBookmark,
  deleteBookmark,
  exportTable,
  listNotes,
  postNote,
  deleteNote,
  changeQueue,
  getQueue,
  listAbsences,
  putAbsence,
  deleteAbsence,
  getAgreement,
  listJudges,
  putJudge,
  deleteJudge,
  getJudgement,
  getListViews,
  postListView,
  putListView,
  deleteListView,
  postScore,
  listScores,
  deleteScore,
  exportConversation,
  exportCase,
  exportConversations,
  importConversations,
  getImport,
  forkConversation,
  previewFork,
  runFork,
  setForkMode,
  validatePlan,
  simulatePlan,
  runPlan,
  cancelRun,
  resumeRun,
  listTools,
  postTool,
  listDelegates,
  postDelegate,
  listConfirmations,
  decideConfirmation,
  decideConfirmations,
  listAlerts,
  getRun,
  listAgents,
  getAgent,
  putAgent,
  listAgentVersions,
  getAgentVersion,
  promoteAgent,
  listAlertRules,
  createAlertRule,
  getAlertRule,
  putAlertRule,
  deleteAlertRule,
  muteAlertRule,
  tryAlertRule,
  listSuites,
  createSuite,
  getSuite,
  deleteSuite,
  postCase,
  getCase,
  putCase,
  deleteCase,
  listSuiteRuns,
  postSuiteRun,
  getSuiteRun,
  getCaseResult,
  cancelSuiteRun,
  drawDialogGraph,
  listAgentStates,
  getAgentState,
  putAgentState,
  deleteAgentState,
  listAgentStateHistory,
  getAgentStateVersion,
  listMemories,
  getMemory,
  putMemory,
  renderPrompt,
  getPrices,
  listAudit,
  exportAudit,
  postErasure,
  listErasures,
  getErasure,
  getRetention,
  postMcp,
  postTelegramUpdate,
  testNotices,
  signIn,
  signOut,
  startSignIn,
  finishSignIn,
  getMe,
  putMyPassword,
  listUsers,
  postUser,
  putUser,
  deleteUser,
  listKeys,
  postKey,
  deleteKey,
  getHealth,
  getReady,
  getMetrics,
];
