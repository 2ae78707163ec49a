import type { Line, Scenario } from "../script.ts";
import { BUSINESSES } from "./businesses.ts";

/** The lines of `agents/demo.json`, with values. */
export const EMPLOYEE = {
  agent: /^This is a demonstration/m,
  instructed: {
    niche: /^Kind of business: (.+)$/m,
    company: /^Company: (.+)$/m,
    welcome: /^Greeting: (.+)$/m,
  },
} satisfies Partial<Scenario>;

export const BUSINESS = { business: { by: "niche", in: BUSINESSES } } as const;
export const CHOSEN = { ...BUSINESS, chosen: { by: "message", in: "business.services" } } as const;
/** A service in any wording. */
export const NAMED = {
  ...BUSINESS,
  chosen: { by: "service", in: "business.services", otherwise: { name: "{service|capital}" } },
} as const;

export const SERVICE: Line = { each: "business.services", line: "- {name}: {price}" };
