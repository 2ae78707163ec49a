import type { Storage } from "../../../db/storage.ts";
import type { Allowance } from "../../engine/ports.ts";
import { createAllowance } from "../../limits/allowance.ts";
import type { Prices } from "../../session/prices.ts";
import type { Config } from "../config.ts";
import { StartupError } from "../startup-error.ts";
import { wallClock } from "../wall-clock.ts";

/** The daily limits of agents. Throws `StartupError` for a limit that can never be reached. */
export function openAllowance(
  { limits, model }: Pick<Config, "limits" | "model">,
  { prices }: { prices: Prices },
  { usage }: Pick<Storage, "usage">,
): Allowance | null {
  const { cost } = limits.daily;
  if (cost !== null && model !== null && prices[model.model]?.currency !== cost.currency)
    throw new StartupError(
      `OBELUS_AGENT_COST_PER_DAY=${cost.amount} ${cost.currency} cannot be enforced, because prices.json has no price of ${model.model} in ${cost.currency}; add one, or set OBELUS_AGENT_TOKENS_PER_DAY.`,
    );
  return createAllowance({ limits: limits.daily, usage, prices, clock: wallClock });
}
