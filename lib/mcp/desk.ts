import type { Operation } from "../api/operation.ts";
import { REQUESTER_HEADER } from "../api/requester.ts";
import { route } from "../api/route.ts";
import type { Services } from "../server/services.ts";

/** What the API refused, in its own sentence. */
export class Refused extends Error {
  override name = "Refused";
}

interface Question {
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
}

/** What tools have of the server. */
export interface Desk {
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

/** Makes the desk for one request, which came to this origin. */
export function createDesk(services: Services, origin: string, requester: string | null): Desk {
  return {
    logger: services.logger,
    addressOf: (id) => `${origin}/conversations/${encodeURIComponent(id)}`,
    async ask(operation, { params = {}, query = {} } = {}) {
      const address = new URL(operation.path, origin);
      for (const [name, value] of Object.entries(query))
        if (value !== undefined) address.searchParams.set(name, String(value));
      const { GET } = route(() => services, operation);
      const headers = new Headers(requester === null ? [] : [[REQUESTER_HEADER, requester]]);
      const response = await GET(new Request(address, { headers }), { params: Promise.resolve(params) });
      const answer = await response.json();
      if (!response.ok) throw new Refused(answer.detail);
      return answer;
    },
  };
}
