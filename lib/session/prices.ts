import type { Usage } from "./session.ts";

/** The price of a model per million tokens. */
export interface Price {
  input: number;
  output: number;
  /** ISO 4217: `EUR`. */
  currency: string;
}

/** By model, as named in responses. */
export type Prices = Record<string, Price>;

/** An amount in a currency. */
export interface Cost {
  currency: string;
  amount: number;
}

/** The token usage of a model. */
type Taken = Pick<Usage, "model" | "input_tokens" | "output_tokens"> & Partial<Pick<Usage, "unreported">>;

const MILLION = 1_000_000;

/** The cost of models by currency, in order; null if the price or the tokens of any are unknown. */
export function costOf(usage: readonly Taken[], prices: Prices): Cost[] | null {
  const amounts = new Map<string, number>();
  for (const { model, input_tokens, output_tokens, unreported = 0 } of usage) {
    const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
    if (!price || unreported > 0) return null;
    const amount = (input_tokens * price.input + output_tokens * price.output) / MILLION;
    amounts.set(price.currency, (amounts.get(price.currency) ?? 0) + amount);
  }
  return [...amounts].map(([currency, amount]) => ({ currency, amount }));
}
