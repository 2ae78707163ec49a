import { forkConversation, previewFork } from "@/lib/api/operations/fork-conversation.ts";
import { route } from "@/lib/api/route.ts";
import { services } from "@/lib/server/services.ts";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route(services, previewFork, forkConversation);
