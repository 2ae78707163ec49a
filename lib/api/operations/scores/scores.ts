import { z } from "zod";
import { actorOf, recorderOf } from "../../../access/caller.ts";
import { SCORE_SOURCES } from "../../../scores/score.ts";
import { score, scoreComment, scoreName, scoreValue } from "../../../scores/score-schema.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { answerJson, unknownConversation } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { conversationParams } from "../../fields.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { requirePart } from "../../session-part.ts";

const newScore = z
  .strictObject({
    conversation_id: identifier,
    seq: z.int().min(1).optional().describe("The step that it is about."),
    run_id: identifier.optional().describe("The run that it is about."),
    call_id: identifier.optional().describe("The call of this run that it is about."),
    name: scoreName.describe("What is judged: `rating`, `thumbs`, `faithfulness`."),
    value: scoreValue.describe("A number, true or false, or a category."),
    comment: scoreComment.optional(),
    source: z
      .enum(SCORE_SOURCES)
      .exclude(["evaluator"])
      .optional()
      .describe("By default `person` for a person and `program` for a key. A key cannot score as a person."),
  })
  .refine(({ call_id, run_id }) => call_id === undefined || run_id !== undefined, {
    path: ["run_id"],
    message: "is required with call_id",
  })
  .refine(({ seq, run_id }) => seq === undefined || run_id === undefined, {
    path: ["seq"],
    message: "cannot be combined with run_id: score the step, or the run or call",
  });

/** Scores a conversation, a run, a step or a call. */
export const postScore = operation({
  name: "postScore",
  permission: "ingest",
  method: "POST",
  path: "/api/scores",
  summary:
    "Scores a conversation, or one of its runs, steps or calls. It replaces what the same caller said of the same under the same name. Scores are stored beside the event log and add no step.",
  body: jsonBody(newScore),
  answers: {
    200: { description: "The score, new or replaced.", schema: score },
    400: refusal("The step, the run or the call does not exist."),
    404: refusal("The conversation does not exist."),
    409: refusal("The conversation has 1,000 scores, or is being erased."),
  },
  async run({ body, requester: { caller }, audit }, { scores, sessions }) {
    const { conversation_id, seq = null, run_id = null, call_id = null, name, value, comment, source } = body;
    const recorder = recorderOf(caller);
    if (source === "person" && recorder !== "person")
      throw new Problem("forbidden", "An API key cannot score as a person; omit source.");
    await requirePart(conversation_id, { run_id, call_id }, sessions);
    const stored = await scores.put(conversation_id, {
      ...{ seq, run_id, call_id, name, value, comment: comment || null },
      ...{ source: source ?? recorder, by: actorOf(caller) },
    });
    if (!stored) throw unknownConversation(conversation_id);
    if (recorder === "person")
      await audit({ action: "score.set", target: `conversation:${conversation_id}`, after: { score: name, seq } });
    return answerJson(stored);
  },
});

/** Lists the scores of a conversation. */
export const listScores = operation({
  name: "listScores",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/scores",
  summary: "Lists the scores of a conversation and of what is in it, oldest first.",
  params: conversationParams,
  answers: {
    200: { description: "All of them.", schema: z.object({ items: z.array(score) }) },
    404: refusal("The conversation does not exist."),
  },
  async run({ params: { id } }, { scores }) {
    const items = await scores.list(id);
    if (items === null) throw unknownConversation(id);
    return answerJson({ items });
  },
});

/** Deletes a score. */
export const deleteScore = operation({
  name: "deleteScore",
  permission: "operate",
  method: "DELETE",
  path: "/api/conversations/{id}/scores/{score}",
  summary: "Removes a score, if there is one.",
  params: conversationParams.extend({ score: z.string().max(100) }),
  answers: {
    204: { description: "There is no such score." },
    404: refusal("The conversation does not exist."),
  },
  async run({ params: { id, score }, audit }, { scores }) {
    if ((await scores.list(id)) === null) throw unknownConversation(id);
    const removed = await scores.remove(id, score);
    if (removed)
      await audit({
        action: "score.removed",
        target: `conversation:${id}`,
        before: { score: removed.name, by: removed.by },
      });
    return new Response(null, { status: 204 });
  },
});
