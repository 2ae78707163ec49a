import type { JsonObject } from "../../lib/session/json/json.ts";
import type { Locale } from "../texts.ts";
import type { Speaker, Turn } from "./turn.ts";

/** The main graph's state of a turn, node by node (D3). */
export interface DialogState extends JsonObject {
  message: string;
  previous_response_id: string | null;
  chat_id: string;
  stage: string | null;
  extracted_info: JsonObject | null;
  answer: string;
  manager_alert: string | null;
  agent_name: string | null;
  used_tools: string[];
  response_id: string | null;
}

/** An agent of the dialog, from its definition. */
export interface DialogAgent {
  id: string;
  instructions: string;
  tools: string[];
  /** A prefix of its answers. */
  prefix?: string;
  /** Its output is for the main graph only. */
  silent?: boolean;
}

/** A turn of the main graph (D1): records each node with the conversation state. */
export class DialogTurn {
  readonly turn: Turn;
  readonly #state: DialogState;
  readonly #locale: Locale;

  constructor(
    turn: Turn,
    state: Pick<DialogState, "message" | "chat_id" | "stage" | "extracted_info">,
    locale: Locale,
  ) {
    this.turn = turn;
    this.#locale = locale;
    const { message, chat_id, stage, extracted_info } = state;
    this.#state = {
      ...{ message, previous_response_id: null, chat_id, stage, extracted_info, answer: "" },
      ...{ manager_alert: null, agent_name: null, used_tools: [], response_id: null },
    };
    this.#enter("detect_stage");
  }

  /** Enters a node with this agent. */
  ask(node: string, agent: DialogAgent): this {
    this.#enter(node, agent.id);
    this.turn.giveWordTo(speakerOf(agent, node, this.#locale, this.#state.extracted_info));
    return this;
  }

  /** Records the agent's answer and tools for the next node. */
  heard(agent: DialogAgent, answer: string, usedTools: string[] = []): this {
    this.#state.agent_name = agent.id;
    this.#state.response_id = this.turn.responseId;
    this.#state.answer = answer;
    this.#state.used_tools = [...this.#state.used_tools, ...usedTools];
    return this;
  }

  /** Changes the conversation's stage (D2). */
  keepStage(stage: string): this {
    const from = this.#state.stage;
    this.#keep("stage", stage);
    this.turn.direct("stage.changed", { from, to: stage });
    this.#state.stage = stage;
    return this;
  }

  keepConfiguration(configuration: JsonObject): this {
    this.#keep("configuration", configuration);
    this.#state.extracted_info = configuration;
    return this;
  }

  /** Ends the turn with the answer. */
  end(): void {
    this.#enter("END");
    this.turn.say(this.#state.answer);
  }

  #enter(node: string, agent_id?: string): void {
    const state = structuredClone(this.#state);
    this.turn.direct("stage.entered", { node, ...(agent_id !== undefined && { agent_id }), state });
  }

  #keep(key: string, value: string | JsonObject): void {
    this.turn.direct("agent_state.written", { agent_id: `dialog:${this.#state.chat_id}`, key, value });
  }
}

function speakerOf(agent: DialogAgent, node: string, locale: Locale, configuration: JsonObject | null): Speaker {
  const { id: agent_id, instructions, tools: allowed_tools, prefix, silent } = agent;
  return {
    ...{ agent_id, node, instructions, allowed_tools, mode: "execute", max_iterations: 10 },
    history: { source: "prompt", locale, max_tokens: 4_000 },
    ...(prefix !== undefined && { prefix }),
    ...(silent && { silent }),
    ...(configuration && { configuration }),
  };
}
