/** Obelus's own agent state: registered tools, delegates, agents and judges. Clients may not write it. */
export const OWN_AGENTS = {
  tools: "obelus:tools",
  delegates: "obelus:delegates",
  agents: "obelus:agents",
  judges: "obelus:judges",
} as const;

/** Whether this agent's state is Obelus's own. */
export function isOwnAgent(agentId: string): boolean {
  return Object.values(OWN_AGENTS).some((own) => own === agentId);
}
