import type { DialogEvent, DirectedTurn, SpokenPart } from "../../engine/turn.ts";
import { dialogAgent } from "../../session/dialog-agent.ts";
import type { JsonObject } from "../../session/json/json.ts";
import type { Agent, Stage } from "../agent.ts";
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

/** What the graph reads of the agent of a stage. */
export interface StagedAgent extends Pick<Agent, "id" | "prefix"> {
  stage: Stage;
}

/** An agent that has to answer before the graph can continue. */
export interface Asked {
  stage: Stage;
  node: NodeName;
  silent: boolean;
  configuration: Configuration | null;
  note: string | null;
}

/** A run of the main graph from its start, as far as recorded answers lead. */
export interface Walk {
  readonly locale: DirectedTurn["locale"];
  /** Throws if no agent has the stage: the turn then fails. */
  agentOf(stage: Stage): StagedAgent;
  /** The turn reaches a node of this agent. */
  enter(node: NodeName, state: ConversationState, agent?: StagedAgent): void;
  /** The agent's recorded answer; null if it has to be asked, and the walk ends here for now. */
  answerOf(
    agent: StagedAgent,
    node: NodeName,
    as?: Partial<Pick<Asked, "silent" | "configuration" | "note">>,
  ): SpokenPart | null;
  /** Changes the conversation's stage (D2). */
  keepStage(stage: Stage): void;
  keepConfiguration(configuration: Configuration): void;
  /** The agent to ask; null at the graph's end. */
  asked(): Asked | null;
  /** The events that are not recorded yet. */
  newEvents(): DialogEvent[];
}

/** The dialog's state before the turn, or before its first unrecorded node. */
export interface StoredStage {
  /** The stored stage, and the one in the list. */
  stage: Stage | null;
  shown: string | null;
}

/** What a walk depends on, as data: it can run in another thread. */
export interface WalkBeginning {
  turn: Pick<DirectedTurn, "conversation_id" | "locale" | "parts" | "told">;
  agents: readonly StagedAgent[];
  standing: StoredStage;
  state: ConversationState;
}

/** Where a walk has led. */
export interface WalkEnd {
  /** The agent to ask; null at the graph's end. */
  asked: Asked | null;
  /** The answer to the user so far. */
  answer: string;
  /** The events that are not recorded yet. */
  events: DialogEvent[];
}

/** Starts a walk through the graph. It is deterministic, so that only events after the recorded nodes are new. */
export function beginWalk({ turn, agents, standing }: Omit<WalkBeginning, "state">): Walk {
  const agent_id = dialogAgent(turn.conversation_id);
  const parts = [...turn.parts];
  /** The events of each node: what was written before it, and the node last. */
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
      const agent = agents.find((each) => each.stage === stage);
      if (agent) return agent;
      throw new Error(`no agent has the stage ${stage}; add one with "stage": "${stage}"`);
    },
    enter(node, state, agent) {
      const payload = { node, ...(agent && { agent_id: agent.id }), state: toldState(state) };
      told.push([...underWay, { type: "stage.entered", payload }]);
      underWay = [];
    },
    answerOf(agent, node, { silent = false, configuration = null, note = null } = {}) {
      const part = parts.shift() ?? null;
      if (!part) asked = { stage: agent.stage, node, silent, configuration, note };
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
    newEvents: () => told.slice(turn.told.length).flat(),
  };
}
