import type { Json, JsonObject } from "../../../lib/session/json/json.ts";
import type { Call, Methods, Outcome } from "../method.ts";
import { param, positiveId } from "../params.ts";
import { Refusal } from "../refusal.ts";
import type { Store } from "../store.ts";

const CRM_KINDS = ["LEAD", "DEAL", "CONTACT", "COMPANY", "QUOTE", "ACTIVITY"];
const CHANGES = ["ADD", "UPDATE", "DELETE"];

/** Events with subscriptions. */
const EVENTS = new Set([
  ...CRM_KINDS.flatMap((kind) => CHANGES.map((change) => `ONCRM${kind}${change}`)),
  ...CHANGES.flatMap((change) => [`ONTASK${change}`, `ONTASKCOMMENT${change}`, `ONCRMTIMELINECOMMENT${change}`]),
  ...["ONCRMDEALMOVETOCATEGORY", "ONSONETGROUPADD", "ONSONETGROUPUPDATE", "ONSONETGROUPDELETE", "ONUSERADD"],
]);

/** Subscriptions are stored and listed, but handlers are never called. */
export const EVENT_METHODS: Methods = {
  "event.get": ({ store }) => ({
    result: store.all("binding").map(({ event = null, handler = null, auth_type = null }) => ({
      event,
      handler,
      auth_type,
      offline: 0,
    })),
  }),
  "event.bind": bind,
  "event.unbind": unbind,
};

function bind({ params, store }: Call): Outcome {
  const event = eventOf(param(params, "event"));
  const handler = required(param(params, "handler"), "HANDLER");
  if (!/^https?:\/\/[^\s/]+/i.test(handler)) {
    throw new Refusal(400, "ERROR_WRONG_HANDLER_URL", "Wrong handler URL");
  }
  const auth_type = authType(param(params, "auth_type"));
  if (boundTo(event, handler, store).some((binding) => binding.auth_type === auth_type)) {
    throw new Refusal(400, "ERROR_CORE", "Unable to set event handler: Handler already binded");
  }
  store.put("binding", { ID: store.nextId("binding"), event, handler, auth_type });
  return { result: true };
}

function unbind({ params, store }: Call): Outcome {
  const event = eventOf(param(params, "event"));
  const handler = required(param(params, "handler"), "HANDLER");
  const auth = param(params, "auth_type");
  const removed = boundTo(event, handler, store).filter(
    ({ auth_type }) => auth === undefined || auth_type === authType(auth),
  );
  for (const { ID } of removed) store.remove("binding", String(ID));
  return { result: { count: removed.length } };
}

function boundTo(event: string, handler: string, store: Store): JsonObject[] {
  return store.all("binding").filter((binding) => binding.event === event && binding.handler === handler);
}

/** The user for whom a handler is called; 0 for the one who caused the event. */
function authType(value: Json | undefined): string {
  return positiveId(value) ?? "0";
}

/** Event names are case-insensitive. Throws `Refusal`. */
function eventOf(value: Json | undefined): string {
  const event = required(value, "EVENT").toUpperCase();
  if (!EVENTS.has(event)) throw new Refusal(400, "ERROR_EVENT_NOT_FOUND", "Event not found");
  return event;
}

function required(value: Json | undefined, name: string): string {
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  throw new Refusal(400, "ERROR_ARGUMENT", `Argument '${name}' is null or empty`);
}
