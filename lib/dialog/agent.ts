import { z } from "zod";
import { identifier } from "../session/catalogue.ts";
import { LOCALES } from "../session/locale.ts";

/** What an agent is (D4), as data: a file of the agents' folder, or written by `PUT /api/agents/{id}`. */
export const agentDefinition = z.strictObject({
  description: z.string().max(10_000).default(""),
  /** What the model is told before everything else. */
  instructions: z.string().min(1, "must not be empty").max(100_000),
  /** Names of the tools it may use; null for all there are. */
  tools: z.array(identifier).nullable().default(null),
  /** `shadow`: nothing is carried out. `canary`: what only reads or makes something new. `full`: everything (M13). */
  mode: z.enum(["shadow", "canary", "full"]).default("shadow"),
  /** The language of what the server itself tells its users. */
  locale: z.enum(LOCALES).default("en"),
  /** It answers in conversations that name no agent; of several that say so, the one that was written last. */
  default: z.boolean().default(false),
  max_iterations: z.int().min(1).max(100).optional(),
});
export type AgentDefinition = z.infer<typeof agentDefinition>;

/** An agent of this server. `default` is true of one at most. */
export interface Agent extends AgentDefinition {
  id: string;
  /** That of the stored definition; 0 is a file's. */
  version: number;
  source: "file" | "api";
}
