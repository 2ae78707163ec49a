import { type AGUIEvent, type Message, omitOptionalNulls, type RunAgentInput } from "@ag-ui/core";
import { RunAgentInputSchema } from "@ag-ui/core/schemas";
import { z } from "zod";
import type { Conversation } from "../../../../db/repositories.ts";
import { recorderOf } from "../../../access/caller.ts";
import type { CallAnswer } from "../../../engine/engine.ts";
import { AgUiTurnPrinter } from "../../../intake/ag-ui/print-turn.ts";
import type { Services } from "../../../server/services.ts";
import { identifier } from "../../../session/catalogue.ts";
import type { SessionEvent } from "../../../session/event.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import { boundContext, LONGEST_MESSAGE, offeredTools, openThread, toolsOfRun } from "../../agent-runs/thread.ts";
import {
  answerCalls,
  pendingOf,
  refuseWaiting,
  runFor,
  type WaitingRun,
  waitingRuns,
} from "../../agent-runs/waiting-run.ts";
import { refusal } from "../../answers/answers.ts";
import { readJson } from "../../body.ts";
import { decideOne } from "../../decision.ts";
import { requireAuthority } from "../../event-authority.ts";
import { jsonObject, jsonValue } from "../../fields.ts";
import { type Body, type Input, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { permit } from "../../requester.ts";
import { parse } from "../../sentences.ts";
import { type RunWriter, streamRun } from "../../stream/follow-run.ts";

/** More messages than a conversation on a screen has; only the newest are read. */
const MOST_MESSAGES = 10_000;

/** What this server reads of an input beside AG-UI's own schema. */
const ours = z.object({
  threadId: identifier,
  runId: identifier,
  state: jsonObject.optional(),
  messages: z.array(z.unknown()).max(MOST_MESSAGES, `must have at most ${MOST_MESSAGES} messages`),
  context: z.array(z.object({ description: z.string(), value: z.string() })).default([]),
  forwardedProps: z.object({ user_id: identifier.optional() }).optional().catch(undefined),
});

const inputBody: Body<RunInput> = {
  content: { "application/json": ours },
  async read(request) {
    const body = omitOptionalNulls(await readJson(request), "RunAgentInput");
    return { ...parse(ours, body), input: parse(RunAgentInputSchema, body) };
  },
};

type RunInput = z.infer<typeof ours> & { input: RunAgentInput };

/** Runs an agent for a front end that speaks AG-UI. */
export const runAgUi = operation({
  name: "runAgUi",
  permission: "ingest",
  method: "POST",
  path: "/api/agents/{id}/ag-ui",
  summary:
    "Runs an agent for an AG-UI front end: takes a RunAgentInput and streams the run as AG-UI events (server-sent events). threadId is the conversation. Tools of the input are carried out by the front end: the run ends with their calls, and the next request with tool messages continues it. Approvals are interrupts; answering them by resume requires the scope decide. A client that disconnects does not end the run; the same request again streams it from its start.",
  params: z.object({ id: identifier }),
  body: inputBody,
  answers: {
    200: { description: "AG-UI events. The last one is RUN_FINISHED or RUN_ERROR.", type: "text/event-stream" },
    404: refusal("The agent does not exist."),
    409: refusal("Another agent answers in this thread, or a run of it waits for results of calls."),
  },
  async run({ params: { id }, body, requester, audit, signal }, services) {
    const { threadId, input } = body;
    const tools = offeredTools(input.tools, id, services);
    const state = body.state ?? {};
    boundContext("/state", state);
    boundContext("/context", body.context);
    const followed = { ...parts(input), tools, state };
    const resumes = followed.results.length > 0 || (input.resume ?? []).length > 0;
    if (!resumes && followed.said.length === 0)
      throw new Problem(
        "invalid_input",
        "/messages must end with a message of the user or with results of tools, unless /resume answers interrupts.",
      );
    for (const { content } of followed.said)
      if (content.length > LONGEST_MESSAGE)
        throw new Problem("too_large", `A message has ${content.length} characters; send at most ${LONGEST_MESSAGE}.`);
    const thread = { conversationId: threadId, agentId: id, userId: body.forwardedProps?.user_id, channel: "ag-ui" };
    const conversation = await openThread(thread, requester.caller, services);
    const place = resumes
      ? await goOn(body, followed.results, conversation.last_seq, { requester, audit }, services)
      : await startTurns(body, followed, conversation, requester, services);
    const events = await services.runs.events(place.runId);
    const names = toolsOfRun(events[0]);
    const printer = new AgUiTurnPrinter({ threadId, name: input.runId, runId: place.runId, state, tools: names });
    for (const event of events) if (event.seq <= place.after) printer.skip(event);
    const writer = writerOf(printer);
    return new Response(
      streamRun(services, { conversationId: threadId, ...place, signal }, writer, framesOf(printer.begin())),
      { headers: { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" } },
    );
  },
});

/** A run, and the step after which it is streamed. */
interface Place {
  runId: string;
  after: number;
}

interface Said {
  id: string;
  content: string;
}

type Requester = Input<unknown, unknown, unknown>["requester"];

/** The end of the input's messages: what the user said since the agent, or the results of the agent's calls. */
function parts({ messages }: RunAgentInput): { said: Said[]; results: Extract<Message, { role: "tool" }>[] } {
  const said: Said[] = [];
  const results: Extract<Message, { role: "tool" }>[] = [];
  for (const message of messages.toReversed()) {
    if (message.role === "user") said.unshift({ id: message.id, content: textOf(message.content) });
    else if (message.role === "tool" && said.length === 0) results.unshift(message);
    else if (message.role !== "reasoning" && message.role !== "activity") break;
    else continue;
    if (said.length > 0 && results.length > 0) break;
  }
  return said.length > 0 ? { said, results: [] } : { said, results };
}

/** Throws a `Problem` for what the agents' models are not given. */
function textOf(content: string | readonly { type: string; text?: string }[]): string {
  if (typeof content === "string") return content;
  return content
    .map((part) => {
      if (part.type === "text") return part.text ?? "";
      throw new Problem("invalid_input", `A message has a part of the type ${part.type}; agents read only text.`);
    })
    .join("\n\n");
}

/** Records what the user said, each message once, and starts the turns that answer. The last one is streamed. */
async function startTurns(
  { threadId, context, forwardedProps }: RunInput,
  { said, tools, state }: { said: readonly Said[]; tools: ReturnType<typeof offeredTools>; state: JsonObject },
  conversation: Conversation,
  { caller }: Requester,
  services: Services,
): Promise<Place> {
  // Ids of front ends are unique in their thread only.
  const messages = said.map(({ id, content }) => ({ id: parse(identifier, `${threadId}:${id}`), content }));
  const ids = messages.map(({ id }) => id);
  const known = await services.events.seqs(threadId, ids);
  // A request that is sent again gets its run, whatever that waits for.
  if (ids.some((id) => !known.has(id))) await refuseWaiting(threadId, services);
  const told = [
    ...(Object.keys(state).length === 0 ? [] : [{ type: "data", kind: "state", data: state }]),
    ...(context.length === 0 ? [] : [{ type: "data", kind: "context", data: context.map((each) => ({ ...each })) }]),
  ];
  const user = forwardedProps?.user_id ?? conversation.user_id;
  let runId: string | null = null;
  for (const { id: message_id, content } of messages) {
    requireAuthority(caller, {
      ...{ id: message_id, conversation_id: threadId, type: "message.created", actor: null },
      payload: { role: "user", ...(user !== null && { user_id: user }) },
    });
    const from = { operator: null, by: recorderOf(caller), user_id: user };
    const turn = { conversation_id: threadId, content, role: "user" as const, message_id, tools, context: told };
    runId = (await services.turns.take({ ...turn, ...from })).run_id;
  }
  if (runId === null)
    throw new Problem(
      "conflict",
      `${conversation.taken_over ? "A manager has taken over the conversation" : "No agent answers in the conversation"}; the message was recorded, and no run answers it.`,
    );
  const [first] = await services.runs.events(runId);
  return { runId, after: (first?.seq ?? 1) - 1 };
}

/** Continues a run with results of calls, answers to interrupts, or both. */
async function goOn(
  { threadId, input: { resume = [] } }: RunInput,
  results: readonly Extract<Message, { role: "tool" }>[],
  after: number,
  { requester, audit }: Pick<Input<unknown, unknown, unknown>, "requester" | "audit">,
  services: Services,
): Promise<Place> {
  const waiting = await waitingRuns(threadId, services);
  const answers = results.map((result) => answerOf(result, waiting));
  // Before anything is decided.
  const waits = answers.length > 0 ? await runFor(threadId, answers, services) : null;
  const decided = resume.length > 0 ? await decide(threadId, resume, { requester, audit }, services) : null;
  if (waits !== null)
    await answerCalls({ runId: waits, conversationId: threadId }, answers, requester.caller, services);
  const runId = waits ?? decided;
  if (runId === null) throw new Error("A request continues a run with nothing");
  return { runId, after };
}

/** A tool message as the result of a call. Text that is JSON is read as such. */
function answerOf(
  { toolCallId, content, error }: Extract<Message, { role: "tool" }>,
  waiting: WaitingRun[],
): CallAnswer {
  const ids = waiting.flatMap(({ runId, calls }) =>
    calls.flatMap(({ call_id }) => (isCall(toolCallId, call_id, runId) ? [call_id] : [])),
  );
  const call_id = ids[0] ?? toolCallId;
  if (error !== undefined) return { call_id, result: { ok: false, error: { code: "tool_failed", message: error } } };
  return { call_id, result: { ok: true, value: readValue(textOf(content)) } };
}

/** Calls of the same id in one run have longer names in AG-UI, see `CallNames`. */
function isCall(toolCallId: string, callId: string, runId: string): boolean {
  return toolCallId === callId || toolCallId.startsWith(`${callId}:${runId}:`);
}

function readValue(text: string): Json {
  try {
    return parse(jsonValue, JSON.parse(text));
  } catch {
    return text;
  }
}

/** Decides the confirmations that interrupted a run: all of them. Returns the run. */
async function decide(
  conversation_id: string,
  resume: NonNullable<RunAgentInput["resume"]>,
  decider: Pick<Input<unknown, unknown, unknown>, "requester" | "audit">,
  services: Services,
): Promise<string> {
  permit(decider.requester.caller, "decide");
  const { items } = await services.confirmations.list({ status: "requested", conversation_id, limit: MOST_INTERRUPTS });
  const asked = items.find(({ id }) => resume.some(({ interruptId }) => interruptId === id));
  const runId = asked?.run_id ?? null;
  if (runId === null)
    throw new Problem("conflict", `The interrupt ${resume[0]?.interruptId} is not pending in this thread.`);
  const unknown = resume.find(
    ({ interruptId }) => !items.some(({ id, run_id }) => id === interruptId && run_id === runId),
  );
  if (unknown) throw new Problem("conflict", `The interrupt ${unknown.interruptId} is not pending in this run.`);
  const missing = (await pendingOf(runId, conversation_id, services)).filter(
    (id) => !resume.some(({ interruptId }) => interruptId === id),
  );
  if (missing.length > 0)
    throw new Problem(
      "invalid_input",
      `The run waits for other answers as well: to ${missing.join(", ")}; send all in /resume.`,
    );
  for (const { interruptId, status, payload } of resume) {
    const isDenied =
      status === "cancelled" || payload === false || (isJsonObject(payload) && payload.approved === false);
    const reason = isJsonObject(payload) && typeof payload.reason === "string" ? { reason: payload.reason } : {};
    const input = { decision: isDenied ? ("deny" as const) : ("approve" as const), ...reason };
    const decided = await decideOne(interruptId, input, decider, services);
    if (decided.outcome === "refused") throw new Problem("conflict", decided.detail);
    if (decided.outcome === "unknown") throw new Problem("not_found", decided.detail);
  }
  return runId;
}

/** The most calls that are parked at a time and can be answered here. */
const MOST_INTERRUPTS = 200;

function writerOf(printer: AgUiTurnPrinter): RunWriter {
  return {
    event: (event: SessionEvent) => framesOf(printer.print(event)),
    draft: (draft) => framesOf(printer.draft(draft)),
    get isOver() {
      return printer.isOver;
    },
    end: () => framesOf(printer.end()),
  };
}

function framesOf(events: readonly AGUIEvent[]): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
}
