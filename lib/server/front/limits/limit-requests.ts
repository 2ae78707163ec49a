import type { IncomingMessage, ServerResponse } from "node:http";
import type { Replicas } from "../../../../db/replicas.ts";
import type { Requester } from "../../../access/caller.ts";
import { clientOf } from "../../../limits/client.ts";
import { createRates, type Rate } from "../../../limits/rates.ts";
import { createSlots, type Slots } from "../../../limits/slots.ts";
import type { LimitsConfig } from "../../settings/limits.ts";

/** Why a request exceeds a limit. The response already has its headers. */
interface TooMany {
  code: "too_many_requests";
  detail: string;
}

/** Counts a request of an identified caller; returns whether it exceeds a limit. */
export type RequestLimits = (
  request: IncomingMessage,
  response: ServerResponse,
  asked: { path: string; requester: Requester },
) => Promise<TooMany | null>;

/** Long responses: their slot is released when the response closes. */
const STREAMS = /^\/api\/(stream|conversations\/[^/]+\/ag-ui)\/?$/;

/** Responses that last as long as an agent's run. */
const RUNS = /^\/(api\/agents\/[^/]+\/ag-ui|v1\/responses)\/?$/;

/** Whether a request opens a stream. */
export function opensStream(method: string | undefined, path: string): boolean {
  return (method === "GET" && STREAMS.test(path)) || (method === "POST" && RUNS.test(path));
}

/** Monitoring must never be limited; static files cost nothing, and a page has twenty. */
const UNCOUNTED = /^\/(api\/(health|ready)$|_next\/static\/)/;

/** Retry-After for streams, in seconds: others end when a person leaves a page. */
const STREAM_RETRY_S = 10;
/** Retry-After for other requests, in seconds. */
const REQUEST_RETRY_S = 1;

/** Creates the limits per client: requests a minute over all replicas, concurrent requests and streams of this one. */
export async function createRequestLimits(
  { rates, requests, streams }: Pick<LimitsConfig, "rates" | "requests" | "streams">,
  replicas: Pick<Replicas, "tell" | "hear">,
): Promise<RequestLimits> {
  const rateOf = await createRates(rates, replicas);
  const open = {
    streams: {
      slots: createSlots(streams),
      retry: STREAM_RETRY_S,
      detail: `The limit of ${streams} streams per client is reached; close one, or raise OBELUS_STREAMS_PER_CLIENT.`,
    },
    requests: {
      slots: createSlots(requests),
      retry: REQUEST_RETRY_S,
      detail: `The limit of ${requests} concurrent requests per client is reached; wait for one to finish, or raise OBELUS_REQUESTS_PER_CLIENT.`,
    },
  } satisfies Record<string, Open>;

  return async (request, response, { path, requester }) => {
    if (UNCOUNTED.test(path)) return null;
    const rate = await rateOf(requester);
    if (rate !== null) setRateHeaders(response, rate);
    if (rate?.allowed === false) {
      const variable = requester.caller.kind === "nobody" ? "OBELUS_RATE_LIMIT_STRANGERS" : "OBELUS_RATE_LIMIT";
      const detail = `The limit of ${rate.limit} requests per minute is reached; retry in ${rate.seconds} s, or raise ${variable}.`;
      return { code: "too_many_requests", detail };
    }
    return takePlace(response, requester, opensStream(request.method, path) ? open.streams : open.requests);
  };
}

/** A concurrency limit and its error. */
interface Open {
  slots: Slots;
  retry: number;
  detail: string;
}

function takePlace(response: ServerResponse, requester: Requester, { slots, retry, detail }: Open): TooMany | null {
  const free = slots.take(clientOf(requester));
  if (free !== null) {
    response.once("close", free);
    return null;
  }
  response.setHeader("retry-after", retry);
  return { code: "too_many_requests", detail };
}

/** According to the IETF's draft of RateLimit header fields. */
function setRateHeaders(response: ServerResponse, { allowed, limit, left, seconds }: Rate): void {
  response.setHeader("ratelimit-policy", `"minute";q=${limit};w=60`);
  response.setHeader("ratelimit", `"minute";r=${left};t=${seconds}`);
  if (!allowed) response.setHeader("retry-after", seconds);
}
