import { getOpenApi } from "../../api/operations/get-openapi.ts";
import { operations } from "../../api/operations.ts";
import { type Handler, route } from "../../api/route.ts";
import { type Services, services } from "../services.ts";

/** The handlers of all API paths; that of unknown ones is at `/api/*`. */
export function createApiHandlers(): Services["api"] {
  const handlers = new Map<string, Handler>([["/api/*", route(services)]]);
  for (const [path, atPath] of Map.groupBy([...operations, getOpenApi], (operation) => operation.path))
    handlers.set(path, route(services, ...atPath));
  return (path) => {
    const handler = handlers.get(path);
    if (!handler) throw new Error(`There is no operation at ${path}`);
    return handler;
  };
}
