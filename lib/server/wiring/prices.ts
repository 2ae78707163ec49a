import { join } from "node:path";
import { z } from "zod";
import { readAgentsFile } from "../../engine/tools/agents-file.ts";
import type { Prices } from "../../session/prices.ts";

const price = z.number().min(0, "must be 0 or more, for a million tokens");

const file = z.record(
  z.string().min(1),
  z.strictObject({
    input: price,
    output: price,
    currency: z.string().regex(/^[A-Z]{3}$/, "must be a currency such as EUR"),
  }),
);

/** What models cost, by `prices.json` of the agents' folder; without it nothing is known. Throws `AgentsFileError`. */
export async function readPrices(folder: string): Promise<Prices> {
  return (await readAgentsFile(join(folder, "prices.json"), file)) ?? {};
}
