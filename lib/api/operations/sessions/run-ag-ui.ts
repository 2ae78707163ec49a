import { type AGUIEvent, type Message, omitOptionalNulls, type RunAgentInput } from "@ag-ui/core";
import { RunAgentInputSchema } from "@ag-ui/core/schemas";
import { z } from "zod";
import type { Conversation } from "../../../../db/repositories.ts";
import { recorderOf } from "../../../access/caller.ts";
import type { CallAnswer } from "../../../engine/engine.ts";
import type { ToolDefinition } from "../../../engine/tools/tool-definition.ts";
import { yieldToEventLoop } from "../../../event-loop/yielding.ts";
import { AgUiTurnPrinter } from "../../../intake/ag-ui/print-turn.ts";
import type { Services } from "../../../server/services.ts";
import type { SessionEvent } from "../../../session/event.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { isJsonObject, type JsonObject } from "../../../session/json/json.ts";
import { jsonObject } from "../../../session/json/json-schema.ts";
import {
  boundContext,
  LONGEST_MESSAGE,
  offeredTools,
  openThread,
  resultIn,
  toolsOfRun,
} from "../../agent-runs/thread.ts";
import {
  answerCalls,
  pendingOf,
  refuseWaiting,
  runFor,
  type WaitingRun,
  waitingRuns,
} from "../../agent-runs/waiting-run.ts";
import { refusal } from "../../answers/answers.ts";
import { decideOne } from "../../decision.ts";
import { requireAuthority } from "../../event-authority.ts";
import { type Body, type Input, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { readJson } from "../../request/body.ts";
import { permit } from "../../request/requester.ts";
import { invalidInput, parse } from "../../sentences.ts";
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
  forwardedProps: z.unknown().optional(),
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
    const { said, results } = newIn(input);
    const resume = input.resume ?? [];
    if (said.length > MOST_SAID)
      throw new Problem(
        "invalid_input",
        `/messages ends with ${said.length} messages of the user, each of which is answered; send at most ${MOST_SAID} at once.`,
      );
    if (said.length + results.length + resume.length === 0)
      throw new Problem(
        "invalid_input",
        "/messages must end with a message of the user or with results of tools, unless /resume answers interrupts.",
      );
    const userId = userIn(body.forwardedProps);
    const thread = { conversationId: threadId, agentId: id, userId, channel: "ag-ui", named: "/threadId" };
    const conversation = await openThread(thread, requester.caller, services);
    // Ids of front ends are unique in their thread only.
    const messages = said.map((one) => ({ ...one, id: parse(identifier, `${threadId}:${one.id}`) }));
    const known = await services.events.seqs(
      threadId,
      messages.map((one) => one.id),
    );
    const isNew = messages.some((one) => !known.has(one.id));
    if (isNew && resume.length > 0)
      throw new Problem("invalid_input", "/messages has a new message beside /resume; send it when the run has ended.");
    const continued = await goOn(threadId, { results, resume }, isNew, { requester, audit }, services);
    const turn = { messages, isNew, tools, context: contextOf(state, body.context), userId };
    const continues = continued !== null && !isNew;
    const runId = continues ? continued : await startTurns(turn, conversation, requester, services);
    const events = await services.runs.events(runId);
    // The stream reads the state once more, and writes it: 25 ms for 14,000 keys.
    await yieldToEventLoop();
    const after = continues ? conversation.last_seq : (events[0]?.seq ?? 1) - 1;
    const names = toolsOfRun(events[0]);
    const printer = new AgUiTurnPrinter({ threadId, name: input.runId, runId, state, tools: names });
    for (const event of events) if (event.seq <= after) printer.skip(event);
    const writer = writerOf(printer);
    const followed = { conversationId: threadId, runId, after, signal };
    return new Response(streamRun(services, followed, writer, framesOf(printer.begin())), {
      headers: { "content-type": "text/event-stream", "cache-control": "no-cache, no-transform" },
    });
  },
});

interface Said {
  id: string;
  content: string;
}

type Requester = Input<unknown, unknown, unknown>["requester"];

type ToolMessage = Extract<Message, { role: "tool" }>;

/** What came after the agent's last message: results of its calls, and what the user said. Throws a `Problem`. */
function newIn({ messages }: RunAgentInput): { said: Said[]; results: ToolMessage[] } {
  const after = messages.findLastIndex(({ role }) => role === "assistant") + 1;
  const said: Said[] = [];
  const results: ToolMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (index < after) continue;
    if (message.role === "tool") results.push(message);
    if (message.role !== "user") continue;
    const content = textOf(message.content);
    const path = `/messages/${index}/content`;
    if (content === "") throw invalidInput([{ path, message: "must not be empty" }]);
    if (content.length > LONGEST_MESSAGE)
      throw new Problem("too_large", `${path} has ${content.length} characters; send at most ${LONGEST_MESSAGE}.`);
    said.push({ id: message.id, content });
  }
  return { said, results };
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

/** The user of a new conversation. What else front ends forward is for others. */
function userIn(forwarded: unknown): string | undefined {
  const given = z.object({ user_id: z.unknown() }).safeParse(forwarded);
  if (given.data?.user_id === undefined) return undefined;
  return parse(z.object({ forwardedProps: z.object({ user_id: identifier }) }), { forwardedProps: given.data })
    .forwardedProps.user_id;
}

