import type { Operation } from "./operation.ts";
import { deleteAgentState, getAgentState, putAgentState } from "./operations/agent-state.ts";
import { createConversation } from "./operations/create-conversation.ts";
import { exportConversation } from "./operations/export-conversation.ts";
import { getConversation } from "./operations/get-conversation.ts";
import { getFacets } from "./operations/get-facets.ts";
import { getTimeline } from "./operations/get-timeline.ts";
import { getView } from "./operations/get-view.ts";
import { getHealth, getReady } from "./operations/health.ts";
import { importConversations } from "./operations/import-conversations.ts";
import { listAgentStates } from "./operations/list-agent-states.ts";
import { listConversations } from "./operations/list-conversations.ts";
import { listEvents } from "./operations/list-events.ts";
import { listMessages } from "./operations/list-messages.ts";
import { postEvents } from "./operations/post-events.ts";
import { postMessages } from "./operations/post-messages.ts";
import { streamEvents } from "./operations/stream-events.ts";

/** Every call of the API, in the order of the documentation. */
export const operations: readonly Operation[] = [
  postEvents,
  postMessages,
  streamEvents,
  createConversation,
  listConversations,
  getFacets,
  getConversation,
  listMessages,
  listEvents,
  getTimeline,
  getView,
  exportConversation,
  importConversations,
  listAgentStates,
  getAgentState,
  putAgentState,
  deleteAgentState,
  getHealth,
  getReady,
];
