import { ActivityError } from "../../engine/tools/activity.ts";
import type { Handler, RegisteredTool, ToolRegistry } from "../../engine/tools/tools.ts";
import { outputSchema } from "../../plan/schema/tool-schema.ts";
import type { RecordedAnswers } from "../recorded-answers.ts";
import type { AnsweredCall } from "../try-result.ts";

/** What the tools of a try are made of. */
export interface Answering {
  /** The server's own. None of them is called. */
  tools: ToolRegistry;
  /** Tools that the record names and this server does not have. */
  named: readonly string[];
  answers: RecordedAnswers;
  /** Called with each call, in order. */
  onAnswer(call: AnsweredCall): void;
  /** Called if the try has to stop. */
  onStop(reason: string): void;
}

/** The tools of a try: as they are defined, but that recorded calls answer. */
export function answeredTools(answering: Answering): ToolRegistry {
  const { tools, named } = answering;
  const unknown = new Map(
    named.filter((name) => !tools.find(name)).map((name) => [name, unknownTool(name, answering)]),
  );
  const answered = (tool: RegisteredTool): RegisteredTool => ({
    ...tool,
    // What stands in the record needs no look at the values outside.
    guard: tool.guard && { ...tool.guard, before: async () => null },
    handler: tool.handler && (staysInside(tool) ? tool.handler : handlerOf(tool, tool.handler, answering)),
  });
  return {
    list: () => [...tools.list().map(answered), ...unknown.values()],
    find(name) {
      const tool = tools.find(name);
      return tool ? answered(tool) : unknown.get(name);
    },
    activity(name) {
      const handler = tools.activity(name);
      const tool = tools.find(name) ?? unknownTool(name, answering);
      return handler && handlerOf(tool, handler, answering);
    },
    make: (definition) => answered(tools.make(definition)),
    register: () => Promise.reject(new Error("A try registers no tools")),
    sealed: (definition) => tools.sealed(definition),
  };
}

/** It is the server's own, and changes only the memory of the try or who speaks in its turn. */
function staysInside({ effect, control }: RegisteredTool): boolean {
  return effect === "none" && control !== "escalate";
}

function handlerOf(tool: RegisteredTool, handler: Handler, { answers, onAnswer, onStop }: Answering): Handler {
  return {
    ...handler,
    // A recorded failure is the last word: what came of its tries is recorded with it.
    retries: 0,
    async activity(params) {
      const output = outputSchema(tool);
      const answer = answers.answer({ tool: tool.name, params, output });
      const recorded = "call" in answer ? { seq: answer.call.seq, call_id: answer.call.call_id } : null;
      const differs = "differs" in answer ? answer.differs : 0;
      onAnswer({ tool: tool.name, params, from: answer.from, recorded, differs });
      switch (answer.from) {
        case "recorded":
        case "nearest":
        case "stub":
          if (answer.result.ok) return structuredClone(answer.result.output);
          throw new ActivityError(answer.result.error.code, answer.result.error.message);
        case "stop":
          onStop(answer.reason);
          throw new ActivityError("not_recorded", answer.reason);
        default:
          return answer satisfies never;
      }
    },
  };
}

/** A tool of an agent elsewhere: it takes anything, and only recorded calls answer. */
function unknownTool(name: string, answering: Answering): RegisteredTool {
  const tool = { name, description: "", schema: { type: "object" }, has_activity: true, requires_confirmation: false };
  const handler: Handler = {
    activity: () => Promise.reject(new ActivityError("unknown_tool", `This server cannot carry out ${name}`)),
    ...{ idempotent: false, timeout_ms: 60_000, retries: 0 },
  };
  const made: RegisteredTool = { ...tool, effect: "change", guard: null, handler };
  return { ...made, handler: handlerOf(made, handler, answering) };
}
