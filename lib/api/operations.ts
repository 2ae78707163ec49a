import type { Operation } from "./operation.ts";
import { postAgUi, streamAgUi } from "./operations/ag-ui.ts";
import { deleteAgentState, getAgentState, putAgentState } from "./operations/agent-state.ts";
import { getAgentStateVersion, listAgentStateHistory } from "./operations/agent-state-history.ts";
import { getAgent, listAgents, putAgent } from "./operations/agents.ts";
import { exportAudit, listAudit } from "./operations/audit.ts";
import { deleteBookmark, listBookmarks, putBookmark } from "./operations/bookmarks.ts";
import { cancelRun } from "./operations/cancel-run.ts";
import { createConversation } from "./operations/create-conversation.ts";
import { decideConfirmation } from "./operations/decide-confirmation.ts";
import { decideConfirmations } from "./operations/decide-confirmations.ts";
import { listDelegates, postDelegate } from "./operations/delegates.ts";
import { drawDialogGraph } from "./operations/dialog-graph.ts";
import { getErasure, listErasures, postErasure } from "./operations/erasures.ts";
import { exportConversation } from "./operations/export-conversation.ts";
import { exportConversations } from "./operations/export-conversations.ts";
import { forkConversation, previewFork, runFork, setForkMode } from "./operations/fork-conversation.ts";
import { getConversation } from "./operations/get-conversation.ts";
import { getFacets } from "./operations/get-facets.ts";
import { getMetrics } from "./operations/get-metrics.ts";
import { getPrices } from "./operations/get-prices.ts";
import { getRetention } from "./operations/get-retention.ts";
import { getRun } from "./operations/get-run.ts";
import { getNextStep, getTimeline, getTimelineBuckets } from "./operations/get-timeline.ts";
import { getView } from "./operations/get-view.ts";
import { handBack, takeOver } from "./operations/hand-over.ts";
import { getHealth, getReady } from "./operations/health.ts";
import { getImport, importConversations } from "./operations/import-conversations.ts";
import { getInferredEdges } from "./operations/inferred-edges.ts";
import { deleteKey, listKeys, postKey } from "./operations/keys.ts";
import { listAgentStates } from "./operations/list-agent-states.ts";
import { listAlerts } from "./operations/list-alerts.ts";
import { listConfirmations } from "./operations/list-confirmations.ts";
import { listConversations } from "./operations/list-conversations.ts";
import { listEvents } from "./operations/list-events.ts";
import { listMessages } from "./operations/list-messages.ts";
import { getMemory, listMemories, putMemory } from "./operations/memory.ts";
import { postEvents } from "./operations/post-events.ts";
import { postMcp } from "./operations/post-mcp.ts";
import { postMessages } from "./operations/post-messages.ts";
import { postOtlpTraces, postTraces } from "./operations/post-traces.ts";
import { postTurn } from "./operations/post-turn.ts";
import { renderPrompt } from "./operations/render-prompt.ts";
import { resumeRun } from "./operations/resume-run.ts";
import { runPlan } from "./operations/run-plan.ts";
import { searchConversation } from "./operations/search-conversation.ts";
import { getMe, putMyPassword, signIn, signOut } from "./operations/sign-in.ts";
import { finishSignIn, startSignIn } from "./operations/sign-in-elsewhere.ts";
import { simulatePlan } from "./operations/simulate-plan.ts";
import { getStateHistory, getTokens } from "./operations/state-history.ts";
import { streamEvents } from "./operations/stream-events.ts";
import { postTelegramUpdate } from "./operations/telegram-webhook.ts";
import { testNotices } from "./operations/test-notices.ts";
import { listTools, postTool } from "./operations/tools.ts";
import { deleteUser, listUsers, postUser, putUser } from "./operations/users.ts";
import { validatePlan } from "./operations/validate-plan.ts";

/** Every call of the API, in the order of the documentation. */
export const operations: readonly Operation[] = [
  postEvents,
  postMessages,
  postTraces,
  postOtlpTraces,
  postAgUi,
  streamEvents,
  streamAgUi,
  createConversation,
  listConversations,
  getFacets,
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
  getTokens,
  listBookmarks,
  putBookmark,
  deleteBookmark,
  exportConversation,
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
