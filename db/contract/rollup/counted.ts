import type { OverviewQuery } from "../../../lib/rollup/overview.ts";
import type { JsonObject } from "../../../lib/session/json/json.ts";
import type { NewEvent } from "../../repositories.ts";
import type { CountedOverview, Happened } from "../../rollup.ts";
import type { Storage } from "../../storage.ts";
import { newEvent } from "../subject.ts";

export const HOUR_MS = 3_600_000;
export const BEGIN = Date.parse("2026-11-20T09:00:00.000Z");
export const WEEK: OverviewQuery = { from: BEGIN - 3 * 24 * HOUR_MS, to: BEGIN + 4 * 24 * HOUR_MS };
export const PRICES = { m: { input: 1, output: 2, currency: "USD" } };

/** What a conversation of the tests has. */
export interface Said {
  id: string;
  hour?: number;
  agent?: string;
  version?: string;
  channel?: string;
  tool?: string;
  /** The call fails, and the turn with it. */
  fails?: boolean;
  /** How long the call takes, ms. */
  took?: number;
  waits?: number;
  escalates?: boolean;
  user?: string;
}

/** A conversation of one turn with a call, which takes two seconds more than the call. */
export function conversation({
  id,
  hour = 0,
  agent = "support",
  version = "1",
  channel = "web",
  ...said
}: Said): NewEvent[] {
  const { tool = "refund", fails = false, took = 500, waits, escalates = false, user } = said;
  const begin = BEGIN + hour * HOUR_MS;
  let at = begin;
  let number = 0;
  const event = (type: string, payload: JsonObject, ms: number) => {
    at += ms;
    number += 1;
    const isRun = type !== "conversation.created";
    return newEvent({
      ...{ id: `${id}-${number}`, conversation_id: id, type, payload, agent_id: agent },
      ...{ run_id: isRun ? `${id}-run` : null, occurred_at: new Date(at).toISOString() },
    });
  };
  const call = { call_id: "call", iteration: 1, tool };
  const asked = {
    confirmation_id: `${id}-k`,
    key: "k",
    call_id: "call",
    iteration: 1,
    action: { method: tool, params: {} },
  };
  return [
    event("conversation.created", { channel, agent_id: agent, ...(user !== undefined && { user_id: user }) }, 0),
    event("run.started", { agent_version: version }, 0),
    event("model.requested", { model: "m", provider: "p" }, 0),
    event("model.responded", { model: "m", provider: "p", input_tokens: 1_000, output_tokens: 100 }, 1_000),
    ...(waits === undefined
      ? []
      : [
          event("confirmation.requested", asked, 0),
          event("confirmation.approved", { confirmation_id: `${id}-k` }, waits),
        ]),
    event("call.started", call, 0),
    fails
      ? event("call.failed", { ...call, error: { code: "mismatch", message: `charge ${id} is in EUR` } }, took)
      : event("call.succeeded", { ...call, output: 1 }, took),
    ...(escalates ? [event("manager.alerted", { text: "help" }, 0)] : []),
    fails ? event("run.failed", { error: "failed" }, 1_000) : event("run.finished", {}, 1_000),
  ];
}

/** The overview once everything is counted. */
export async function counted(storage: Storage, query: OverviewQuery = WEEK): Promise<CountedOverview> {
  for (;;) {
    const overview = await storage.rollup.overview(query, PRICES);
    if (overview.behind === 0) return overview;
  }
}

/** The conversations in which something happened, by id. */
export async function listed(storage: Storage, happened: Happened): Promise<string[]> {
  const page = await storage.conversations.list({ happened, limit: 200 });
  return page.items.map(({ id }) => id).sort();
}
