import { getOpenApi } from "../../api/operations/get-openapi.ts";
import { operations } from "../../api/operations.ts";
import { type Handler, route } from "../../api/route.ts";
import { services } from "../services.ts";
import { isApi } from "./page-access.ts";

/** The handlers of all API paths. */
export interface ApiHandlers {
  /** The handler of a route file, by its pattern (`/api/runs/{id}`). Throws for others: a broken invariant. */
  of(pattern: string): Handler;
  /** The handler of a request's path (`/api/runs/r1`) and the path's parameters; null if the path is not of the API. */
  find(path: string): Found | null;
}

interface Found {
  handler: Handler;
  params: Record<string, string>;
}

/** Answers at paths that no operation has. */
const OTHERS = "/api/*";

export function createApiHandlers(): ApiHandlers {
  const others = route(services);
  const handlers = new Map(
    [...Map.groupBy([...operations, getOpenApi], ({ path }) => path)].map(([path, atPath]) => [
      path,
      route(services, ...atPath),
    ]),
  );
  const patterns = Map.groupBy(
    [...handlers]
      .filter(([path]) => path.includes("{"))
      .map(([path, handler]) => ({ parts: path.split("/"), handler })),
    ({ parts }) => parts.length,
  );
  return {
    of(pattern) {
      const handler = pattern === OTHERS ? others : handlers.get(pattern);
      if (!handler) throw new Error(`There is no operation at ${pattern}`);
      return handler;
    },
    find(path) {
      // Next redirects to the path without the slash.
      if (!isApi(path) || path.endsWith("/")) return null;
      const handler = handlers.get(path);
      if (handler) return { handler, params: {} };
      const sent = path.split("/");
      for (const { parts, handler } of patterns.get(sent.length) ?? []) {
        const params = match(parts, sent);
        if (params) return { handler, params };
      }
      return sent[1] === "api" ? { handler: others, params: {} } : null;
    },
  };
}

/** The parameters of a path, both in parts; null if it is not of the pattern. */
function match(pattern: readonly string[], path: readonly string[]): Record<string, string> | null {
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const sent = path[index] ?? "";
    if (part.startsWith("{")) params[part.slice(1, -1)] = decodeURIComponent(sent);
    else if (part !== sent) return null;
  }
  return params;
}
