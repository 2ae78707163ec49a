import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import type { EventBinding } from "../document.ts";
import { fieldOf } from "../field.ts";
import type { Outcome } from "./outcome.ts";

/** The portal's event subscriptions after an action (M7): replaced by a list, added to, or removed from. */
export function eventBindingsAfter(
  bindings: EventBinding[],
  { method, params, result }: Pick<Outcome, "method" | "params" | "result">,
): EventBinding[] {
  switch (method) {
    case "event.get":
      return listed(bindings, result);
    case "event.bind":
      return bound(bindings, bindingOf(params));
    case "event.unbind":
      return unbound(bindings, bindingOf(params));
    default:
      return bindings;
  }
}

/** A known subscription stays as written, with its unknown keys. */
function listed(bindings: EventBinding[], result: Json): EventBinding[] {
  const entries = isJsonObject(result) ? result.items : result;
  if (!Array.isArray(entries)) return bindings;
  return entries.flatMap((entry) => {
    const binding = isJsonObject(entry) ? bindingOf(entry) : null;
    return binding ? [bindings.find((known) => isSame(known, binding)) ?? binding] : [];
  });
}

function bound(bindings: EventBinding[], binding: EventBinding | null): EventBinding[] {
  if (!binding || bindings.some((known) => isSame(known, binding))) return bindings;
  return [...bindings, binding];
}

/** Without a handler, all of the event's subscriptions are removed. */
function unbound(bindings: EventBinding[], binding: EventBinding | null): EventBinding[] {
  if (!binding) return bindings;
  return bindings.filter(
    (known) => !isSame(known, binding.handler === "" ? { ...known, event: binding.event } : binding),
  );
}

function bindingOf(entry: JsonObject): EventBinding | null {
  const event = fieldOf(entry, "event");
  const handler = fieldOf(entry, "handler");
  if (typeof event !== "string" || event.trim() === "") return null;
  return { event, handler: typeof handler === "string" ? handler : "" };
}

/** Portals return ONCRMDEALADD for onCrmDealAdd. */
function isSame(a: EventBinding, b: EventBinding): boolean {
  return a.event.toLowerCase() === b.event.toLowerCase() && a.handler === b.handler;
}
