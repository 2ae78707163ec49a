import { z } from "zod";
import type { Json } from "../../session/json/json.ts";
import { plainName } from "../field.ts";
import { commandsOf, isBatch, plainMethod } from "./batch.ts";
import type { Action } from "./happening.ts";

const name = z.string().min(1, "must not be empty");

/** What always requires approval (M13): fields, by the method that changes them, and whole methods. */
export const riskRules = z.strictObject({
  fields: z.record(name, z.array(name)),
  methods: z.array(name),
});
export type RiskRules = z.infer<typeof riskRules>;

const OF_DEALS = ["OPPORTUNITY", "ASSIGNED_BY_ID", "STAGE_ID", "CATEGORY_ID"];
const OF_TASKS = ["RESPONSIBLE_ID", "DEADLINE"];

export const DEFAULT_RISK_RULES: RiskRules = {
  fields: {
    "crm.deal.update": OF_DEALS,
    // The same deals by the portal's newer method, which a batch may use.
    "crm.item.update": OF_DEALS,
    "tasks.task.update": OF_TASKS,
    "task.item.update": OF_TASKS,
    // The portal derives an activity's deadline from its times.
    "crm.activity.update": [...OF_TASKS, "START_TIME", "END_TIME"],
  },
  methods: ["event.bind", "event.unbind"],
};

/**
 * What in an action requires approval (M13): risky fields, at any depth and in any spelling; a risky method; of a
 * batch, commands with either. Null for nothing. A command that cannot be parsed is risky.
 */
export function riskOf({ method, params }: Pick<Action, "method" | "params">, rules: RiskRules): string[] | null {
  const plain = plainMethod(method);
  if (rules.methods.some((risky) => plainMethod(risky) === plain)) return [plain];
  const found = isBatch(method)
    ? commandsOf(params).flatMap(({ name, action }) => riskOfCommand(name, action, rules))
    : [];
  const [, fields = []] = Object.entries(rules.fields).find(([risky]) => plainMethod(risky) === plain) ?? [];
  const set = new Set(fields.length > 0 ? namesIn(params).map(plainName) : []);
  found.push(...fields.filter((field) => set.has(plainName(field))));
  return found.length > 0 ? found : null;
}

function riskOfCommand(key: string, action: Pick<Action, "method" | "params"> | null, rules: RiskRules): string[] {
  if (!action) return [key];
  const risky = riskOf(action, rules);
  if (!risky) return [];
  const method = plainMethod(action.method);
  return risky.includes(method) ? [method] : [`${method}: ${risky.join(", ")}`];
}

/** All field names at any depth; `fields[STAGE_ID]` contains two. */
function namesIn(value: Json): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return Object.entries(value).flatMap(([key, below]) => [...key.split(/[[\]]+/), ...namesIn(below)]);
}
