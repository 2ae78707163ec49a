import { listAgents } from "@/lib/api/operations/agents.ts";
import { route } from "@/lib/api/route.ts";
import { services } from "@/lib/server/services.ts";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route(services, listAgents);
