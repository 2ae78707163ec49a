import { z } from "zod";
import type { AgentStates } from "../../db/repositories.ts";
import type { Dialog, StoredChain } from "../engine/turn.ts";
import { CHAIN_KEY, dialogAgent } from "../session/dialog-agent.ts";

const stored = z.strictObject({
  response_id: z.string().min(1),
  agent_id: z.string().min(1),
  run_id: z.string().min(1),
  answers: z.int().min(1),
  until: z.int().min(1),
}) satisfies z.ZodType<StoredChain>;

/** The last response id of each conversation (D7), in its agent state. */
export function createChains(agentStates: Pick<AgentStates, "get">): Pick<Dialog, "recall" | "chain"> {
  return {
    async recall(conversationId) {
      const entry = await agentStates.get(dialogAgent(conversationId), CHAIN_KEY);
      // An invalid value written by somebody else starts a new chain.
      return stored.safeParse(entry?.value).data ?? null;
    },
    chain(conversationId, chain) {
      return { agent_id: dialogAgent(conversationId), key: CHAIN_KEY, value: chain && { ...chain } };
    },
  };
}
