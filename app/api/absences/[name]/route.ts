import { routeOf } from "@/lib/server/route-of.ts";

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = routeOf("/api/absences/{name}");
