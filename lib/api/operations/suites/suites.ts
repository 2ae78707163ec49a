import { z } from "zod";
import { actorOf } from "../../../access/caller.ts";
import { identifier } from "../../../session/events/catalogue.ts";
import { MOST_CASES, MOST_SUITES } from "../../../suites/case.ts";
import { answerJson } from "../../answers/answer.ts";
import { page, refusal } from "../../answers/answers.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { suiteCaseRow, suiteName, suiteRow, suiteRun } from "./suite-answers.ts";

/** So many runs are told with a suite, the newest first. */
const TOLD_RUNS = 20;

const params = z.object({ name: identifier });

/** The problem of a missing suite. */
export function unknownSuite(name: string): Problem {
  return new Problem("not_found", `There is no suite ${name}; list them with GET /api/suites.`);
}

/** The problem of a suite too many. */
export function tooManySuites(): Problem {
  return new Problem("conflict", `There are ${MOST_SUITES} suites, which is the most; remove one that is not needed.`);
}

/** Lists the suites. */
export const listSuites = operation({
  name: "listSuites",
  permission: "read",
  method: "GET",
  path: "/api/suites",
  summary: "Lists the suites, each with its newest run.",
  answers: { 200: { description: "All of them, on one page.", schema: page(suiteRow) } },
  run: async (_input, { suites }) => answerJson({ items: await suites.list(), next: null, prev: null }),
});

/** Makes a suite without cases. */
export const createSuite = operation({
  name: "createSuite",
  permission: "operate",
  method: "POST",
  path: "/api/suites",
  summary: "Makes an empty suite. Saving a case makes its suite, too.",
  body: jsonBody(z.strictObject({ name: suiteName })),
  answers: {
    201: { description: "The suite.", schema: z.object({ name: z.string() }) },
    409: refusal(`There is a suite of this name, or there are ${MOST_SUITES} suites.`),
  },
  async run({ body: { name }, requester, audit }, { suites }) {
    const done = await suites.create(name, actorOf(requester.caller), MOST_SUITES);
    switch (done) {
      case "created":
        await audit({ action: "suite.created", target: `suite:${name}` });
        return answerJson({ name }, 201);
      case "exists":
        throw new Problem("conflict", `There is a suite ${name} already; choose another name.`);
      case "full":
        throw tooManySuites();
      default:
        return done satisfies never;
    }
  },
});

/** Returns a suite with its cases and newest runs. */
export const getSuite = operation({
  name: "getSuite",
  permission: "read",
  method: "GET",
  path: "/api/suites/{name}",
  summary: "Returns a suite: its cases, in the order in which they were saved, and its newest runs.",
  params,
  answers: {
    200: {
      description: `The suite: at most ${MOST_CASES} cases, and ${TOLD_RUNS} runs, the newest first.`,
      schema: z.object({ name: z.string(), cases: z.array(suiteCaseRow), runs: z.array(suiteRun) }),
    },
    404: refusal("The suite does not exist."),
  },
  async run({ params: { name } }, { suites }) {
    const [known, cases, runs] = await Promise.all([
      suites.has(name),
      suites.cases(name),
      suites.runs(name, TOLD_RUNS),
    ]);
    if (!known) throw unknownSuite(name);
    return answerJson({ name, cases, runs });
  },
});

/** Removes a suite with its cases and runs. */
export const deleteSuite = operation({
  name: "deleteSuite",
  permission: "admin",
  method: "DELETE",
  path: "/api/suites/{name}",
  summary: "Removes a suite with its cases, and its runs with their results.",
  params,
  answers: { 204: { description: "It is removed." }, 404: refusal("The suite does not exist.") },
  async run({ params: { name }, audit }, { suites }) {
    if (!(await suites.remove(name))) throw unknownSuite(name);
    await audit({ action: "suite.deleted", target: `suite:${name}` });
    return new Response(null, { status: 204 });
  },
});
