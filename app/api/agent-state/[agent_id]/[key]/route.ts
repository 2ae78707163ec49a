import { deleteAgentState, getAgentState, putAgentState } from "@/lib/api/operations/agent-state.ts";
import { route } from "@/lib/api/route.ts";
import { services } from "@/lib/server/services.ts";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route(
  services,
  deleteAgentState,
  getAgentState,
  putAgentState,
);
