import { randomUUIDv7 } from "node:crypto";
import { z } from "zod";
import type { Conversation, NewEvent } from "../../../../db/repositories.ts";
import { type Caller, recorderOf } from "../../../access/caller.ts";
import type { CallAnswer } from "../../../engine/engine.ts";
import type { ToolDefinition } from "../../../engine/tools/tool-definition.ts";
import type { Services } from "../../../server/services.ts";
import { isKnown, type SessionEvent } from "../../../session/event.ts";
import type { JsonObject } from "../../../session/json/json.ts";
import { jsonValue } from "../../../session/json/json-schema.ts";
import { type ResponseInput, responseInput } from "../../agent-runs/response-input.ts";
import { ResponseWriter } from "../../agent-runs/response-writer.ts";
import { boundContext, offeredTools, openThread, resultIn, toolsOfRun } from "../../agent-runs/thread.ts";
import { answerCalls, refuseWaiting, runFor, waitingRuns } from "../../agent-runs/waiting-run.ts";
import { answerJson } from "../../answers/answer.ts";
import { requireAuthority } from "../../event-authority.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { invalidInput } from "../../sentences.ts";
import { awaitRun, streamRun } from "../../stream/follow-run.ts";

const response = z.looseObject({
  id: z.string(),
  object: z.literal("response"),
  status: z.enum(["in_progress", "completed", "incomplete", "failed"]),
  model: z.string().describe("The agent."),
  output: z.array(z.looseObject({ type: z.string() })),
});