function contextOf(state: JsonObject, context: RunInput["context"]): JsonObject[] {
  return [
    ...(Object.keys(state).length === 0 ? [] : [{ type: "data", kind: "state", data: state }]),
    ...(context.length === 0 ? [] : [{ type: "data", kind: "context", data: context.map((each) => ({ ...each })) }]),
  ];
}

/** Records what the user said, each message once, and starts the turns that answer. Returns the run of the last one, which is streamed. */
async function startTurns(
  { messages, isNew, userId, ...brought }: StartedTurns,
  conversation: Conversation,
  { caller }: Requester,
  services: Services,
): Promise<string> {
  const conversation_id = conversation.id;
  // A request that is sent again gets its run, whatever that waits for.
  if (isNew) await refuseWaiting(conversation_id, services);
  const user_id = userId ?? conversation.user_id;
  let runId: string | null = null;
  for (const { id: message_id, content } of messages) {
    requireAuthority(caller, {
      ...{ id: message_id, conversation_id, type: "message.created", actor: null },
      payload: { role: "user", ...(user_id !== null && { user_id }) },
    });
    const from = { role: "user" as const, operator: null, by: recorderOf(caller), user_id };
    runId = (await services.turns.take({ conversation_id, content, message_id, ...from, ...brought })).run_id;
  }
  if (runId === null)
    throw new Problem(
      "conflict",
      `${conversation.taken_over ? "A manager has taken over the conversation" : "No agent answers in the conversation"}; the message was recorded, and no run answers it.`,
    );
  return runId;
}

/** What starts turns. `isNew`: one of the messages was not recorded before. */
interface StartedTurns {
  messages: readonly Said[];
  isNew: boolean;
  tools: ToolDefinition[];
  context: JsonObject[];
  userId: string | undefined;
}

/**
 * Gives a run results of calls, answers to interrupts, or both; returns it. Results that nothing waits for are an error, unless
 * the user said something after them: then they were given before. Null: there is nothing to give.
 */
async function goOn(
  threadId: string,
  { results, resume }: { results: readonly ToolMessage[]; resume: NonNullable<RunAgentInput["resume"]> },
  isPast: boolean,
  { requester, audit }: Pick<Input<unknown, unknown, unknown>, "requester" | "audit">,
  services: Services,
): Promise<string | null> {
  const waiting = results.length > 0 ? await waitingRuns(threadId, services) : [];
  const answers = isPast && waiting.length === 0 ? [] : results.map((result) => answerOf(result, waiting));
  // Before anything is decided.
  const waits = answers.length > 0 ? await runFor(threadId, answers, services) : null;
  const decided = resume.length > 0 ? await decide(threadId, resume, { requester, audit }, services) : null;
  if (waits !== null)
    await answerCalls({ runId: waits, conversationId: threadId }, answers, requester.caller, services);
  return waits ?? decided;
}

/** A tool message as the result of a call. */
function answerOf({ toolCallId, content, error }: ToolMessage, waiting: WaitingRun[]): CallAnswer {
  const ids = waiting.flatMap(({ runId, calls }) =>
    calls.flatMap(({ call_id }) => (isCall(toolCallId, call_id, runId) ? [call_id] : [])),
  );
  const call_id = ids[0] ?? toolCallId;
  if (error !== undefined) return { call_id, result: { ok: false, error: { code: "tool_failed", message: error } } };
  return { call_id, result: { ok: true, value: resultIn(textOf(content)) } };
}

/** Calls of the same id in one run have longer names in AG-UI, see `CallNames`. */
function isCall(toolCallId: string, callId: string, runId: string): boolean {
  return toolCallId === callId || toolCallId.startsWith(`${callId}:${runId}:`);
}

/** Decides the confirmations that interrupted a run: all of them. Returns the run. */
async function decide(
  conversation_id: string,
  resume: NonNullable<RunAgentInput["resume"]>,
  decider: Pick<Input<unknown, unknown, unknown>, "requester" | "audit">,
  services: Services,
): Promise<string> {
  permit(decider.requester.caller, "decide");
  // All are read before the first is carried out.
  const decisions = resume.map(decisionOf);
  if (new Set(resume.map(({ interruptId }) => interruptId)).size < resume.length)
    throw new Problem("invalid_input", "/resume answers an interrupt twice; answer each once.");
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
  for (const { interruptId, ...input } of decisions) {
    const decided = await decideOne(interruptId, input, decider, services);
    if (decided.outcome === "refused") throw new Problem("conflict", decided.detail);
    if (decided.outcome === "unknown") throw new Problem("not_found", decided.detail);
  }
  return runId;
}

/** What an answer decides. Throws `invalid_input` for one that is not clear: it must not carry a risky call out. */
function decisionOf({ interruptId, status, payload }: NonNullable<RunAgentInput["resume"]>[number]) {
  const told: unknown = isJsonObject(payload) ? payload.approved : payload;
  const reason = isJsonObject(payload) && typeof payload.reason === "string" ? { reason: payload.reason } : {};
  if (status === "cancelled" || told === false) return { interruptId, decision: "deny" as const, ...reason };
  if (told === true) return { interruptId, decision: "approve" as const, ...reason };
  throw new Problem(
    "invalid_input",
    `The payload of ${interruptId} in /resume must be true, false, {"approved": true} or {"approved": false}.`,
  );
}

/** The most messages of a user that one request may add: each is a turn of its own. */
const MOST_SAID = 10;

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
