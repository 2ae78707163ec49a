import { listErasures, postErasure } from "@/lib/api/operations/erasures.ts";
import { route } from "@/lib/api/route.ts";
import { services } from "@/lib/server/services.ts";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route(services, listErasures, postErasure);
