import type { Usage } from "./session.ts";

/** What a model costs, for a million tokens. */
export interface Price {
  input: number;
  output: number;
  /** As ISO 4217 has it: `EUR`. */
  currency: string;
}

/** By model, as its answers name it. */
export type Prices = Record<string, Price>;

/** An amount of one currency. */
export interface Cost {
  currency: string;
  amount: number;
}

/** What a model has taken. */
type Taken = Pick<Usage, "model" | "input_tokens" | "output_tokens">;

const MILLION = 1_000_000;

/** What models cost by currency, in the order they come; null where the price of any of them is not known. */
export function costOf(usage: readonly Taken[], prices: Prices): Cost[] | null {
  const amounts = new Map<string, number>();
  for (const { model, input_tokens, output_tokens } of usage) {
    const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
    if (!price) return null;
    const amount = (input_tokens * price.input + output_tokens * price.output) / MILLION;
    amounts.set(price.currency, (amounts.get(price.currency) ?? 0) + amount);
  }
  return [...amounts].map(([currency, amount]) => ({ currency, amount }));
}