/** Runs an agent for a program that speaks the Responses API. */
export const postResponse = operation({
  name: "postResponse",
  permission: "ingest",
  method: "POST",
  path: "/v1/responses",
  summary:
    "Runs an agent in the form of OpenAI's Responses API: model is the agent, functions are carried out by the caller, and a conversation goes on by previous_response_id or conversation. A response that waits for approvals is incomplete with the reason approval_required. Errors have OpenAI's form. A client that disconnects does not end the run.",
  body: jsonBody(responseInput),
  answers: {
    200: { description: "The response; with `stream`, its events as server-sent events.", schema: response },
    404: { description: "The agent does not exist, in OpenAI's form." },
    409: { description: "A run of the conversation waits for results of function calls, in OpenAI's form." },
  },
  refuse: openAiError,
  async run({ body, requester: { caller }, signal }, services) {
    const tools = body.tool_choice === "none" ? [] : (body.tools ?? []);
    const offered = offeredTools(
      tools.map(({ name, description, parameters }) => ({ name, description: description ?? "", parameters })),
      body.model,
      services,
    );
    const answers = answersIn(body);
    const asking = answers.length > 0 ? null : askingIn(body);
    const conversationId = await conversationOf(body, answers, services);
    const thread = {
      ...{ conversationId, agentId: body.model, userId: body.user ?? undefined, channel: "responses" },
      named: body.previous_response_id ? "/previous_response_id" : "/conversation",
      ...(body.metadata && { metadata: { ...body.metadata } }),
    };
    const conversation = await openThread(thread, caller, services);
    const place =
      asking === null
        ? await goOn(body, answers, conversation, caller, services)
        : await startTurn(
            { ...asking, user: body.user ?? conversation.user_id, offered },
            conversation,
            caller,
            services,
          );
    const writer = new ResponseWriter({
      ...{ id: responseId(place), createdAt: Math.floor(Date.now() / 1_000), agentId: body.model, conversationId },
      ...{ runId: place.runId, tools: toolsOfRun((await services.runs.events(place.runId))[0]) },
      echoed: echoOf(body, tools),
    });
    const followed = { conversationId, ...place, signal };
    if (body.stream)
      return new Response(streamRun(services, followed, writer, writer.begin()), {
        headers: { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" },
      });
    await awaitRun(services, followed, writer);
    return answerJson(writer.response());
  },
});

/** Reads a response again, also while its run goes on. */
export const getResponse = operation({
  name: "getResponse",
  permission: "read",
  method: "GET",
  path: "/v1/responses/{id}",
  summary: "Returns a response of an agent, as it is now: one that waited for an approval has what came of it.",
  params: z.object({ id: z.string().max(200) }),
  answers: {
    200: { description: "The response.", schema: response },
    404: { description: "There is no such response, in OpenAI's form." },
  },
  refuse: openAiError,
  async run({ params: { id } }, services) {
    const found = await findResponse(id, services);
    if (!found) throw new Problem("not_found", `There is no response ${id}.`);
    const { place, run, events } = found;
    const [first] = events;
    const begun = events.find(({ seq }) => seq > place.after) ?? first;
    const writer = new ResponseWriter({
      ...{ id, createdAt: Math.floor(Date.parse(begun?.recorded_at ?? "") / 1_000), runId: place.runId },
      ...{ agentId: first?.agent_id ?? "", conversationId: run.conversation_id, tools: toolsOfRun(first), echoed: {} },
    });
    for (const event of events) {
      if (writer.isCompleted) break;
      if (event.seq > place.after) writer.event(event);
    }
    return answerJson(writer.response());
  },
});

/** A part of a run: begins after this step. */
interface Place {
  runId: string;
  after: number;
}

function responseId({ runId, after }: Place): string {
  return `resp_${runId.replaceAll("-", "")}_${after}`;
}

function placeOf(id: string): Place | null {
  const [, hex = "", after = ""] = /^resp_([0-9a-f]{32})_(\d{1,15})$/.exec(id) ?? [];
  if (hex === "") return null;
  const runId = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  return { runId, after: Number(after) };
}

/** A response that was given out, with its run and the events of that; null if there is none of this id. */
async function findResponse(id: string, { runs }: Services) {
  const place = placeOf(id);
  const run = place && (await runs.find(place.runId));
  if (!run) return null;
  const events = await runs.events(place.runId);
  return isBeginning(place, events) ? { place, run, events } : null;
}

/** Whether a response begins after this step: at the start of the run, or with results that it waited for. */
function isBeginning({ runId, after }: Place, events: readonly SessionEvent[]): boolean {
  const own = events.filter(({ run_id }) => run_id === runId);
  const next = own.findIndex(({ seq }) => seq > after);
  if (next === 0) return own[0]?.seq === after + 1;
  const tools = toolsOfRun(own[0]);
  const isResult = (event: SessionEvent | undefined) =>
    event !== undefined &&
    isKnown(event) &&
    (event.type === "call.succeeded" || event.type === "call.failed") &&
    tools.has(event.payload.tool);
  return isResult(own[next]) && !isResult(own[next - 1]);
}

/** The conversation that a request goes on with, or a new one's id. Throws a `Problem`. */
async function conversationOf(
  { previous_response_id: previous, conversation, model }: ResponseInput,
  answers: readonly CallAnswer[],
  services: Services,
): Promise<string> {
  if (previous && conversation)
    throw new Problem("invalid_input", "/conversation cannot be combined with /previous_response_id; send one.");
  if (conversation) return conversation;
  if (previous) {
    const found = await findResponse(previous, services);
    if (found) return found.run.conversation_id;
    throw invalidInput([{ path: "/previous_response_id", message: "is not the id of a response of this server" }]);
  }
  if (answers.length === 0) return randomUUIDv7();
  // Callers that send everything that was said name only the calls.
  const ids = answers.map(({ call_id }) => call_id);
  const asked = (await waitingRuns(null, services)).filter(({ calls }) =>
    calls.some(({ call_id }) => ids.includes(call_id)),
  );
  const rows = await Promise.all(asked.map(({ conversationId }) => services.conversations.get(conversationId)));
  const [found, another] = rows.flatMap((row) => (row?.agent_id === model ? [row.id] : []));
  if (found !== undefined && another === undefined) return found;
  throw new Problem(
    "conflict",
    found === undefined
      ? `No call ${ids.join(", ")} of the agent ${model} waits for a result.`
      : `Several runs wait for results of ${ids.join(", ")}; name the response by previous_response_id.`,
  );
}

/** The results of calls after the last message: with a message after them, they were answered before. */
function answersIn({ input }: ResponseInput): CallAnswer[] {
  const answers: CallAnswer[] = [];
  for (const item of input) {
    if (item.type === "message") answers.length = 0;
    else if (item.type === "function_call_output")
      answers.push({ call_id: item.call_id, result: { ok: true, value: resultIn(item.output) } });
  }
  return answers;
}

/** Gives a run its results. Of a caller that sends everything that was said, those that it does not have yet. */
async function goOn(
  { input }: ResponseInput,
  answers: readonly CallAnswer[],
  { id: conversationId, last_seq: after }: Conversation,
  caller: Caller,
  services: Services,
): Promise<Place> {
  const waiting = (await waitingRuns(conversationId, services)).flatMap(({ calls }) => calls);
  const awaited = answers.filter((answer) => waiting.some(({ call_id }) => call_id === answer.call_id));
  const repeats = input.some(({ type }) => type === "function_call");
  const given = repeats && awaited.length > 0 ? awaited : answers;
  const runId = await runFor(conversationId, given, services);
  await answerCalls({ runId, conversationId }, given, caller, services);
  return { runId, after };
}

/** What a request asks. */
interface Asking {
  /** The user's message. */
  content: string;
  /** What was said before it. */
  before: { role: string; content: string }[];
  /** Instructions of the caller; "" for none. */
  told: string;
}

/** Throws a `Problem` if the input does not end with a message of the user. */
function askingIn({ input, instructions }: ResponseInput): Asking {
  const messages = input.flatMap((item) => (item.type === "message" ? [item] : []));
  const last = messages.at(-1);
  if (last?.role !== "user" || last.content === "")
    throw invalidInput([{ path: "/input", message: "must end with a message of the user or with results of calls" }]);
  const told = [instructions ?? "", ...messages.flatMap(({ role, content }) => (isRule(role) ? [content] : []))]
    .filter((text) => text !== "")
    .join("\n\n");
  boundContext("/instructions", told);
  return { content: last.content, before: messages.slice(0, -1).filter(({ role }) => !isRule(role)), told };
}

/** A transaction of 1,000 messages blocked everybody for 90 ms. */
const RECORDED_AT_ONCE = 100;

/** Records what was said before, then the user's message with the run that answers it. */
async function startTurn(
  { content, before, told, user, offered }: Asking & { user: string | null; offered: ToolDefinition[] },
  { id: conversationId }: Conversation,
  caller: Caller,
  services: Services,
): Promise<Place> {
  await refuseWaiting(conversationId, services);
  const events = before.map((message) => said(conversationId, message.role, message.content));
  const message_id = randomUUIDv7();
  const asking = { role: "user", ...(user !== null && { user_id: user }) };
  for (const event of [...events, { ...said(conversationId, "user", ""), id: message_id, payload: asking }])
    requireAuthority(caller, event);
  const by = recorderOf(caller);
  for (let start = 0; start < events.length; start += RECORDED_AT_ONCE)
    await services.log.append(events.slice(start, start + RECORDED_AT_ONCE), by);
  const { run_id } = await services.turns.take({
    ...{ conversation_id: conversationId, content, role: "user", operator: null, by },
    ...{ user_id: user, message_id, tools: offered },
    context: told === "" ? [] : [{ type: "data", kind: "instructions", data: told }],
  });
  if (run_id === null)
    throw new Problem(
      "conflict",
      "A manager has taken over the conversation; the message was recorded, and no run answers it.",
    );
  const [first] = await services.runs.events(run_id);
  return { runId: run_id, after: (first?.seq ?? 1) - 1 };
}

/** Messages that tell the agent how to be: they are data for it, as its own instructions stand. */
function isRule(role: string): boolean {
  return role === "system" || role === "developer";
}

function said(conversation_id: string, role: string, content: string): NewEvent & { conversation_id: string } {
  const id = randomUUIDv7();
  return {
    ...{ id, conversation_id, type: "message.created", actor: role === "user" ? "user" : null },
    ...{ agent_id: null, run_id: null, parent_run_id: null, caused_by: null, occurred_at: null },
    payload: { message_id: id, role, content },
  };
}

function echoOf(
  { instructions, previous_response_id, metadata, user }: ResponseInput,
  tools: NonNullable<ResponseInput["tools"]>,
): JsonObject {
  return {
    ...{ instructions: instructions ?? null, previous_response_id: previous_response_id ?? null },
    ...{ metadata: metadata ?? {}, user: user ?? null },
    tools: tools.map(({ type, name, description, parameters }) => ({
      ...{ type, name, description: description ?? null, strict: false },
      parameters: parameters === undefined ? null : jsonValue.parse(parameters),
    })),
  };
}

/** An error in OpenAI's form. */
function openAiError(problem: Problem): Response {
  const { status, headers } = problem.response();
  const [first] = problem.errors ?? [];
  const error = {
    message: problem.message,
    type: status === 429 ? "rate_limit_error" : status < 500 ? "invalid_request_error" : "server_error",
    param: first ? first.path.slice(1).replaceAll("/", ".") : null,
    code: status === 401 ? "invalid_api_key" : problem.code,
  };
  headers.set("content-type", "application/json");
  return new Response(JSON.stringify({ error }), { status, headers });
}
