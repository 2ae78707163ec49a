import type { Events } from "../../db/repositories.ts";
import { layOver } from "../plan/context.ts";
import { isRef } from "../session/json/cite.ts";
import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";

/** A view's state with references resolved (E8). References to unknown writes stay. */
export async function wholeState(
  state: JsonObject,
  conversationId: string,
  events: Pick<Events, "list">,
): Promise<JsonObject> {
  const entries = Object.entries(state).map(
    async ([key, value]) => [key, await wholeValue(value, conversationId, events)] as const,
  );
  // `fromEntries`, so that a key `__proto__` is plain data (P8).
  return Object.fromEntries(await Promise.all(entries));
}

/** The same for any value of a state, or an instance's state. */
export async function wholeValue(value: Json, conversationId: string, events: Pick<Events, "list">): Promise<Json> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => wholeValue(item, conversationId, events)));
  if (!isJsonObject(value)) return value;
  if (!isRef(value)) return wholeState(value, conversationId, events);
  const cited = await written(value.$ref, conversationId, events);
  if (cited === undefined) return value;
  // Values written below it later are stored beside the reference.
  const { $ref: _address, bytes: _bytes, ...later } = value;
  if (Object.keys(later).length === 0) return cited;
  return layOver(cited, await wholeState(later, conversationId, events)) ?? cited;
}

/** The value that the referenced event wrote. */
async function written(
  address: string,
  conversationId: string,
  events: Pick<Events, "list">,
): Promise<Json | undefined> {
  const before = /[?&]after=(\d{1,15})&limit=1#\/items\/0\/payload\/value$/.exec(address)?.[1];
  if (before === undefined) return undefined;
  const [event] = await events.list(conversationId, { after: Number(before), limit: 1 });
  return event?.type === "state.written" && isJsonObject(event.payload) ? event.payload.value : undefined;
}
