import type { Guard } from "../../engine/tools/tools.ts";
import { keyOf } from "../../memory/actions/action-key.ts";
import { describeAction } from "../../memory/actions/describe-action.ts";
import { type RiskRules, riskOf } from "../../memory/actions/risk.ts";

/** The risk of a tool's calls: the rules of the agent's memory (M9, M13), and the values that a call would replace. */
export function guardOf(method: string, rules: RiskRules, before: Guard["before"]): Guard {
  const actionOf: Guard["actionOf"] = ({ requires_confirmation: _, ...params }) => ({ method, params });
  return {
    actionOf,
    risk(params) {
      const risky = riskOf(actionOf(params), rules);
      if (risky !== null) return `Requires approval: ${risky.join(", ")}`;
      return params.requires_confirmation === true ? "The agent requests approval" : null;
    },
    keyOf: (params) => keyOf(actionOf(params)),
    describe: (params, locale) => describeAction(actionOf(params), locale),
    before,
  };
}
