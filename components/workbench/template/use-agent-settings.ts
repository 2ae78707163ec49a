"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { RunningAgent } from "@/components/agents/running-agent.ts";
import { useAgents } from "@/components/agents/use-agents.ts";
import { callApi } from "@/components/client/api.ts";
import type { AgentSettings, PromptTool } from "../render-request.ts";

/** An agent's default settings; the same object while they are the same. */
export function useAgentSettings(id: string | null): AgentSettings {
  const agent = useAgents().data?.find((one) => one.id === id);
  const tools = useQuery({
    queryKey: ["tools"],
    queryFn: async ({ signal }) => (await callApi<{ items: PromptTool[] }>("/api/tools", { signal })).items,
    enabled: agent !== undefined,
  }).data;
  return useMemo(() => (agent ? settingsOf(agent, tools) : {}), [agent, tools]);
}

function settingsOf(agent: RunningAgent, tools: readonly PromptTool[] | undefined): AgentSettings {
  const used = tools?.filter(({ name }) => agent.tools === null || agent.tools.includes(name));
  const { source, ...limits } = agent.history;
  return {
    locale: agent.locale,
    ...(agent.timezone !== undefined && { timezone: agent.timezone }),
    limits,
    isBeside: source === "provider",
    ...(used && { tools: used.map(({ name, description }) => ({ name, description })) }),
  };
}
