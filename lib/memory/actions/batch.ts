import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { fieldOf } from "../field.ts";
import type { Action } from "./happening.ts";
import { readQuery } from "./query.ts";

/** A command of a batch by its name; null if it cannot be parsed. */
export interface Command {
  name: string;
  action: Pick<Action, "method" | "params"> | null;
}

/** Whether a method executes other methods. */
export function isBatch(method: string): boolean {
  return plainMethod(method) === "batch";
}

/** A method's name, normalized as by the portal: `CRM.Deal.Update.json` is `crm.deal.update`. */
export function plainMethod(method: string): string {
  return method
    .trim()
    .replace(/^\/+|\/+$/g, "")
    .replace(/\.(json|xml)$/i, "")
    .toLowerCase();
}

/**
 * The commands of a batch in order: strings as `crm.deal.get?id=1`, objects `{method, params}`, or pairs. A `cmd` that
 * is not a list is one command that cannot be parsed.
 */
export function commandsOf(params: JsonObject): Command[] {
  const commands = fieldOf(params, "cmd") ?? [];
  if (typeof commands !== "object") return [{ name: "cmd", action: null }];
  return Object.entries(commands).map(([name, command]) => ({ name, action: readCommand(command) }));
}

function readCommand(command: Json): Command["action"] {
  if (typeof command === "string") {
    const [method = "", ...query] = command.split("?");
    return { method: plainMethod(method), params: readQuery(query.join("?")) };
  }
  const [method, params] = Array.isArray(command)
    ? command
    : isJsonObject(command)
      ? [fieldOf(command, "method"), fieldOf(command, "params")]
      : [];
  if (typeof method !== "string") return null;
  return { method: plainMethod(method), params: isJsonObject(params) ? params : {} };
}
