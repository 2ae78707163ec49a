import { z } from "zod";
import { jsonValue } from "../session/json/json-schema.ts";
import { taken } from "./case.ts";
import { expectation } from "./expectations.ts";
import type { TryBrief } from "./try-result.ts";

/** A `TryBrief`, as it is stored and told. */
export const tryBrief = z.object({
  outcome: z.enum(["passed", "failed", "stopped"]),
  reason: z.string().nullable(),
  checks: z.array(z.object({ expectation, holds: z.boolean(), found: jsonValue })),
  answered: z.array(z.object({ tool: z.string(), calls: z.int(), recorded: z.int(), nearest: z.int(), stub: z.int() })),
  first: z
    .object({ number: z.int(), is: z.enum(["changed", "removed", "added"]), tool: z.string().nullable() })
    .nullable(),
  differing: z.int(),
  taken,
  // Older tries had no judges.
  judged: taken.shape.usage.default([]),
}) satisfies z.ZodType<TryBrief>;
