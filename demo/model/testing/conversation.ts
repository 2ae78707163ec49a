import type { ModelAnswer, ModelRequest } from "../../../lib/engine/model.ts";
import { nativeItems, readNativeCall } from "../../../lib/engine/planning/native-calls.ts";
import type { CallOutcome } from "../../../lib/engine/planning/port.ts";
import { readCall } from "../../../lib/engine/planning/read-solution.ts";
import { solutionRequest } from "../../../lib/engine/planning/request.ts";
import type { RegisteredTool } from "../../../lib/engine/tools/tools.ts";
import type { TextMessage } from "../../../lib/plan/message.ts";
import type { Json, JsonObject } from "../../../lib/session/json/json.ts";

/** The outcome of a call: its output, or an end without one. */
export type Came = { output: Json } | Pick<CallOutcome, "status" | "reason" | "error">;

interface World {
  tools: readonly RegisteredTool[];
  /** Executes the calls. */
  carryOut(tool: string, params: JsonObject): Came | Promise<Came>;
  /** The user's current memory. */
  memory(): JsonObject;
  ask(request: ModelRequest): Promise<Pick<ModelAnswer, "text" | "calls">>;
}

/** A conversation with an agent, with the requests that the engine would send. */
export class Conversation {
  /** The calls of all turns, in order. */
  readonly calls: { tool: string; params: JsonObject }[] = [];
  private readonly text: TextMessage[] = [];
  private readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  /** The agent's answer to a message. */
  async say(message: string): Promise<string> {
    this.text.push({ role: "user", content: message });
    const history: JsonObject[] = [];
    for (let iteration = 0; iteration < 10; iteration++) {
      const answer = await this.world.ask(this.request(history));
      if (answer.calls.length === 0) {
        this.text.push({ role: "assistant", content: answer.text });
        return answer.text;
      }
      const outcomes = await Promise.all(answer.calls.map((call) => this.run(call)));
      history.push(...nativeItems(answer, outcomes, []));
    }
    throw new Error("The model came to no end");
  }

  private request(history: readonly JsonObject[]): ModelRequest {
    const { tools, memory } = this.world;
    const kept = { kind: "memory", instance: "", data: memory() };
    const context = { data: [kept, { kind: "state", instance: "", data: {} }], text: this.text };
    const asked = {
      ask: "text" as const,
      instructions: "Look after the deals.",
      output_schema: null,
      delegates: [],
      told: [],
    };
    return solutionRequest({ ...asked, context, tools, previous: [], errors: [], history, chain: null });
  }

  private async run(native: ModelAnswer["calls"][number]): Promise<CallOutcome> {
    const { tools, carryOut } = this.world;
    const read = readNativeCall(native, tools);
    if (!read.ok) throw new Error(read.error.error.message);
    const call = readCall(read.call, tools);
    const { _tool, _id, ...params } = call;
    const tool = String(_tool);
    this.calls.push({ tool, params });
    const came = await carryOut(tool, params);
    return "output" in came
      ? { call, instance: "", status: "succeeded", output: came.output }
      : { call, instance: "", ...came };
  }
}
