import { z } from "zod";
import { actorOf } from "../../../access/caller.ts";
import { identifier, plainText } from "../../../session/events/catalogue.ts";
import type { Json } from "../../../session/json/json.ts";
import { LARGEST_EXPECTED, MOST_CASES, MOST_EXPECTED, MOST_SUITES, suiteCase } from "../../../suites/case.ts";
import type { CaseText } from "../../../suites/case-work.ts";
import { expectation } from "../../../suites/expectations.ts";
import { answerJson } from "../../answers/answer.ts";
import { refusal } from "../../answers/answers.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { sessionCase } from "./session-case.ts";
import { suiteCaseRow, suiteName } from "./suite-answers.ts";
import { tooManySuites } from "./suites.ts";

const title = plainText.trim().min(1).max(500).optional();
const tags = z.array(plainText.trim().min(1).max(50)).max(20).optional();
const expected = z
  .array(expectation)
  .max(MOST_EXPECTED)
  .refine(
    (all) => JSON.stringify(all).length <= LARGEST_EXPECTED,
    `must have at most ${LARGEST_EXPECTED.toLocaleString("en")} characters`,
  )
  .optional()
  .describe("What must hold; by default, that the same calls are made.");

const place = {
  path: "/api/suites/{name}/cases/{id}",
  params: z.object({ name: identifier, id: identifier }),
} as const;

/** Saves a session as a case of a suite. */
export const postCase = operation({
  name: "postCase",
  permission: "operate",
  method: "POST",
  path: "/api/suites/{name}/cases",
  summary:
    "Saves a session as a case of a suite, which is made if it is missing. Secrets, cards, e-mail addresses and phone numbers are replaced. The case is erased with its conversation.",
  params: z.object({ name: suiteName }),
  body: jsonBody(
    z.strictObject({
      conversation_id: identifier,
      step: z.int().min(0).default(0).describe("The case begins with the first user's message after this step."),
      title: title.describe("By default the conversation's."),
      tags,
      expected,
    }),
  ),
  answers: {
    201: { description: "The case.", schema: suiteCaseRow.omit({ created_at: true, created_by: true }) },
    404: refusal("The conversation does not exist."),
    409: refusal(
      "The session cannot be a case, is being erased, is one of the suite already, the suite is full, or it is a suite too many.",
    ),
  },
  async run({ params: { name }, body, requester, audit }, services) {
    const { conversation_id, step, ...described } = body;
    const save = async () => {
      const epoch = await services.suites.epoch();
      const made = await sessionCase(
        conversation_id,
        { step, title: undefined, ...described, isFile: false },
        services,
      );
      const { content, id } = made.saved;
      const row = { ...rowOf(made.saved), conversation_id };
      const { users } = made.saved;
      const tools: Json = JSON.parse(JSON.stringify(made.tools));
      const done = await services.suites.addCase(name, { ...row, content, tools, users }, actorOf(requester.caller), {
        ...{ epoch, suites: MOST_SUITES, cases: MOST_CASES },
      });
      return { done, id, row };
    };
    let saved = await save();
    // When an erasure of others ends, nothing that was read before it counts as unchanged.
    if (saved.done === "erased") saved = await save();
    const { done, id, row } = saved;
    switch (done) {
      case "added":
        await audit({
          action: "suite_case.saved",
          target: `suite:${name}/${id}`,
          after: { conversation: conversation_id, step },
        });
        return answerJson(row, 201);
      case "erased":
        throw new Problem(
          "conflict",
          `The session ${conversation_id} is being erased or removed, so it cannot be saved as a case.`,
        );
      case "exists":
        throw new Problem(
          "conflict",
          `The suite ${name} has this session from step ${step} already; remove it there, or choose another step.`,
        );
      case "full":
        throw new Problem(
          "conflict",
          `The suite ${name} has ${MOST_CASES} cases, which is the most; remove one, or save it to another suite.`,
        );
      case "too_many_suites":
        throw tooManySuites();
      default:
        return done satisfies never;
    }
  },
});

/** Returns a case as it is in a suite's file. */
export const getCase = operation({
  ...place,
  name: "getCase",
  permission: "read",
  method: "GET",
  summary: "Returns a case: what users said, the recorded steps with their answers, and what must hold.",
  answers: {
    200: { description: "The case.", schema: suiteCase },
    404: refusal("The case does not exist."),
  },
  async run({ params: { name, id } }, { suites }) {
    const content = await suites.content(name, id);
    if (content === null) throw unknownCase(name, id);
    return new Response(content, { headers: { "content-type": "application/json", "cache-control": "no-store" } });
  },
});

/** Changes what a case is called, and what must hold in it. */
export const putCase = operation({
  ...place,
  name: "putCase",
  permission: "operate",
  method: "PUT",
  summary: "Changes a case's title, its tags or what must hold.",
  body: jsonBody(z.strictObject({ title, tags, expected })),
  answers: {
    200: { description: "The case.", schema: suiteCaseRow.omit({ created_at: true, created_by: true }) },
    404: refusal("The case does not exist."),
  },
  async run({ params: { name, id }, body, audit }, { suites, caseWork }) {
    // Again if another request changed the case meanwhile: its fields stay.
    for (;;) {
      const content = await suites.content(name, id);
      if (content === null) throw unknownCase(name, id);
      const done = await caseWork.do({ is: "change", content, fields: body });
      if (!done.ok) throw new Error(`The case ${id} cannot be changed: ${done.reason}`);
      const changed = done.case;
      const row = rowOf(changed);
      if (!(await suites.changeCase(name, { ...row, content: changed.content }, content))) continue;
      await audit({
        action: "suite_case.changed",
        target: `suite:${name}/${id}`,
        after: { fields: Object.keys(body) },
      });
      return answerJson({ ...row, conversation_id: changed.conversation_id });
    }
  },
});

/** Removes a case. */
export const deleteCase = operation({
  ...place,
  name: "deleteCase",
  permission: "operate",
  method: "DELETE",
  summary: "Removes a case, and what came of it in all runs.",
  answers: { 204: { description: "It is removed." }, 404: refusal("The case does not exist.") },
  async run({ params: { name, id }, audit }, { suites }) {
    if (!(await suites.removeCase(name, id))) throw unknownCase(name, id);
    await audit({ action: "suite_case.deleted", target: `suite:${name}/${id}` });
    return new Response(null, { status: 204 });
  },
});

/** The problem of a missing case. */
export function unknownCase(suite: string, id: string): Problem {
  return new Problem("not_found", `The suite ${suite} has no case ${id}.`);
}

function rowOf({ id, title, tags, calls }: CaseText) {
  return { id, title, tags, calls };
}
