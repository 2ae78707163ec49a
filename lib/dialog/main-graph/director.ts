import type { AgentStates, Conversations, Events, Messages } from "../../../db/repositories.ts";
import { DEFAULT_ITERATIONS } from "../../engine/ports.ts";
import type { DirectedTurn, Director, Speaker } from "../../engine/turn.ts";
import { type Agent, STAGES, type Stage } from "../agent.ts";
import type { AgentRegistry } from "../agent-registry.ts";
import { agentVersionOf } from "../agent-version.ts";
import { historySettings, RUN_MODES } from "../run-settings.ts";
import { DIALOG_ZONE, userLocation } from "../user-location.ts";
import { type ConversationState, conversationState } from "./conversation-state.ts";
import type { MainGraph } from "./main-graph.ts";
import { type DialogLogger, readStoredDialog } from "./stored-dialog.ts";
import type { Asked, StagedAgent } from "./walk.ts";

interface Needs {
  mainGraph: Pick<MainGraph, "run">;
  agents: Pick<AgentRegistry, "forStage">;
  agentStates: Pick<AgentStates, "get">;
  conversations: Pick<Conversations, "get">;
  messages: Pick<Messages, "before">;
  events: Pick<Events, "list">;
  logger: DialogLogger;
}

/**
 * Directs turns by the main graph (D1). No state is kept between requests: the graph is run from its start each time,
 * and uses the recorded answers of agents. The stored dialog at the turn's start is taken from the first recorded node,
 * so that what the turn itself has stored does not change its path.
 */
export function createDirector(needs: Needs): Director {
  async function beginningOf(turn: DirectedTurn): Promise<ConversationState> {
    const message = await messageOf(turn, needs.messages);
    const [first] = turn.told;
    if (first) return { ...conversationState.parse(first.state), message };
    const stored = await readStoredDialog(turn.conversation_id, needs);
    return {
      message,
      previous_response_id: stored.response_id,
      chat_id: turn.conversation_id,
      stage: stored.stage,
      extracted_info: stored.configuration,
      ...{ answer: "", manager_alert: null, agent_name: null, used_tools: [], response_id: null },
    };
  }

  return {
    async next(turn) {
      const [state, conversation] = await Promise.all([
        beginningOf(turn),
        needs.conversations.get(turn.conversation_id),
      ]);
      const agents = stagedAgents(needs.agents);
      const { conversation_id, locale, parts, told } = turn;
      const { asked, answer, events } = await needs.mainGraph.run({
        turn: { conversation_id, locale, parts, told },
        agents: [...agents].map(([stage, { id, prefix }]): StagedAgent => ({ id, prefix, stage })),
        standing: { stage: state.stage, shown: conversation?.stage ?? null },
        state,
      });
      if (!asked) return { kind: "answer", text: answer, events };
      const agent = agents.get(asked.stage);
      if (!agent) throw new Error(`The graph asks an agent of the stage ${asked.stage}, which none has`);
      const { timezone } = await userLocation(needs.events, conversation_id);
      return { kind: "ask", speaker: speakerOf(agent, asked, turn, timezone), events };
    },
  };
}

/** The message that a turn answers, which is stored before its run. */
async function messageOf(
  { conversation_id, message_id }: DirectedTurn,
  messages: Pick<Messages, "before">,
): Promise<string> {
  const message = (await messages.before(conversation_id, message_id, 0)).at(-1);
  if (!message) throw new Error(`The message ${message_id}, which a turn answers, is not in ${conversation_id}`);
  return message.content;
}

/** Their current definitions (D12). */
function stagedAgents(agents: Pick<AgentRegistry, "forStage">): Map<Stage, Agent> {
  const staged = new Map<Stage, Agent>();
  for (const stage of STAGES) {
    const agent = agents.forStage(stage);
    if (agent) staged.set(stage, agent);
  }
  return staged;
}

/** An agent as it is asked. */
function speakerOf(
  agent: Agent,
  { node, silent, configuration, note }: Asked,
  { locale }: DirectedTurn,
  timezone: string | null,
): Speaker {
  return {
    agent_id: agent.id,
    agent_version: agentVersionOf(agent),
    node,
    instructions: agent.instructions,
    history: historySettings(agent),
    timezone: timezone ?? agent.timezone ?? DIALOG_ZONE,
    tools: agent.tools,
    mode: RUN_MODES[agent.mode],
    max_iterations: agent.max_iterations ?? DEFAULT_ITERATIONS,
    prefix: agent.prefix[locale],
    ...{ silent, configuration, note },
  };
}
