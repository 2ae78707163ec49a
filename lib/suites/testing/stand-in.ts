import { createPrompts } from "../../dialog/prompts/prompts.ts";
import { speech } from "../../dialog/speech.ts";
import { createSchemaChecker } from "../../engine/json-schema.ts";
import type { Model, ModelPart, ModelRequest } from "../../engine/model.ts";
import type { RegisteredTool, ToolRegistry } from "../../engine/tools/tools.ts";
import type { SuiteCase } from "../case.ts";
import type { TriedAgent, TryPorts } from "../run/run-try.ts";

const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/** An agent that may call everything. */
export const AGENT: TriedAgent = {
  id: "agent",
  instructions: "Help the customer.",
  tools: null,
  history: { source: "provider", max_tokens: null, max_chars: null, max_messages: null, locale: "en" },
  timezone: null,
  max_iterations: 100,
  locale: "en",
};

/** What the model does next, instead of what is recorded; null for what is recorded. */
export type Whim = (step: SuiteCase["turns"][number]["steps"][number], request: ModelRequest) => string | null;

/** A model that does in each turn what the case has recorded, step by step, unless its whim says something else. */
export function recordedModel(tried: SuiteCase, whim: Whim = () => null): Model {
  const turns = tried.turns.map(({ steps }) => [...steps]);
  let turn: SuiteCase["turns"][number]["steps"] = [];
  let said = 0;
  async function* respond(request: ModelRequest): AsyncIterable<ModelPart> {
    // A user's message is the last item where a turn begins.
    if (request.input.at(-1)?.role === "user") turn = turns.shift() ?? [];
    said += 1;
    const base = { response_id: `r${said}`, output: [], input_tokens: 10, output_tokens: 1, finish_reason: "stop" };
    const words: string[] = [];
    for (let step = turn.shift(); step; step = turn.shift()) {
      const instead = whim(step, request);
      if (instead !== null) {
        turn = [];
        yield { type: "done", answer: { ...base, text: instead, calls: [] } };
        return;
      }
      if (step.kind === "says") {
        words.push(step.content);
        if (turn.length > 0) continue;
        break;
      }
      const call = { call_id: `call_${said}`, name: step.tool, arguments: JSON.stringify(step.params) };
      yield { type: "done", answer: { ...base, text: words.join("\n"), calls: [call] } };
      return;
    }
    yield { type: "done", answer: { ...base, text: words.join("\n"), calls: [] } };
  }
  return { model: "stand-in", provider: "test", respond };
}

/** Everything that a try uses, with these tools and what scores tries on the server, and nothing kept. */
export function ports(
  model: Model,
  tools: readonly RegisteredTool[] = [],
  { rules = [], judges = [] }: Partial<Pick<TryPorts["scorers"], "rules" | "judges">> = {},
): TryPorts {
  const all = new Map(tools.map((tool) => [tool.name, tool]));
  const registry: ToolRegistry = {
    list: () => [...all.values()],
    find: (name) => all.get(name),
    activity: (name) => all.get(name)?.handler ?? undefined,
    make: (definition) => ({ ...definition, effect: "change", guard: null, has_activity: false, handler: null }),
    register: () => Promise.reject(new Error("nothing is registered in these tests")),
    sealed: (definition) => definition,
  };
  return {
    tools: registry,
    delegates: { list: () => [], find: () => undefined, register: () => Promise.reject(new Error("none")) },
    model,
    memory: null,
    prompts: createPrompts({ logger: SILENT, debug: false }),
    speech,
    checker: createSchemaChecker(),
    clock: {
      now: Date.now,
      later: (ms, act) => {
        const timer = setTimeout(act, ms);
        return () => clearTimeout(timer);
      },
    },
    allowance: null,
    random: () => 0.5,
    logger: SILENT,
    scorers: { rules, judges, prices: {}, modelOf: () => model },
    keep: async () => undefined,
  };
}
