import { hash } from "node:crypto";
import { z } from "zod";
import type { NewEvent } from "../../db/repositories.ts";
import { pointerTo } from "../plan/problem.ts";
import { identifier } from "../session/events/catalogue.ts";
import { sentence } from "../session/issues.ts";
import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";
import { jsonValue } from "../session/json/json-schema.ts";
import { listOf } from "../session/json/list.ts";
import { isOwnAgent } from "../session/own-agents.ts";
import { ImportError } from "./import-error.ts";
import { type Entry, FOREIGN_DEPTH, type ImportFormat } from "./import-format.ts";
import { type ImportedConversation, newEvent } from "./new-event.ts";

/** A reasoning trace (E3). Other fields are kept as metadata. */
const trace = z.looseObject({
  id: identifier.max(150, "must have at most 150 characters").optional(),
  agent_id: identifier.refine((id) => !isOwnAgent(id), "is Obelus's own"),
  conversation: z.looseObject({
    steps: listOf(z.looseObject({ phase: z.string(), content: jsonValue })),
    final_action: jsonValue.optional(),
    final_result: jsonValue.optional(),
  }),
});

type Trace = z.infer<typeof trace>;

/** Traces of schema-guided reasoning agents: one conversation each, per line or in an array. */
export const sgrFormat: ImportFormat = {
  recognizes: (first) =>
    isJsonObject(first) && isJsonObject(first.conversation) && Array.isArray(first.conversation.steps),
  depth: FOREIGN_DEPTH - 2,
  numbers: "as_written",
  mostHeld: 0,
  async *read(entries) {
    for await (const entry of entries) yield traceEvents(readTrace(entry), entry.value);
  },
};

function readTrace({ value, line, within }: Entry): Trace {
  const parsed = trace.safeParse(value, { error: sentence });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [...within, ...(issue?.path ?? [])];
  throw new ImportError(`${path.join(".")} ${issue?.message ?? "is not valid"} in this reasoning trace`, {
    line,
    path: pointerTo(path),
  });
}

/**
 * A trace is a run of its agent: reasoning is a log entry, each action a call, and its observation the call's result.
 * The conclusion is a message, and the whole trace is stored in agent state under the conversation's id, where the
 * console shows traces.
 */
function traceEvents({ id: given, agent_id, conversation }: Trace, value: Json): ImportedConversation {
  const id = given ?? `sgr:${hash("sha256", JSON.stringify(value)).slice(0, 24)}`;
  const run_id = `${id}:run`;
  const actor = `agent:${agent_id}`.slice(0, 200);
  const events: NewEvent[] = [];
  let cause: string | null = null;
  let open: { call_id: string; iteration: number; tool: string; started: string } | null = null;
  let iteration = 0;
  const add = (event: NewEvent) => {
    events.push(event);
    cause = event.id;
    return event.id;
  };
  const fields = (suffix: string, caused_by = cause) => ({
    ...{ id: `${id}:${suffix}`, conversation_id: id, agent_id, actor, run_id, caused_by },
  });
  add(newEvent("conversation.created", { channel: "import", agent_id }, { ...fields("created"), run_id: null }));
  add(newEvent("run.started", {}, fields("run.started")));
  for (const [index, { phase, content }] of conversation.steps.entries()) {
    if (phase === "action") {
      iteration += 1;
      add(newEvent("run.iteration", { iteration }, fields(`${index}:iteration`)));
      const { tool, params } = actionOf(content);
      const call_id = `${id}:${index}`;
      const started = add(newEvent("call.started", { call_id, iteration, tool, params }, fields(String(index))));
      open = { call_id, iteration, tool, started };
    } else if (phase === "observation" && open) {
      const { started, ...call } = open;
      const by = { ...fields(String(index), started), actor: `tool:${call.tool}`.slice(0, 200) };
      add(newEvent("call.succeeded", { ...call, output: content }, by));
      open = null;
    } else {
      add(newEvent("log", { phase, text: wordsOf(content), content }, fields(String(index))));
    }
  }
  const { final_action, final_result } = conversation;
  if (typeof final_result === "string" && final_result !== "") {
    const message = { message_id: `${id}:result`, role: "assistant" as const, content: final_result };
    add(newEvent("message.created", message, fields("result")));
  }
  const kept = { agent_id, key: id, value };
  add(newEvent("agent_state.written", kept, fields("trace")));
  const end: JsonObject = {
    ...(final_result !== undefined && { output: final_result }),
    ...(final_action !== undefined && { reason: wordsOf(final_action) }),
  };
  add(newEvent("run.finished", end, fields("run.finished")));
  return { conversation_id: id, events };
}

/** The tool of an action, in one of the common fields, or the action itself. */
function actionOf(content: Json): { tool: string; params: Json } {
  if (typeof content === "string") return { tool: nameOf(content) ?? "action", params: { action: content } };
  if (!isJsonObject(content)) return { tool: "action", params: content };
  const name = [content.tool, content.tool_name, content.name, content.action].find((each) => typeof each === "string");
  const params = content.params ?? content.parameters ?? content.arguments ?? content.args ?? content;
  return { tool: nameOf(name) ?? "action", params };
}

function nameOf(text: Json | undefined): string | null {
  return typeof text === "string" && /^[\w.:-]{1,200}$/.test(text) && identifier.safeParse(text).success ? text : null;
}

function wordsOf(content: Json): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}
