import type { SpokenPart } from "../../engine/turn.ts";
import { apology } from "../speech.ts";
import { readSetupAnswer, type SetupAnswer } from "./configuration.ts";
import type { ConversationState } from "./conversation-state.ts";
import { isStopCommand } from "./stage-command.ts";
import { SWITCH_MARKER } from "./switch-marker.ts";
import { NODES, type NodeName, type StagedAgent, type Walk } from "./walk.ts";

/** A node's update of the state. It is ignored if the node's agent has not answered yet: the walk ends there. */
type Change = Partial<ConversationState>;

/** Detects the stage (D2): «стоп», the stored one, or `admin`. */
export function detectStage(state: ConversationState, walk: Walk): Change {
  walk.enter(NODES.detect, state);
  const stage = isStopCommand(state.message) ? "admin" : (state.stage ?? "admin");
  walk.keepStage(stage);
  return { stage };
}

/** The administrator answers, or switches to the demonstration (D5), depending on the stage. */
export function handleAdmin(state: ConversationState, walk: Walk): Change {
  const agent = walk.agentOf("admin");
  walk.enter(NODES.admin, state, agent);
  const part = walk.answerOf(agent, NODES.admin);
  if (!part) return {};
  const said = saidIn(part, state);
  if (part.handed_over !== null)
    // What it said along with its call was sent at once.
    return { ...said, stage: part.handed_over.another_business === true ? "demo_setup" : "demo" };
  const answer = prefixed(agent, part.answer ?? "", walk);
  return part.answer?.includes(SWITCH_MARKER) ? { ...said, stage: "demo", answer } : { ...said, answer };
}

/** The demonstration; it is set up first if it has no configuration, or is to have another (D4). */
export function handleDemo(state: ConversationState, walk: Walk): Change {
  const { extracted_info: configuration } = state;
  if (state.stage !== "demo" || configuration === null)
    return setUpDemo({ ...state, stage: "demo_setup" }, NODES.demo, walk);
  const agent = walk.agentOf("demo");
  walk.keepStage("demo");
  walk.enter(NODES.demo, state, agent);
  const part = walk.answerOf(agent, NODES.demo, { configuration });
  if (!part) return {};
  return { ...saidIn(part, state), answer: joined(state.answer, prefixed(agent, part.answer ?? "", walk)) };
}

/** The user's answer to a question of the setup agent. */
export function handleDemoSetup(state: ConversationState, walk: Walk): Change {
  return setUpDemo(state, NODES.setup, walk);
}

/** The setup agent configures the demonstration, and is asked once more if its answer is invalid (D4). */
function setUpDemo(state: ConversationState, node: NodeName, walk: Walk): Change {
  const agent = walk.agentOf("demo_setup");
  walk.keepStage("demo_setup");
  walk.enter(node, state, agent);
  const first = walk.answerOf(agent, node, { silent: true });
  if (!first) return {};
  const found = readSetupAnswer(first.answer);
  if (found.kind !== "bad") return settle(saidIn(first, state), found, agent, walk);
  const second = walk.answerOf(agent, node, { silent: true, note: noteOn(found.fault) });
  if (!second) return {};
  return settle(saidIn(second, saidIn(first, state)), readSetupAnswer(second.answer), agent, walk);
}

function settle(state: ConversationState, found: SetupAnswer, agent: StagedAgent, walk: Walk): Change {
  switch (found.kind) {
    case "configuration": {
      const welcome = prefixed(walk.agentOf("demo"), found.value.welcome_message, walk);
      walk.keepConfiguration(found.value);
      walk.keepStage("demo");
      return { ...state, stage: "demo", extracted_info: found.value, answer: joined(state.answer, welcome) };
    }
    case "question":
      return { ...state, answer: joined(state.answer, prefixed(agent, found.text, walk)) };
    case "bad":
      return { ...state, answer: joined(state.answer, apology(walk.locale)) };
    default:
      return found satisfies never;
  }
}

/** For the model, in the probable language of its instructions. */
function noteOn(fault: string): string {
  return `Your answer before this one could not be used: ${fault}. Answer with the JSON object alone.`;
}

function saidIn({ agent_id, used_tools, response_id }: SpokenPart, state: ConversationState): ConversationState {
  return {
    ...state,
    agent_name: agent_id,
    used_tools: [...new Set([...state.used_tools, ...used_tools])],
    response_id: response_id ?? state.response_id,
  };
}

/** An agent's answer with its prefix, without the marker, which users must never see (D5). */
function prefixed({ prefix }: StagedAgent, answer: string, { locale }: Walk): string {
  const shown = answer.includes(SWITCH_MARKER) ? answer.replaceAll(SWITCH_MARKER, " ").trim() : answer;
  return shown.trim() === "" ? "" : `${prefix[locale]}${shown}`;
}

function joined(...answers: string[]): string {
  return answers.filter((answer) => answer !== "").join("\n\n");
}
