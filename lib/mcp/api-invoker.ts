import type { Requester } from "../access/caller.ts";
import type { Operation } from "../api/operation.ts";
import { REQUESTER_HEADER, writeRequester } from "../api/requester.ts";
import { route } from "../api/route.ts";
import type { Services } from "../server/services.ts";

/** What the API refused, in its own sentence. */
export class Refused extends Error {
  override name = "Refused";
}

interface Question {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  /** Sent as JSON. */
  body?: object;
}

/** What tools have of the server. */
export interface ApiInvoker {
  /**
   * Asks an operation of the API as a request would, so that the same checks and the same refusals hold. `T` is the answer's
   * shape by the operation's contract. Throws `Refused`.
   */
  ask<T>(operation: Operation, question?: Question): Promise<T>;
  /** The console's address of a conversation. */
  addressOf(conversationId: string): string;
  /** Takes what went wrong on our side. */
  logger: Services["logger"];
}

/** Makes the desk for one request; `origin` is where the console is, for the one who asks. */
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
