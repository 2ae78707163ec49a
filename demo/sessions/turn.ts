import { GOAL_METHODS } from "../../lib/memory/actions/goals.ts";
import type { HistoryMessage } from "../../lib/prompt/prompt.ts";
import type { Payload } from "../../lib/session/events/catalogue.ts";
import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import type { Locale } from "../texts.ts";
import type { MemoryKeeper } from "./memory-keeper.ts";
import { asCalls, playPlan } from "./play.ts";
import { writePrompt } from "./prompt.ts";
import type { Draft, Recording, RunName } from "./recording.ts";
import type { Outcome, Scene, ToolError } from "./scene.ts";

/** The settings of a session. */
export interface About {
  id: string;
  title: string;
  channel: string;
  /** Null without a user. */
  user: string | null;
  agent: string;
  locale: Locale;
  /** The agent's instructions, the start of its prompt. */
  instruction: string;
  /** The agent keeps a memory of its user. */
  remembers?: true;
}

/** What a turn shares with its session. */
interface Setting {
  recording: Recording;
  run: RunName;
  history: readonly HistoryMessage[];
  memory: MemoryKeeper | null;
  say: (text: string, cause: Draft, at: number, run: RunName) => Draft;
  /** The user's message of a turn of the main graph (D1); null for a single agent. */
  directedBy: string | null;
}

/** The agent of an iteration. */
export type Speaker = NonNullable<Payload<"run.iteration">["speaker"]> & JsonObject;

const MODELS = {
  ru: { model: "yandexgpt-5.1", provider: "yandex" },
  en: { model: "gpt-4.1", provider: "openai" },
} as const;

/** A turn of the agent: model requests, simulated plans, and the answer. */
export class Turn {
  /** The clock, epoch ms. */
  at: number;
  readonly #setting: Setting;
  readonly #input: JsonObject;
  #about: About;
  #run: RunName;
  #actor: string;
  /** The agent of the next iteration. */
  #speaker: Speaker | null = null;
  #iteration = 0;
  #plan: JsonObject[] = [];
  #cause: Draft;
  #open = true;

  constructor(about: About, setting: Setting, at: number, input: JsonObject = {}, cause: Draft | null = null) {
    this.#about = about;
    this.#setting = setting;
    this.#input = input;
    this.#run = setting.run;
    this.#actor = `agent:${setting.run.agentId}`;
    this.at = at;
    const given = Object.keys(input).length > 0;
    const answers = setting.directedBy;
    this.#cause = setting.recording.add(
      at,
      "run.started",
      { ...(given && { input }), ...(answers !== null && { directed: true, answers }) },
      { actor: this.#actor, run: setting.run, cause },
    );
  }

  /** Changes the agent (D1). */
  giveWordTo(speaker: Speaker): this {
    this.#speaker = speaker;
    this.#about = { ...this.#about, instruction: speaker.instructions };
    this.#run = { ...this.#run, agentId: speaker.agent_id };
    this.#actor = `agent:${speaker.agent_id}`;
    return this;
  }

  /** The id of the model's newest response. */
  get responseId(): string {
    return `resp_${this.#run.id.replaceAll(/\W/g, "_")}_${this.#iteration}`;
  }

  /** Records a model request: duration, tokens in and out, and the proposed plan, if any. */
  think(ms: number, [input, output]: [input: number, output: number], plan?: JsonObject[]): this {
    this.#iteration += 1;
    const iteration = this.#iteration;
    const model = { ...MODELS[this.#about.locale], iteration };
    this.#follow("run.iteration", { iteration, ...(this.#speaker && { speaker: this.#speaker }) });
    this.#speaker = null;
    this.#follow("prompt.rendered", { ...writePrompt(this.#about, this.#setting.history, this.at), iteration });
    this.#follow("model.requested", model);
    this.at += ms;
    const answer = { input_tokens: input, output_tokens: output, finish_reason: plan ? "tool_calls" : "stop" };
    const isDirected = this.#setting.directedBy !== null;
    this.#follow(
      "model.responded",
      { ...model, ...answer, ...(isDirected && { response_id: this.responseId }) },
      "model",
    );
    if (plan) {
      this.#plan = plan;
      this.#follow("plan.proposed", { iteration, calls: asCalls(plan) });
      this.#follow("plan.validated", { iteration, problems: [] });
    }
    return this;
  }

  /** Simulates the newest plan for the turn's input. */
  play(outcomes: Record<string, Outcome>): this {
    return this.playInstances({ "": { input: this.#input, outcomes } });
  }

  /** Simulates the newest plan once per instance, in parallel. */
  playInstances(scenes: Record<string, Scene>): this {
    const { recording, memory } = this.#setting;
    const run = this.#run;
    const model = MODELS[this.#about.locale];
    const stage = { recording, run, iteration: this.#iteration, actor: this.#actor, model, memory, cause: this.#cause };
    const { at, last, waiting } = playPlan(stage, this.#plan, scenes, this.at);
    this.at = at;
    this.#cause = last;
    this.#open &&= !waiting;
    return this;
  }

  /** The agent sets a goal. */
  goal(goal: string): this {
    return this.#setGoals("add", goal);
  }

  /** The agent completes a goal. */
  reached(goal: string): this {
    return this.#setGoals("close", goal);
  }

  warn(...warnings: string[]): this {
    return this.#follow("selfcheck.warned", { warnings });
  }

  alert(text: string, reason: string): this {
    return this.#follow("manager.alerted", { text, reason });
  }

  log(payload: Json & JsonObject): this {
    return this.#follow("log", payload);
  }

  say(text: string): this {
    this.#cause = this.#setting.say(text, this.#cause, this.at, this.#run);
    this.at = this.#cause.at;
    return this;
  }

  fail(error: ToolError): this {
    this.#open = false;
    return this.#follow("run.failed", { error });
  }

  finish(reason: string): this {
    this.#open = false;
    return this.#follow("run.finished", { reason });
  }

  /** Ends the turn, unless it has ended or waits for approval; returns the cause of the next event. */
  end(): Draft {
    if (this.#open) this.#follow("run.finished", {});
    return this.#cause;
  }

  #setGoals(how: keyof typeof GOAL_METHODS, goal: string): this {
    const { memory } = this.#setting;
    const action = { method: GOAL_METHODS[how], params: { goal } };
    const news = { type: "carried_out" as const, action, result: null, effect: "none" as const };
    memory?.note(news, this.#cause, { actor: this.#actor, run: this.#run });
    return this;
  }

  /** The events of the main graph (D1). */
  direct<T extends "stage.entered" | "stage.changed" | "agent_state.written">(
    type: T,
    payload: Payload<T> & JsonObject,
  ): this {
    return this.#follow(type, payload, "system");
  }

  #follow<T extends Parameters<Recording["add"]>[1]>(
    type: T,
    payload: Payload<T> & JsonObject,
    actor = this.#actor,
  ): this {
    this.at += 12;
    this.#cause = this.#setting.recording.add(this.at, type, payload, { actor, run: this.#run, cause: this.#cause });
    return this;
  }
}
