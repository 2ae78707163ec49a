import type { AgentStates, Conversations, Events, Messages } from "../../db/repositories.ts";
import { DEFAULT_ITERATIONS } from "../engine/ports.ts";
import type { DirectedTurn, Director, Speaker } from "../engine/turn.ts";
import type { AgentRegistry } from "./agent-registry.ts";
import { type ConversationState, conversationState } from "./conversation-state.ts";
import type { MainGraph } from "./main-graph.ts";
import { historySettings, RUN_MODES } from "./run-settings.ts";
import { type DialogLogger, readStoredDialog } from "./stored-dialog.ts";
import { DIALOG_ZONE, userLocation } from "./user-location.ts";
import { type Asked, beginWalk, NODES } from "./walk.ts";

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
      const walk = beginWalk(turn, needs.agents, { stage: state.stage, shown: conversation?.stage ?? null });
      const reached = await needs.mainGraph.run(state, walk);
      const asked = walk.asked();
      if (!asked) {
        walk.enter(NODES.end, reached);
        return { kind: "answer", text: reached.answer, events: walk.newEvents() };
      }
      const { timezone } = await userLocation(needs.events, turn.conversation_id);
      return { kind: "ask", speaker: speakerOf(asked, turn, timezone), events: walk.newEvents() };
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

/** An agent with its current definition (D12), for a request. */
function speakerOf({ agent, node, ...asked }: Asked, { locale }: DirectedTurn, timezone: string | null): Speaker {
  return {
    agent_id: agent.id,
    node,
    instructions: agent.instructions,
    history: historySettings(agent),
    timezone: timezone ?? agent.timezone ?? DIALOG_ZONE,
    tools: agent.tools,
    mode: RUN_MODES[agent.mode],
    max_iterations: agent.max_iterations ?? DEFAULT_ITERATIONS,
    prefix: agent.prefix[locale],
    ...asked,
  };
}
