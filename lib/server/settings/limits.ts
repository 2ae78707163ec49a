import { z } from "zod";
import type { DailyLimits } from "../../limits/allowance.ts";
import type { RateLimits } from "../../limits/rates.ts";

/** The configuration of limits. */
export interface LimitsConfig {
  rates: RateLimits;
  /** Concurrent streams per client. */
  streams: number;
  /** Other concurrent requests per client. */
  requests: number;
  /** The time limit of a body, ms. */
  body: number;
  /** Concurrent runs. */
  runs: number;
  daily: DailyLimits;
}

/** With authentication, browsers and programs need far less; a page loads in about thirty requests. */
const WITH_ACCESS = { each: 60_000, strangers: 3_000, streams: 50, requests: 200, runs: 100 };
/** Without authentication all clients are on this machine, and count as one. */
const WITHOUT = { each: null, strangers: null, streams: 1_000, requests: 1_000, runs: 1_000 };

/** 5 MB in this time is 0.7 Mbit/s. */
const BODY_S = 60;

const count = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, "must be a whole number from 1 to 999999999, such as 1000")
  .transform(Number)
  .optional();

/** Their variables. */
export const limitsVariables = {
  OBELUS_RATE_LIMIT: count,
  OBELUS_RATE_LIMIT_STRANGERS: count,
  OBELUS_STREAMS_PER_CLIENT: count,
  OBELUS_REQUESTS_PER_CLIENT: count,
  OBELUS_BODY_SECONDS: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, "must be a whole number of seconds, such as 60")
    .transform(Number)
    .optional(),
  OBELUS_RUNS_AT_ONCE: count,
  OBELUS_AGENT_TOKENS_PER_DAY: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, "must be a whole number of tokens, such as 1000000")
    .transform(Number)
    .optional(),
  OBELUS_AGENT_COST_PER_DAY: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,6})? [A-Z]{3}$/, "must be an amount and its currency, such as 5 USD")
    .transform((text) => {
      const [amount = "", currency = ""] = text.split(" ");
      return { amount: Number(amount), currency };
    })
    .optional(),
};

type Variables = z.infer<z.ZodObject<typeof limitsVariables>> & { OBELUS_AUTH: "0" | "1" };

/** Their configuration from the variables. */
export function limitsOf(set: Variables): LimitsConfig {
  const usual = set.OBELUS_AUTH === "1" ? WITH_ACCESS : WITHOUT;
  return {
    rates: {
      each: set.OBELUS_RATE_LIMIT ?? usual.each,
      strangers: set.OBELUS_RATE_LIMIT_STRANGERS ?? usual.strangers,
    },
    streams: set.OBELUS_STREAMS_PER_CLIENT ?? usual.streams,
    requests: set.OBELUS_REQUESTS_PER_CLIENT ?? usual.requests,
    body: (set.OBELUS_BODY_SECONDS ?? BODY_S) * 1_000,
    runs: set.OBELUS_RUNS_AT_ONCE ?? usual.runs,
    daily: {
      tokens: set.OBELUS_AGENT_TOKENS_PER_DAY ?? null,
      cost: set.OBELUS_AGENT_COST_PER_DAY ?? null,
    },
  };
}
