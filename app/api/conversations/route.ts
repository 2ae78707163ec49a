import { createConversation } from "@/lib/api/operations/create-conversation.ts";
import { listConversations } from "@/lib/api/operations/list-conversations.ts";
import { route } from "@/lib/api/route.ts";
import { services } from "@/lib/server/services.ts";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route(services, createConversation, listConversations);
