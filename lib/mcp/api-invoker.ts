import type { Requester } from "../access/caller.ts";
import type { Operation } from "../api/operation.ts";
import { REQUESTER_HEADER, writeRequester } from "../api/request/requester.ts";
import { route } from "../api/route.ts";
import type { Services } from "../server/services.ts";

/** An error of the API, with its message. */
export class Refused extends Error {
  override name = "Refused";
}

interface Question {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  /** Sent as JSON. */
  body?: object;
}

/** The API for tools. */
export interface ApiInvoker {
  /**
   * Calls an operation of the API like a request, with the same checks and errors. `T` is the response's type. Throws
   * `Refused`.
   */
  ask<T>(operation: Operation, question?: Question): Promise<T>;
  /** The console's URL of a conversation. */
  addressOf(conversationId: string): string;
  /** Logs internal errors. */
  logger: Services["logger"];
}

/** Creates an invoker for a request; `origin` is the console's address for its caller. */
export function createApiInvoker(services: Services, origin: string, requester: Requester): ApiInvoker {
  const headers = { [REQUESTER_HEADER]: writeRequester(requester), "content-type": "application/json" };
  return {
    logger: services.logger.child({ request_id: requester.request_id }),
    addressOf: (id) => `${origin}/conversations/${encodeURIComponent(id)}`,
    async ask(operation, { params = {}, query = {}, body } = {}) {
      const address = new URL(operation.path, origin);
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) address.searchParams.set(name, String(value));
      const { method } = operation;
      const request = new Request(address, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      const response = await route(() => services, operation)(request, { params: Promise.resolve(params) });
      const answer = await response.json();
      if (!response.ok) throw new Refused(answer.detail);
      return answer;
    },
  };
}
