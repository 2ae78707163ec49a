import { z } from "zod";
import { identifier } from "../../session/events/catalogue.ts";
import { MOST_APPROVALS } from "../../session/events/most-approvals.ts";
import { jsonObject } from "../../session/json/json-schema.ts";
import { recordOf } from "../../session/json/list.ts";
import { isSealed } from "./sealed-text.ts";

/** Longest time a tool may take for one try, in ms: an hour. */
const LONGEST_MS = 3_600_000;
/** Longer waits than this between tries are for a person to make. */
const MOST_RETRIES = 10;

/** Carries a tool out by posting `{call, scopes}` to an address. */
export const httpActivity = z.strictObject({
  type: z.literal("http"),
  url: z.url({ protocol: /^https?$/, error: "must be a URL that starts with http:// or https://" }),
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).default("POST"),
  headers: recordOf(z.string(), z.string()).default({}),
  timeout_ms: z.int().min(1).max(LONGEST_MS).default(30_000),
  /** Tries after the first one, with growing waits between them. */
  retries: z.int().min(0).max(MOST_RETRIES).default(2),
  /** Doing it twice is the same as doing it once, so that a lost answer may be asked for again (P23). */
  idempotent: z.boolean().optional(),
});
export type HttpActivity = z.infer<typeof httpActivity>;

/** A tool as it comes in: `POST /api/tools`, or with a plan. Without an activity it is latent. */
export const toolDefinition = z.strictObject({
  name: identifier,
  description: z.string().max(10_000).default(""),
  schema: jsonObject,
  activity: httpActivity.optional(),
  requires_confirmation: z.boolean().default(false),
  approvals: z
    .int()
    .min(1)
    .max(MOST_APPROVALS)
    .optional()
    .describe(
      "How many different people have to approve each execution; more than one implies `requires_confirmation`.",
    ),
  /** What it does outside (M13): it reads, makes something new, or, where it does not say, changes what is there. */
  effect: z.enum(["read", "create", "change"]).optional(),
});
export type ToolDefinition = z.infer<typeof toolDefinition>;

/** Whether a value among its headers is a secret of this server that somebody has copied. */
export function hasSealedHeader({ activity }: ToolDefinition): boolean {
  return Object.values(activity?.headers ?? {}).some(isSealed);
}
