import { getNextStep } from "@/lib/api/operations/get-timeline.ts";
import { route } from "@/lib/api/route.ts";
import { services } from "@/lib/server/services.ts";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route(services, getNextStep);
