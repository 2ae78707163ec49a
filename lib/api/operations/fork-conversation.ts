import { z } from "zod";
import { actorOf } from "../../access/caller.ts";
import { forkMode, identifier } from "../../session/catalogue.ts";
import { listOf } from "../../session/list.ts";
import { answerJson } from "../answer.ts";
import { conversation, problem } from "../answers.ts";
import { conversationParams, jsonObject, jsonValue, MAX_ENTRIES, numberParameter } from "../fields.ts";
import { jsonBody, noBody, noQuery, operation, optionalJsonBody } from "../operation.ts";
import { startedRun } from "../plan-answers.ts";
import { refuseSealedAgain } from "../plan-request.ts";

const edit = z.strictObject({
  instance: z.string().max(200).default("").describe("Whose state; the run's own where this is missing."),
  path: z.string().min(1, "must not be empty").describe("Where in the state: `†state.deal.amount`."),
  value: jsonValue,
});

const forkRequest = z.strictObject({
  // Storage refuses what is out of range, because only it can name the last step.
  at: z.int().describe("The step to go on from; 0 for an empty conversation."),
  title: z.string().max(500).optional().describe("The source's where this is missing."),
  edits: listOf(edit).max(MAX_ENTRIES).default([]).describe("Values to be written over the state at that step."),
  plan: listOf(jsonObject).optional().describe("Calls to be run in the fork, once a person says so."),
  mode: forkMode
    .default("shadow")
    .describe(
      "`shadow`: no tool is called; a call answers with what was recorded for it, or stays planned. `real`: the fork's calls are carried out.",
    ),
});

const modeRequest = z.strictObject({ mode: forkMode });

const runRequest = z.strictObject({
  mode: z
    .enum(["execute", "confirm", "shadow"])
    .optional()
    .describe(
      "`shadow`: no tool is called; a call answers with what was recorded for it, or stays planned. `confirm`: the tools named, or all, wait for a person. `execute`: only what is risky does. `confirm` and `execute` make the fork real. Missing: `shadow`, or `confirm` in a fork that is real.",
    ),
  confirm: listOf(identifier)
    .default([])
    .describe("Tools that wait for a person in the mode `confirm`; none names all."),
});

const startedForkRun = startedRun.extend({
  mode: z.enum(["execute", "confirm", "shadow"]).describe("How it runs."),
});

const unknown = {
  404: { description: "There is no such conversation.", type: "application/problem+json", schema: problem },
};

/** Goes on from a step of a conversation in a new one (E9). */
export const forkConversation = operation({
  name: "forkConversation",
  permission: "operate",
  method: "POST",
  path: "/api/conversations/{id}/fork",
  summary:
    "Makes a new conversation that goes on from a step of this one, with edits. Open runs and confirmations are closed in it: nothing runs until a person says so. It has a copy of its users' memory, a line of turns and confirmations of its own.",
  params: conversationParams,
  query: noQuery,
  body: jsonBody(forkRequest),
  answers: {
    201: { description: "The fork, all of it on disk.", schema: conversation },
    400: {
      description: "There is no such step, or an edit cannot be written.",
      type: "application/problem+json",
      schema: problem,
    },
    ...unknown,
    422: { description: "The plan has errors; there is no fork.", type: "application/problem+json", schema: problem },
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

/** Tells before a fork is made what is left to be run in it, and what this server lacks for that (E9). */
export const previewFork = operation({
  name: "previewFork",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/fork",
  summary:
    "Tells what a fork from a step would have to run: how much of its plan is left, and which of its tools this server does not have.",
  params: conversationParams,
  query: z.strictObject({ at: numberParameter(Number.MIN_SAFE_INTEGER).describe("The step to go on from.") }),
  body: noBody,
  answers: {
    200: {
      description: "What is left. Tools that are unknown answer with recorded results, and cannot be called for real.",
      schema: z.object({
        left: z
          .int()
          .describe("Calls that a run of the fork would start with; 0 where there is no plan or all of it is done."),
        unknown_tools: z.array(
          z.object({ name: z.string(), recorded: z.int().describe("Calls of it that ended in the source.") }),
        ),
      }),
    },
    400: { description: "There is no such step.", type: "application/problem+json", schema: problem },
    ...unknown,
  },
  async run({ params: { id }, query: { at } }, { forks }) {
    return answerJson(await forks.preview(id, at));
  },
});

/** Runs what a fork has in hand, from its step on (E9). */
export const runFork = operation({
  name: "runFork",
  permission: "operate",
  method: "POST",
  path: "/api/conversations/{id}/fork/run",
  summary:
    "Starts the plan of a fork on its state with the edits. Calls that had succeeded as the plan has them are left out; the others answer with recorded results, unless another mode is asked for.",
  params: conversationParams,
  query: noQuery,
  body: optionalJsonBody(runRequest),
  answers: {
    202: { description: "The run; its beginning is on disk.", schema: startedForkRun },
    ...unknown,
    409: {
      description: "It is no fork, has no plan, has all of it done, or has gone on since it was made.",
      type: "application/problem+json",
      schema: problem,
    },
    422: { description: "The plan has errors; nothing has begun.", type: "application/problem+json", schema: problem },
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

/** Has a fork's calls carried out, or simulated again (E9). */
export const setForkMode = operation({
  name: "setForkMode",
  permission: "operate",
  method: "POST",
  path: "/api/conversations/{id}/fork/mode",
  summary:
    "Has the calls of a fork carried out from now on (`real`), or simulated again (`shadow`). It is recorded in the fork as fork.mode_changed. Runs that have begun go on as they began.",
  params: conversationParams,
  query: noQuery,
  body: jsonBody(modeRequest),
  answers: {
    200: { description: "The fork.", schema: conversation },
    ...unknown,
    409: { description: "It is no fork.", type: "application/problem+json", schema: problem },
  },
  async run({ params: { id }, body: { mode }, requester, audit }, { forks, conversations }) {
    const { changed } = await forks.setMode(id, mode, actorOf(requester.caller));
    if (changed) await audit({ action: "fork.mode_changed", target: `conversation:${id}`, after: { mode } });
    return answerJson(await conversations.get(id));
  },
});
