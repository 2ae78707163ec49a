import { useAgents } from "@/components/agents/use-agents.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import { type Answerer, whoAnswers } from "./who-answers.ts";

/** The agent of this server that answers in the page's conversation; null for none, undefined while unknown. */
export function useWhoAnswers(): Answerer | null | undefined {
  const { agent_id, channel } = useStudio(({ session }) => session.summary);
  const answered = useStudio(
    ({ session }) => session.summary.newest_run !== null || session.messages.some(({ role }) => role === "assistant"),
  );
  const { data: agents } = useAgents();
  return agents && whoAnswers({ agent_id, channel }, answered, agents);
}
