import type { DialogEvent, DirectedTurn, SpokenPart } from "../engine/turn.ts";
import { dialogAgent } from "../session/dialog-agent.ts";
import type { JsonObject } from "../session/json/json.ts";
import type { Agent, Stage } from "./agent.ts";
import type { AgentRegistry } from "./agent-registry.ts";
import type { Configuration } from "./configuration.ts";
import { type ConversationState, toldState } from "./conversation-state.ts";
import { DIALOG_KEYS } from "./stored-dialog.ts";

/** The nodes of the main graph (D1), and its end. */
export const NODES = {
  detect: "detect_stage",
  admin: "handle_admin",
  demo: "handle_demo",
  setup: "handle_demo_setup",
  end: "END",
} as const;
export type NodeName = (typeof NODES)[keyof typeof NODES];

/** An agent that has to speak before the graph can go on. */
export interface Asked {
  agent: Agent;
  node: NodeName;
  silent: boolean;
  configuration: Configuration | null;
  note: string | null;
}

/** One way through the main graph, from its beginning as far as what was said leads. */
export interface Walk {
  readonly locale: DirectedTurn["locale"];
  /** Throws where no agent has the stage: the turn fails by what is said then. */
  agentOf(stage: Stage): Agent;
  /** The turn comes to a node, where this agent speaks. */
  enter(node: NodeName, state: ConversationState, agent?: Agent): void;
  /** What the agent has said, where it was asked before; null: it has to be asked, and the way ends here for now. */
  hear(agent: Agent, node: NodeName, as?: Partial<Pick<Asked, "silent" | "configuration" | "note">>): SpokenPart | null;
  /** The conversation is in this stage from here on (D2). */
  keepStage(stage: Stage): void;
  keepConfiguration(configuration: Configuration): void;
  /** Who is asked; null where the way came to the graph's end. */
  asked(): Asked | null;
  /** What the way tells beyond what was told before. */
  untold(): DialogEvent[];
}

/** Where a conversation stood before the turn, or before what of it is not told yet. */
export interface StoredStage {
  /** The stage that is stored, and that which its list shows. */
  stage: Stage | null;
  shown: string | null;
}

/**
 * Begins a way through the graph. It tells the same each time it is gone, so that of what it tells only what comes after
 * the nodes that the log tells is new.
 */
export function beginWalk(
  turn: Pick<DirectedTurn, "conversation_id" | "locale" | "parts" | "told">,
  agents: Pick<AgentRegistry, "forStage">,
  standing: StoredStage,
): Walk {
  const agent_id = dialogAgent(turn.conversation_id);
  const parts = [...turn.parts];
  /** What is told with each node: what was written on the way there, and the node last. */
  const told: DialogEvent[][] = [];
  let underWay: DialogEvent[] = [];
  let { stage, shown } = standing;
  let asked: Asked | null = null;

  function keep(key: string, value: Stage | (Configuration & JsonObject)): void {
    underWay.push({ type: "agent_state.written", payload: { agent_id, key, value } });
  }

  return {
    locale: turn.locale,
    agentOf(stage) {
      const agent = agents.forStage(stage);
      if (agent) return agent;
      throw new Error(`no agent has the stage ${stage}; add one with "stage": "${stage}"`);
    },
    enter(node, state, agent) {
      const payload = { node, ...(agent && { agent_id: agent.id }), state: toldState(state) };
      told.push([...underWay, { type: "stage.entered", payload }]);
      underWay = [];
    },
    hear(agent, node, { silent = false, configuration = null, note = null } = {}) {
      const part = parts.shift() ?? null;
      if (!part) asked = { agent, node, silent, configuration, note };
      return part;
    },
    keepStage(next) {
      if (next !== stage) keep(DIALOG_KEYS.stage, next);
      if (next !== shown) underWay.push({ type: "stage.changed", payload: { from: shown, to: next } });
      stage = next;
      shown = next;
    },
    keepConfiguration: (configuration) => keep(DIALOG_KEYS.configuration, { ...configuration }),
    asked: () => asked,
    untold: () => told.slice(turn.told.length).flat(),
  };
}
