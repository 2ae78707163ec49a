import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Confirmation, Events } from "../../db/repositories.ts";
import { isKnown, type KnownEvent, type SessionEvent } from "../session/event.ts";
import { cite } from "../session/json/cite.ts";
import { jsonValue } from "../session/json/json-schema.ts";

/** The request of a confirmation at a step. */
const request = z.object({
  requested_seq: z.int(),
  description: z.string().nullable(),
  action: z.object({ method: z.string(), params: jsonValue }),
});

/** A confirmation whose request was replaced: what the caller saw, and the current one. */
export const changedRequest = z.object({
  seen: request.nullable().describe("Null if that step had no request with this id."),
  now: request,
});
export type ChangedRequest = z.infer<typeof changedRequest>;

type Requested = Extract<KnownEvent, { type: "confirmation.requested" }>;

/** Few confirmations are requested again, and rarely more often. */
const PAGE = 500;

/**
 * How a confirmation's request differs from the one that the caller saw, by its step; null if it does not. Without a
 * step, the first request is assumed.
 */
export async function changedSince(
  seen: number | undefined,
  { id, conversation_id, requested_seq }: Confirmation,
  events: Pick<Events, "list">,
): Promise<ChangedRequest | null> {
  if (seen === requested_seq) return null;
  const [before, now] = await Promise.all([
    seen === undefined ? firstRequest(id, conversation_id, events) : requestAt(id, conversation_id, seen, events),
    requestAt(id, conversation_id, requested_seq, events),
  ]);
  if (!now) throw new Error(`The request of the confirmation ${id} is not where it should be`);
  if (before && isSame(before, now)) return null;
  return { seen: before && told(before), now: told(now) };
}

async function requestAt(
  id: string,
  conversationId: string,
  seq: number,
  events: Pick<Events, "list">,
): Promise<Requested | null> {
  const [event] = await events.list(conversationId, { after: seq - 1, limit: 1 });
  return event?.seq === seq && asks(event, id) ? event : null;
}

async function firstRequest(
  id: string,
  conversationId: string,
  events: Pick<Events, "list">,
): Promise<Requested | null> {
  for (let after = 0; ; ) {
    const page = await events.list(conversationId, { after, limit: PAGE, type: "confirmation.requested" });
    for (const event of page) if (asks(event, id)) return event;
    const last = page.at(-1);
    if (!last) return null;
    after = last.seq;
  }
}

function asks(event: SessionEvent | KnownEvent, id: string): event is Requested {
  return isKnown(event) && event.type === "confirmation.requested" && event.payload.confirmation_id === id;
}

function isSame(one: Requested, other: Requested): boolean {
  return one.run_id === other.run_id && isDeepStrictEqual(one.payload, other.payload);
}

/** As in lists: large values are replaced by references (E8). */
function told(event: Requested): z.infer<typeof request> {
  const { description = null, action } = event.payload;
  return {
    requested_seq: event.seq,
    description,
    action: { method: action.method, params: cite(event, "/action/params", action.params) },
  };
}
