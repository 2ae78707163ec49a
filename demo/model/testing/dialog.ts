import { readFileSync } from "node:fs";
import { z } from "zod";
import { type AgentDefinition, agentDefinition, type Stage } from "../../../lib/dialog/agent.ts";
import { type Configuration, readSetupAnswer } from "../../../lib/dialog/main-graph/configuration.ts";
import { isStopCommand } from "../../../lib/dialog/main-graph/stage-command.ts";
import type { ModelAnswer, ModelRequest } from "../../../lib/engine/model.ts";
import { parseTemplate } from "../../../lib/prompt/template.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../lib/session/json/json.ts";

type Ask = (request: ModelRequest) => Promise<Pick<ModelAnswer, "text" | "calls">>;

/** The result of a user's message. */
export interface Said {
  text: string;
  /** The parameters of the call that ended the turn (D9). */
  alert: JsonObject | null;
}

/** A shipped agent. */
export function agentOf(name: string): AgentDefinition {
  return agentDefinition.parse(JSON.parse(readFileSync(`agents/${name}.json`, "utf8")));
}

const AGENTS: Record<Stage, AgentDefinition> = {
  admin: agentOf("admin"),
  demo: agentOf("demo"),
  demo_setup: agentOf("demo_setup"),
};

/** A dialog with the shipped agents and their stages (D2, D4, D5), without the engine. */
export class StagedDialog {
  stage: Stage = "admin";
  configuration: Configuration | null = null;
  private readonly ask: Ask;
  private readonly text: JsonObject[] = [];

  constructor(ask: Ask) {
    this.ask = ask;
  }

  async say(message: string): Promise<Said> {
    this.text.push({ role: "user", content: message });
    if (isStopCommand(message)) this.stage = "admin";
    const said = await this.turn();
    this.text.push({ role: "assistant", content: said.text });
    return said;
  }

  private async turn(): Promise<Said> {
    if (this.stage === "admin") {
      const { text, calls } = await this.answer("admin");
      const handedOver = calls.find(({ name }) => name === "SwitchToDemo");
      if (!handedOver) return ended(text, calls);
      if (paramsOf(handedOver).another_business === true) this.configuration = null;
      this.stage = this.configuration ? "demo" : "demo_setup";
    }
    return this.stage === "demo" ? this.actOut() : this.setUp();
  }

  private async setUp(): Promise<Said> {
    const { text, calls } = await this.answer("demo_setup");
    if (calls.length > 0) return ended(text, calls);
    const answer = readSetupAnswer(text);
    if (answer.kind === "bad") throw new Error(`The setup's answer is no good: ${answer.fault}`);
    if (answer.kind === "question") return { text: answer.text, alert: null };
    this.configuration = answer.value;
    this.stage = "demo";
    return { text: AGENTS.demo.prefix.ru + answer.value.welcome_message, alert: null };
  }

  private async actOut(): Promise<Said> {
    const { text, calls } = await this.answer("demo");
    return calls.length > 0 ? ended(text, calls) : { text: AGENTS.demo.prefix.ru + text, alert: null };
  }

  private answer(stage: Stage): ReturnType<Ask> {
    const { instructions, tools } = AGENTS[stage];
    return this.ask({
      instructions: filled(instructions, { configuration: this.configuration }),
      input: this.text,
      tools: toolsFor(tools),
      format: null,
      previous_response_id: null,
      store: false,
    });
  }
}

/** Tools as in a request. */
export function toolsFor(names: readonly string[] | null): JsonObject[] {
  return (names ?? []).map((name) => ({ type: "function", name, parameters: {} }));
}

function ended(text: string, calls: ModelAnswer["calls"]): Said {
  const [call] = calls;
  if (call && call.name !== "CallManager") throw new Error(`${call.name} ends no turn`);
  return { text, alert: call ? paramsOf(call) : null };
}

function paramsOf(call: ModelAnswer["calls"][number]): JsonObject {
  return z.record(z.string(), z.json()).parse(JSON.parse(call.arguments));
}

/** Instructions with filled placeholders. */
export function filled(instructions: string, context: JsonObject): string {
  const parts = parseTemplate(instructions).map((part) => {
    if (part.kind === "text") return part.raw;
    const within: Json | undefined = context[part.name];
    const value = isJsonObject(within) ? within[String(part.path?.[0])] : undefined;
    return typeof value === "string" ? value : (part.default ?? part.name);
  });
  return parts.join("");
}
