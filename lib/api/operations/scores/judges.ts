import { z } from "zod";
import { actorOf } from "../../../access/caller.ts";
import { type Judge, judge, judgedBy, judgement, MOST_JUDGES } from "../../../scores/judge.ts";
import type { Services } from "../../../server/services.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { answerJson } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { changesOf, digestOf } from "../../audited.ts";
import { conversationParams } from "../../fields.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";

/** A judge, with what it did today. */
export const judgeAnswer = judge.extend({
  today: z
    .object({ scores: z.int(), tokens: z.int(), cost: z.number() })
    .describe("Scores that it gave since midnight, UTC, the tokens used for them, and what they cost."),
});

const DAY_MS = 86_400_000;

async function toAnswer(one: Judge, { scores }: Pick<Services, "scores">): Promise<z.infer<typeof judgeAnswer>> {
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return { ...one, today: await scores.spent(judgedBy(one.name), midnight) };
}

/** Lists the judges. */
export const listJudges = operation({
  name: "listJudges",
  permission: "read",
  method: "GET",
  path: "/api/judges",
  summary: "Lists the models that score turns when they have ended, with what they did today.",
  answers: { 200: { description: "All of them.", schema: z.object({ items: z.array(judgeAnswer) }) } },
  async run(_input, services) {
    return answerJson({ items: await Promise.all(services.judges.list().map((one) => toAnswer(one, services))) });
  },
});

/** Writes a judge. */
export const putJudge = operation({
  name: "putJudge",
  permission: "admin",
  method: "PUT",
  path: "/api/judges/{name}",
  summary:
    "Writes a model that scores turns when they have ended: what it is asked, on which scale it answers, which part of turns it judges, and how many tokens, and how much money, it may use on a day. It judges turns that end from now on. To stop it, set `enabled` to false.",
  params: z.object({ name: identifier }),
  body: jsonBody(judge.omit({ name: true })),
  answers: {
    200: { description: "The judge.", schema: judgeAnswer },
    201: { description: "The judge, which is new.", schema: judgeAnswer },
    409: refusal(`There are ${MOST_JUDGES} judges.`),
  },
  async run({ params: { name }, body, requester, audit }, services) {
    const { judges } = services;
    const before = judges.find(name);
    if (!before && judges.list().length >= MOST_JUDGES)
      throw new Problem("conflict", `There are ${MOST_JUDGES} judges; change one of them instead.`);
    const written = { ...body, name };
    const isNew = await judges.put(written, actorOf(requester.caller));
    await audit({
      action: "judge.written",
      target: `judge:${name}`,
      ...changesOf(before && auditedFields(before), auditedFields(written)),
    });
    return answerJson(await toAnswer(written, services), isNew ? 201 : 200);
  },
});

/** Removes a judge. */
export const deleteJudge = operation({
  name: "deleteJudge",
  permission: "admin",
  method: "DELETE",
  path: "/api/judges/{name}",
  summary: "Removes a judge; the scores that it gave stay.",
  params: z.object({ name: identifier }),
  answers: { 204: { description: "It is removed." }, 404: refusal("There is no such judge.") },
  async run({ params: { name }, requester, audit }, { judges }) {
    const before = judges.find(name);
    if (!before || !(await judges.remove(name, actorOf(requester.caller))))
      throw new Problem("not_found", `There is no judge ${name}; list them with GET /api/judges.`);
    await audit({ action: "judge.removed", target: `judge:${name}`, before: auditedFields(before) });
    return new Response(null, { status: 204 });
  },
});

/** Without its texts, which are content. */
function auditedFields({ name: _, prompt, rubric, scale, ...fields }: Judge) {
  return { ...fields, prompt: digestOf(prompt), rubric: digestOf(rubric), scale: JSON.stringify(scale) };
}

/** How a model came to a score. */
export const getJudgement = operation({
  name: "getJudgement",
  permission: "read",
  method: "GET",
  path: "/api/conversations/{id}/scores/{score}/judgement",
  summary: "Returns what a model was asked and answered that gave a score, with the tokens and their cost.",
  params: conversationParams.extend({ score: z.string().min(1).max(100) }),
  answers: {
    200: { description: "What it was asked and answered.", schema: judgement },
    404: refusal("There is no such score, or no model gave it."),
  },
  async run({ params: { id, score } }, { scores }) {
    const found = await scores.judgement(id, score);
    if (!found) throw new Problem("not_found", `No model gave the score ${score} of ${id}.`);
    return answerJson(found);
  },
});
