import { z } from "zod";
import type { AgentStates } from "../../../db/repositories.ts";
import { dialogAgent } from "../../session/dialog-agent.ts";
import { STAGES, type Stage } from "../agent.ts";
import { createChains } from "../chain.ts";
import { type Configuration, configuration } from "./configuration.ts";

/** The agent state keys of a conversation's stage and configuration (D2, D4). */
export const DIALOG_KEYS = { stage: "stage", configuration: "configuration" } as const;

/** The state of a conversation's dialog between turns. */
export interface StoredDialog {
  stage: Stage | null;
  configuration: Configuration | null;
  /** The response id that it continues from (D7). */
  response_id: string | null;
}

/** A logger for invalid stored values; compatible with Pino. */
export interface DialogLogger {
  warn(fields: object, message: string): void;
}

const stage = z.enum(STAGES);

/** Reads it. Operators may have written it: invalid values are ignored and logged. */
export async function readStoredDialog(
  conversationId: string,
  { agentStates, logger }: { agentStates: Pick<AgentStates, "get">; logger: DialogLogger },
): Promise<StoredDialog> {
  const agent_id = dialogAgent(conversationId);
  async function read<T>(key: string, schema: z.ZodType<T>): Promise<T | null> {
    const entry = await agentStates.get(agent_id, key);
    if (!entry) return null;
    const result = schema.safeParse(entry.value);
    if (result.success) return result.data;
    logger.warn({ agent_id, key, reason: result.error.message }, "The stored dialog state is invalid");
    return null;
  }
  const [kept, played, chain] = await Promise.all([
    read(DIALOG_KEYS.stage, stage),
    read(DIALOG_KEYS.configuration, configuration),
    createChains(agentStates).recall(conversationId),
  ]);
  return { stage: kept, configuration: played, response_id: chain?.response_id ?? null };
}
