import type { Events } from "../../db/repositories.ts";
import { isRef } from "../session/cite.ts";
import { isJsonObject, type Json, type JsonObject } from "../session/json.ts";

/** A state of a view with the values that are only cited there (E8). What no write has stays as it is. */
export async function wholeState(
  state: JsonObject,
  conversationId: string,
  events: Pick<Events, "list">,
): Promise<JsonObject> {
  const whole = async (value: Json): Promise<Json> => {
    if (isRef(value)) return (await written(value.$ref, conversationId, events)) ?? value;
    if (Array.isArray(value)) return Promise.all(value.map(whole));
    return isJsonObject(value) ? wholeState(value, conversationId, events) : value;
  };
  const entries = Object.entries(state).map(async ([key, value]) => [key, await whole(value)] as const);
  // fromEntries, so that a key named __proto__ is one like any other (P8).
  return Object.fromEntries(await Promise.all(entries));
}

/** The value that the event at this address wrote. */
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
