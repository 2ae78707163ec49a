import type { UsageStore } from "../../db/access.ts";
import type { Allowance, Clock } from "../engine/ports.ts";
import { type Cost, costOf, type Prices } from "../session/prices.ts";

/** An agent's limits per UTC day; null for none. */
export interface DailyLimits {
  tokens: number | null;
  /** By the prices in `prices.json`; models without a price cost nothing. */
  cost: Cost | null;
}

interface Needs {
  limits: DailyLimits;
  usage: UsageStore;
  prices: Prices;
  clock: Pick<Clock, "now">;
}

/** Identifies managers' alerts about it. */
const DAILY_LIMIT = "daily_limit";

/** Enforces daily limits of agents; null without limits. */
export function createAllowance({ limits, usage, prices, clock }: Needs): Allowance | null {
  const { tokens, cost } = limits;
  if (tokens === null && cost === null) return null;
  /** Agents whose managers were alerted, and the day of it. */
  let told = { day: "", agents: new Set<string>() };

  /** Managers are alerted once a day per agent, also after restarts. */
  async function isNews(agentId: string, day: string): Promise<boolean> {
    if (told.day !== day) told = { day, agents: new Set() };
    if (told.agents.has(agentId)) return false;
    told.agents.add(agentId);
    return !(await usage.wasAlerted(agentId, DAILY_LIMIT, `${day}T00:00:00.000Z`));
  }

  return {
    reason: DAILY_LIMIT,
    async spent(agent_id) {
      const agentId = agent_id ?? "";
      const day = new Date(clock.now()).toISOString().slice(0, 10);
      const used = await usage.of(agentId, day);
      const spent = spentTokens() ?? spentMoney();
      if (spent === null) return null;
      const who = agent_id === null ? "Runs without an agent have used their" : `The agent ${agent_id} has used its`;
      const message = `${who} ${spent.what} of today (UTC); wait until tomorrow, or raise ${spent.variable}`;
      return { message, alert: await isNews(agentId, day) };

      function spentTokens() {
        const sum = used.reduce((all, { input_tokens, output_tokens }) => all + input_tokens + output_tokens, 0);
        if (tokens === null || sum < tokens) return null;
        return { what: `${tokens.toLocaleString("en")} tokens`, variable: "OBELUS_AGENT_TOKENS_PER_DAY" };
      }

      function spentMoney() {
        if (cost === null) return null;
        const priced = used.filter(({ model }) => Object.hasOwn(prices, model));
        const sum = costOf(priced, prices)?.find(({ currency }) => currency === cost.currency)?.amount ?? 0;
        if (sum < cost.amount) return null;
        return { what: `${cost.amount} ${cost.currency}`, variable: "OBELUS_AGENT_COST_PER_DAY" };
      }
    },
  };
}
