import { randomUUIDv7 } from "node:crypto";
import { z } from "zod";
import type { Conversation } from "../../../db/repositories.ts";
import { type Caller, recorderOf } from "../../access/caller.ts";
import { type ToolDefinition, toolDefinition } from "../../engine/tools/tool-definition.ts";
import type { Services } from "../../server/services.ts";
import { isKnown, type SessionEvent } from "../../session/event.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { isOfChannel } from "../../session/json/reserved-names.ts";
import { requireAuthority } from "../event-authority.ts";
import { Problem } from "../problem.ts";
import { parseJson } from "../request/json-text.ts";
import { invalidInput, parse } from "../sentences.ts";

/** Tools that a program may bring to a run; the model reads all of them. */
const MOST_TOOLS = 64;

/** What a program may tell a run beside messages, as JSON: it is sent with each request to the model. */
const LONGEST_CONTEXT = 200_000;

/** Longer than what people type, and short enough for a prompt. */
export const LONGEST_MESSAGE = 100_000;

/** The conversation of a program that speaks with an agent in another protocol. */
export interface Thread {
  conversationId: string;
  agentId: string;
  /** Of a new conversation. */
  userId: string | undefined;
  channel: string;
  /** Where the request names the conversation, as a JSON Pointer. */
  named: string;
  metadata?: JsonObject;
}

/**
 * The conversation, created on first use. Throws a `Problem` if the agent does not exist or another one answers in it, if the
 * caller may not write to it, or if it is of a channel of this server.
 */
export async function openThread(
  { conversationId, agentId, userId, channel, named, metadata }: Thread,
  caller: Caller,
  { agents, conversations, log }: Services,
): Promise<Conversation> {
  if (!agents.find(agentId)) throw new Problem("not_found", `There is no agent ${agentId}; see GET /api/agents.`);
  // Its answers would be sent to the channel's user, who has not asked.
  if (isOfChannel(conversationId))
    throw invalidInput([
      {
        path: named,
        message: `is ${conversationId}, a conversation of a channel, which goes on there only; use another id`,
      },
    ]);
  const payload = {
    ...{ agent_id: agentId, channel },
    ...(userId !== undefined && { user_id: userId }),
    ...(metadata !== undefined && { metadata }),
  };
  const created = {
    ...{ id: randomUUIDv7(), conversation_id: conversationId, type: "conversation.created", payload },
    ...{ actor: null, agent_id: null, run_id: null, parent_run_id: null, caused_by: null },
    occurred_at: new Date().toISOString(),
  };
  requireAuthority(caller, created);
  await log.createConversation(created, recorderOf(caller));
  const conversation = await conversations.get(conversationId);
  if (!conversation) throw new Error(`The conversation ${conversationId} was created and is not there`);
  const answering = conversation.agent_id ?? agents.default()?.id;
  if (answering !== agentId)
    throw new Problem(
      "conflict",
      `In the conversation ${conversationId} the agent ${answering ?? "of another server"} answers; use another id for a conversation with ${agentId}.`,
    );
  return conversation;
}

/** A tool of the program, as its protocol has it. */
export interface OfferedTool {
  name: string;
  description?: string | undefined;
  parameters?: unknown;
}

const parameters = z.looseObject({ type: z.literal("object").optional() }, "must be a JSON Schema of an object");

/** The tools of a request as definitions. Throws a `Problem` that names the tool by its place below `/tools`. */
export function offeredTools(offered: readonly OfferedTool[], agentId: string, services: Services): ToolDefinition[] {
  if (offered.length === 0) return [];
  if (offered.length > MOST_TOOLS)
    throw new Problem("too_many", `The request has ${offered.length} tools; send at most ${MOST_TOOLS}.`);
  if (services.agents.find(agentId)?.stage)
    throw new Problem("invalid_input", `The agent ${agentId} has a stage, so it takes no tools; omit /tools.`);
  const names = new Set<string>();
  return offered.map(({ name, description = "", parameters: given }, index) => {
    const path = `/tools/${index}/name`;
    if (names.has(name)) throw invalidInput([{ path, message: `is ${name}, as an earlier tool's is` }]);
    names.add(name);
    if (services.tools.find(name))
      throw invalidInput([{ path, message: `is ${name}, which is a tool of this server; use another name` }]);
    const schema = given === undefined ? { type: "object" } : given;
    const checked = parameters.safeParse(schema);
    if (!checked.success)
      throw invalidInput([{ path: `/tools/${index}/parameters`, message: "must be a JSON Schema of an object" }]);
    return parse(toolDefinition, { name, description, schema });
  });
}

/** A result as a program sends it: text that is JSON, within the limits of a request, is read as such. */
export function resultIn(text: string): Json {
  try {
    return parseJson(text, "");
  } catch (error) {
    if (error instanceof Problem) return text;
    throw error;
  }
}

/** Throws a `Problem` for what is too long to be told to a run. */
export function boundContext(path: string, value: Json): void {
  const length = JSON.stringify(value).length;
  if (length > LONGEST_CONTEXT)
    throw new Problem("too_large", `${path} has ${length} characters as JSON; send at most ${LONGEST_CONTEXT}.`);
}

/** The names of the tools that came with a turn's request, from its run's first event. */
export function toolsOfRun(started: SessionEvent | undefined): ReadonlySet<string> {
  const tools = started && isKnown(started) && started.type === "run.started" ? (started.payload.tools ?? []) : [];
  return new Set(tools.flatMap((tool) => (isJsonObject(tool) && typeof tool.name === "string" ? [tool.name] : [])));
}
