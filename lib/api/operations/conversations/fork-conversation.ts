import { z } from "zod";
import { actorOf } from "../../../access/caller.ts";
import { forkMode, identifier } from "../../../session/events/catalogue.ts";
import { isJsonObject } from "../../../session/json/json.ts";
import { jsonObject, jsonValue } from "../../../session/json/json-schema.ts";
import { listOf, plainListOf } from "../../../session/json/list.ts";
import { answerJson } from "../../answers/answer.ts";
import { conversation, refusal } from "../../answers/answers.ts";
import { startedRun } from "../../answers/plan-answers.ts";
import { conversationParams, MAX_ENTRIES, numberParameter } from "../../fields.ts";
import { jsonBody, operation, optionalJsonBody } from "../../operation.ts";
import { refuseSealedAgain } from "../../plan-request.ts";

const edit = z.strictObject({
  instance: z
    .string()
    .max(200)
    .default("")
    .describe("The instance whose state is edited; by default the run's own state."),
  path: z.string().min(1, "must not be empty").describe("The state path: `†state.deal.amount`."),
  value: jsonValue,
});

const forkRequest = z.strictObject({
  // Storage checks the range, because only it knows the last step.
  at: z.int().describe("The step to continue from; 0 for an empty conversation."),
  title: z.string().max(500).optional().describe("By default the source's title."),
  edits: listOf(edit).max(MAX_ENTRIES).default([]).describe("Values to write to the state at that step."),
  plan: plainListOf(jsonObject, isJsonObject)
    .optional()
    .describe("Calls to run in the fork once a person starts them."),
  mode: forkMode
    .default("shadow")
    .describe(
      "`shadow`: no tool is called; calls return recorded results, or stay planned. `real`: the fork's calls are carried out.",
    ),
});

const modeRequest = z.strictObject({ mode: forkMode });

const runRequest = z.strictObject({
  mode: z
    .enum(["execute", "confirm", "shadow"])
    .optional()
    .describe(
      "`shadow`: no tool is called; calls return recorded results, or stay planned. `confirm`: the named tools, or all, require approval. `execute`: only risky calls require approval. `confirm` and `execute` make the fork real. Default: `shadow`, or `confirm` in a real fork.",
    ),
  confirm: listOf(identifier).default([]).describe("Tools that require approval in mode `confirm`; empty for all."),
});

const startedForkRun = startedRun.extend({
  mode: z.enum(["execute", "confirm", "shadow"]).describe("The mode of the run."),
});

const unknown = {
  404: refusal("The conversation does not exist."),
};

/** Forks a conversation at a step (E9). */
export const forkConversation = operation({
  name: "forkConversation",
  permission: "operate",
  method: "POST",
  path: "/api/conversations/{id}/fork",
  summary:
    "Forks a conversation at a step, with edits. Open runs and confirmations are closed in the fork, and nothing runs until a person starts it. The fork has its own copy of its users' memory, its own turns and its own confirmations.",
  params: conversationParams,
  body: jsonBody(forkRequest),
  answers: {
    201: { description: "The fork.", schema: conversation },
    400: refusal("The step does not exist, or an edit cannot be written."),
    ...unknown,
    422: refusal("The plan is invalid; no fork was created."),
  },
  async run({ params: { id }, body, signal, requester, audit }, { forks, conversations }) {
    const { at, title = null, edits, plan = null, mode } = body;
    const actor = actorOf(requester.caller);
    const forkId = await forks.fork(id, { at, title, edits, plan }, { actor, signal });
    await forks.setMode(forkId, mode, actor);
    await audit({
      action: "conversation.forked",
      target: `conversation:${id}`,
      after: { conversation_id: forkId, at, paths: edits.map(({ path }) => path), plan: plan !== null, mode },
    });
    return answerJson(await conversations.get(forkId), 201, {
      location: `/api/conversations/${encodeURIComponent(forkId)}`,
    });
  },
});

/** Returns what a fork would have left to run, and what this server lacks for it, before it is created (E9). */
export const previewFork = operation({
  name: "previewFork",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/fork",
  summary: "Previews a fork: how many calls of its plan remain, and which tools this server lacks.",
  params: conversationParams,
  query: z.strictObject({ at: numberParameter(Number.MIN_SAFE_INTEGER).describe("The step to continue from.") }),
  answers: {
    200: {
      description: "The remaining work. Unknown tools return recorded results and cannot be called.",
      schema: z.object({
        left: z.int().describe("Calls that a run of the fork would start; 0 if there is no plan or it is finished."),
        unknown_tools: z.array(
          z.object({ name: z.string(), recorded: z.int().describe("Calls that ended in the source.") }),
        ),
      }),
    },
    400: refusal("The step does not exist."),
    ...unknown,
  },
  async run({ params: { id }, query: { at } }, { forks }) {
    return answerJson(await forks.preview(id, at));
  },
});

/** Runs a fork's remaining calls (E9). */
export const runFork = operation({
  name: "runFork",
  permission: "operate",
  method: "POST",
  path: "/api/conversations/{id}/fork/run",
  summary:
    "Runs the plan of a fork on its edited state. Calls that already succeeded are skipped; the others return recorded results unless another mode is requested.",
  params: conversationParams,
  body: optionalJsonBody(runRequest),
  answers: {
    202: { description: "The run was started.", schema: startedForkRun },
    ...unknown,
    409: refusal("The conversation is not a fork, has no plan, its plan is finished, or it has new events."),
    422: refusal("The plan is invalid; nothing was started."),
  },
  async run({ params: { id }, body: { mode = null, confirm }, requester, audit }, { forks }) {
    const run = await forks.run(id, {
      ...{ mode, confirm, actor: actorOf(requester.caller) },
      admit: (tools) => refuseSealedAgain(tools, requester.caller),
    });
    await audit({
      action: "fork.run",
      target: `run:${run.run_id}`,
      after: { conversation_id: id, mode: run.mode, confirm },
    });
    return answerJson(run, 202);
  },
});

/** Sets whether a fork's calls are executed or simulated (E9). */
export const setForkMode = operation({
  name: "setForkMode",
  permission: "operate",
  method: "POST",
  path: "/api/conversations/{id}/fork/mode",
  summary:
    "Sets whether calls of a fork are carried out (`real`) or simulated (`shadow`). Recorded as fork.mode_changed. Does not affect runs in progress.",
  params: conversationParams,
  body: jsonBody(modeRequest),
  answers: {
    200: { description: "The fork.", schema: conversation },
    ...unknown,
    409: refusal("The conversation is not a fork."),
  },
  async run({ params: { id }, body: { mode }, requester, audit }, { forks, conversations }) {
    const { changed } = await forks.setMode(id, mode, actorOf(requester.caller));
    if (changed) await audit({ action: "fork.mode_changed", target: `conversation:${id}`, after: { mode } });
    return answerJson(await conversations.get(id));
  },
});
