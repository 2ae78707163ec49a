import type { BuiltInTool, Guard, Handler } from "../engine/tools/tools.ts";
import type { JsonObject } from "../session/json/json.ts";
import type { Locale } from "../session/locale.ts";

/** Only the engine uses them, to end the turn (D5, D9). */
const handler: Handler = { activity: async () => ({ ok: true }), idempotent: true, timeout_ms: 1_000, retries: 0 };

/** They need no approval; described in the user's language for simulated runs. */
function guardOf(method: string, describe: Guard["describe"]): Guard {
  return {
    risk: () => null,
    actionOf: (params) => ({ method, params }),
    keyOf: () => null,
    describe,
    before: async () => null,
  };
}

function schemaOf(properties: JsonObject, required: string[]): JsonObject {
  const output = { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] };
  return { type: "object", properties: { ...properties, _output: output }, required, additionalProperties: false };
}

const TEXT = {
  type: "string",
  minLength: 1,
  maxLength: 2_000,
  // A blank reason tells a manager nothing.
  pattern: "\\S",
  description: "What the manager has to know to go on at once: who the user is, what they want, what was said so far",
};
const REASON = { type: "string", maxLength: 500, description: "Why a person is needed" };
const ANOTHER_BUSINESS = {
  type: "boolean",
  description: "True when the user wants to see another kind of business than the demonstration that was played before",
};

const CALL_MANAGER: Record<Locale, string> = { en: "Call a manager", ru: "Позвать менеджера" };
const SWITCH: Record<Locale, string> = { en: "Begin the demonstration", ru: "Начать демонстрацию" };

const harmless = { effect: "none" as const, requires_confirmation: false, handler };

/** The tools by which agents end their part of a turn. */
export const dialogTools: readonly BuiltInTool[] = [
  {
    ...harmless,
    name: "CallManager",
    description: "Calls a manager of the company and ends the turn: the user is told that a manager will write",
    schema: schemaOf({ text: TEXT, reason: REASON }, ["text"]),
    control: "escalate",
    guard: guardOf("CallManager", ({ text = "" }, locale) => `${CALL_MANAGER[locale]}: ${text}`),
  },
  {
    ...harmless,
    name: "SwitchToDemo",
    description:
      "Hands the user over to the demonstration, in which an assistant of the user's own kind of business answers",
    schema: schemaOf({ another_business: ANOTHER_BUSINESS }, []),
    control: "hand_over",
    guard: guardOf("SwitchToDemo", (_params, locale) => SWITCH[locale]),
  },
];
