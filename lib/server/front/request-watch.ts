import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import { actorOf, type Requester } from "../../access/caller.ts";
import { isMethod } from "../../api/route.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { OpenRequests } from "../metrics/metrics-gauges.ts";
import type { RouteNames } from "./route-names.ts";

/** Logs and counts requests. */
export interface RequestWatch {
  /**
   * Starts following a request until its connection is done with it. The path is missing if it was refused. The
   * returned function sets the caller, once identified.
   */
  begin(
    request: IncomingMessage,
    response: ServerResponse,
    known: { request_id: string; path: string | null },
  ): (requester: Requester) => void;
  /** Requests in progress. */
  open(): OpenRequests;
}

interface WatchNeeds {
  logger: Logger;
  metrics: Pick<Metrics, "request">;
  routeNames: RouteNames;
}

/** Slower requests are logged, ms. */
const SLOW_MS = 1_000;

/** Creates the watch of a server. */
export function createRequestWatch({ logger, metrics, routeNames }: WatchNeeds): RequestWatch {
  const open = new Set<ServerResponse>();
  return {
    begin(request, response, { request_id, path }) {
      const began = performance.now();
      let actor: string | undefined;
      open.add(response);
      response.once("close", () => {
        open.delete(response);
        const took = performance.now() - began;
        const route = routeNames(path);
        const status = response.headersSent ? response.statusCode : null;
        const method = request.method ?? "";
        const lasts = isStream(response);
        metrics.request({
          ...{ method: isMethod(method) ? method : "other", route, status },
          seconds: lasts ? null : took / 1_000,
        });
        const level = (status ?? 0) >= 500 || (took > SLOW_MS && !lasts) ? "info" : "debug";
        if (!logger.isLevelEnabled(level)) return;
        logger[level]({ request_id, method, route, status, actor, ms: Math.round(took) }, "request");
      });
      return (requester) => {
        actor = actorOf(requester.caller);
      };
    },
    open: () => ({ requests: open.size, streams: [...open].filter(isStream).length }),
  };
}

function isStream(response: ServerResponse): boolean {
  return String(response.getHeader("content-type") ?? "").startsWith("text/event-stream");
}
