import type { BuiltInTool, Guard, Handler } from "../../engine/tools/tools.ts";
import { GOAL_METHODS } from "../../memory/actions/goals.ts";
import type { Locale } from "../../session/locale.ts";

const GOAL = {
  type: "string",
  minLength: 1,
  maxLength: 500,
  description: "The user's goal, in one sentence and in the user's language",
};
const SCHEMA = {
  type: "object",
  properties: { goal: GOAL, _output: { type: "object", properties: { goal: GOAL }, required: ["goal"] } },
  required: ["goal"],
  additionalProperties: false,
};

/** The memory's rules change the document when the call's success is recorded. */
const handler: Handler = {
  activity: async ({ goal = null }) => ({ goal }),
  idempotent: true,
  timeout_ms: 1_000,
  retries: 0,
};

/** They need no approval; described in the user's language for simulated runs. */
function guardOf(method: string, words: Record<Locale, string>): Guard {
  return {
    risk: () => null,
    actionOf: (params) => ({ method, params }),
    keyOf: () => null,
    describe: ({ goal = "" }, locale) => words[locale].replace("…", () => String(goal)),
    before: async () => null,
  };
}

const harmless = { schema: SCHEMA, effect: "none" as const, requires_confirmation: false, handler };

/** The tools by which an agent adds and closes goals in its user's memory (M4). */
export const memoryTools: readonly BuiltInTool[] = [
  {
    ...harmless,
    name: GOAL_METHODS.add,
    description: "Adds a goal of the user to the memory; the newest comes first",
    guard: guardOf(GOAL_METHODS.add, { en: "Note the goal “…”", ru: "Записать цель «…»" }),
  },
  {
    ...harmless,
    name: GOAL_METHODS.close,
    description: "Removes an achieved or abandoned goal from the memory",
    guard: guardOf(GOAL_METHODS.close, { en: "Close the goal “…”", ru: "Закрыть цель «…»" }),
  },
];
