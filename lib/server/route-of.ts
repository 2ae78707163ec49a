import type { Handler } from "../api/route.ts";
import { services } from "./services.ts";

/**
 * The exports of a route file. It calls the API that the server has loaded: a copy of it in each route's bundle took 80
 * MB.
 */
export function routeOf(path: string) {
  const handler: Handler = (request, context) => services().api.of(path)(request, context);
  return {
    GET: handler,
    HEAD: handler,
    OPTIONS: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
  };
}
