import { z } from "zod";
import { actorOf } from "../../access/caller.ts";
import { identifier } from "../../session/catalogue.ts";
import { answerJson } from "../answer.ts";
import { conversation, problem } from "../answers.ts";
import { conversationParams, jsonObject, jsonValue, MAX_ENTRIES } from "../fields.ts";
import { jsonBody, noQuery, operation, optionalJsonBody } from "../operation.ts";
import { startedRun } from "../plan-answers.ts";

const edit = z.strictObject({
  instance: z.string().max(200).default("").describe("Whose state; the run's own where this is missing."),
  path: z.string().min(1, "must not be empty").describe("Where in the state: `†state.deal.amount`."),
  value: jsonValue,
});

const forkRequest = z.strictObject({
  // Storage refuses what is out of range, because only it can name the last step.
  at: z.int().describe("The step to go on from; 0 for an empty conversation."),
  title: z.string().max(500).optional().describe("The source's where this is missing."),
  edits: z.array(edit).max(MAX_ENTRIES).default([]).describe("Values to be written over the state at that step."),
  plan: z.array(jsonObject).optional().describe("Calls to be run in the fork, once a person says so."),
});

const runRequest = z.strictObject({
  mode: z
    .enum(["execute", "confirm", "shadow"])
    .default("confirm")
    .describe("`confirm`: the tools named, or all, wait for a person. `shadow`: nothing runs."),
  confirm: z
    .array(identifier)
    .default([])
    .describe("Tools that wait for a person in the mode `confirm`; none names all."),
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
    "Makes a new conversation that goes on from a step of this one, with edits. Open runs and confirmations are closed in it: nothing runs until a person says so.",
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
    const { at, title = null, edits, plan = null } = body;
    const forkId = await forks.fork(id, { at, title, edits, plan }, { actor: actorOf(requester.caller), signal });
    await audit({
      action: "conversation.forked",
      target: `conversation:${id}`,
      after: { conversation_id: forkId, at, paths: edits.map(({ path }) => path), plan: plan !== null },
    });
    return answerJson(await conversations.get(forkId), 201, {
      location: `/api/conversations/${encodeURIComponent(forkId)}`,
    });
  },
});

/** Runs what a fork has in hand, from its step on (E9). */
export const runFork = operation({
  name: "runFork",
  permission: "operate",
  method: "POST",
  path: "/api/conversations/{id}/fork/run",
  summary:
    "Starts the plan of a fork on its state with the edits. Calls that had succeeded as the plan has them are left out; all others wait for a person unless another mode is asked for.",
  params: conversationParams,
  query: noQuery,
  body: optionalJsonBody(runRequest),
  answers: {
    202: { description: "The run; its beginning is on disk.", schema: startedRun },
    ...unknown,
    409: {
      description: "It is no fork, has no plan, has all of it done, or has gone on since it was made.",
      type: "application/problem+json",
      schema: problem,
    },
    422: { description: "The plan has errors; nothing has begun.", type: "application/problem+json", schema: problem },
  },
  async run({ params: { id }, body, audit }, { forks }) {
    const run = await forks.run(id, body);
    await audit({
      action: "fork.run",
      target: `run:${run.run_id}`,
      after: { conversation_id: id, mode: body.mode, confirm: body.confirm },
    });
    return answerJson(run, 202);
  },
});
