import { listMessages } from "@/lib/api/operations/list-messages.ts";
import { postTurn } from "@/lib/api/operations/post-turn.ts";
import { route } from "@/lib/api/route.ts";
import { services } from "@/lib/server/services.ts";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route(services, listMessages, postTurn);
