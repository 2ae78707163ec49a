import type { Handler } from "../api/route.ts";
import { services } from "./services.ts";

/**
 * What the route file of an address exports. It calls the API as the server has loaded it: a copy of the API in the bundle of
 * each route took 80 MB.
 */
export function routeOf(path: string) {
  const handler: Handler = (request, context) => services().api(path)(request, context);
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
