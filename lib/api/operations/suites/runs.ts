import { z } from "zod";
import type { SuiteCaseRow, SuiteRunRow } from "../../../../db/suites.ts";
import { actorOf, type Caller, may } from "../../../access/caller.ts";
import { type AgentDefinition, agentDefinition } from "../../../dialog/agent.ts";
import { versionOf } from "../../../dialog/agent-version.ts";
import type { Services } from "../../../server/services.ts";
import { identifier, plainText } from "../../../session/events/catalogue.ts";
import { listOf } from "../../../session/json/list.ts";
import { MOST_TRIES } from "../../../suites/case.ts";
import { compareRuns, type NumberedTry, type RunReport, runReport } from "../../../suites/run-report.ts";
import { tryBrief } from "../../../suites/try-brief.ts";
import { answerJson } from "../../answers/answer.ts";
import { page, refusal } from "../../answers/answers.ts";
import { jsonBody, operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";
import { parse } from "../../sentences.ts";
import { bytesStream } from "../../stream/bytes-stream.ts";
import { registeredVersion } from "./agent-versions.ts";
import { unknownCase } from "./cases.ts";
import { caseResultAnswer, suiteRun, suiteRunAnswer } from "./suite-answers.ts";
import { unknownSuite } from "./suites.ts";

/** So many runs are listed. */
const LISTED_RUNS = 50;

/** A version that was used in the last day is kept, also where its run is forgotten: its page may be open. */
const UNUSED_VERSION_MS = 86_400_000;

const ofSuite = z.object({ name: identifier });
const ofRun = z.object({ name: identifier, run: identifier });

/** Starts a run of a suite. */
export const postSuiteRun = operation({
  name: "postSuiteRun",
  permission: "test",
  method: "POST",
  path: "/api/suites/{name}/runs",
  summary:
    "Runs a suite against an agent in the background: as it is registered, with other instructions, or with another definition. Its tools are answered from the record, and nothing outside is changed. The model is asked, which costs tokens.",
  params: ofSuite,
  body: jsonBody(
    z.strictObject({
      agent_id: identifier,
      definition: agentDefinition.optional().describe("Instead of the registered one."),
      instructions: plainText.min(1).optional().describe("Instead of those of the registered agent."),
      model: plainText.trim().min(1).max(500).optional().describe("Another model of the same endpoint."),
      tries: z.int().min(1).max(MOST_TRIES).default(1).describe("Of each case."),
      unrecorded: z
        .enum(["nearest", "stub", "stop"])
        .default("stop")
        .describe("What answers calls that were not recorded."),
      cases: listOf(identifier)
        .min(1, "must have at least one case; omit it for all of them")
        .optional()
        .describe("Only these cases."),
    }),
  ),
  answers: {
    202: { description: "The run, which has begun or waits for others.", schema: suiteRun },
    404: refusal("The suite, the agent or a case does not exist."),
    409: refusal("The suite has no cases, or some were removed meanwhile."),
    429: refusal("Too many runs of suites wait."),
  },
  async run({ params: { name }, body, requester, audit }, services) {
    const { suites, suiteRuns, models } = services;
    const [known, cases] = await Promise.all([suites.has(name), suites.cases(name)]);
    if (!known) throw unknownSuite(name);
    const ids = cases.map(({ id }) => id);
    const missing = body.cases?.find((id) => !ids.includes(id));
    if (missing !== undefined) throw unknownCase(name, missing);
    const chosen = ids.filter((id) => body.cases?.includes(id) ?? true);
    if (ids.length === 0) throw new Problem("conflict", `The suite ${name} has no cases; save a session as one.`);
    const by = actorOf(requester.caller);
    const definition = definitionOf(body, services);
    const version = versionOf(toJson(definition));
    const run = await suiteRuns.begin(
      {
        ...{ suite: name, agent_id: body.agent_id, version, model: body.model ?? models.name, rule: body.unrecorded },
        ...{ tries: body.tries, cases: chosen, started_by: by },
      },
      toJson(definition),
    );
    if (run === "changed")
      throw new Problem("conflict", `Cases of the suite ${name} were removed meanwhile; run it again.`);
    if (run === "full")
      throw new Problem(
        "too_many_requests",
        "Too many runs of suites wait; cancel one, or try again when one has ended.",
        {
          headers: { "retry-after": "30" },
        },
      );
    await suites.addVersion({ agent_id: body.agent_id, version, definition: toJson(definition), created_by: by });
    await suites.forgetVersions(UNUSED_VERSION_MS);
    await audit({
      action: "suite_run.started",
      target: `suite:${name}`,
      after: { run: run.id, agent: body.agent_id, version, tries: body.tries, cases: chosen.length },
    });
    return answerJson(run, 202);
  },
});

/** Lists the runs of a suite. */
export const listSuiteRuns = operation({
  name: "listSuiteRuns",
  permission: "read",
  method: "GET",
  path: "/api/suites/{name}/runs",
  summary: `Lists the runs of a suite, the newest first: the ${LISTED_RUNS} that are kept.`,
  params: ofSuite,
  answers: {
    200: { description: "All of them, on one page.", schema: page(suiteRun) },
    404: refusal("The suite does not exist."),
  },
  async run({ params: { name } }, { suites }) {
    if (!(await suites.has(name))) throw unknownSuite(name);
    return answerJson({ items: await suites.runs(name, LISTED_RUNS), next: null, prev: null });
  },
});

/** Returns a run with what came of it so far. */
export const getSuiteRun = operation({
  name: "getSuiteRun",
  permission: "read",
  method: "GET",
  path: "/api/suites/{name}/runs/{run}",
  summary: "Returns a run with what came of its cases so far, and how that compares with another run.",
  params: ofRun,
  query: z.strictObject({
    against: identifier
      .optional()
      .describe("The run to compare with; by default the newest earlier one that finished."),
  }),
  answers: {
    200: { description: "The run.", schema: suiteRunAnswer },
    404: refusal("The run does not exist."),
  },
  async run({ params: { name, run: id }, query: { against } }, services) {
    const run = await runOf(name, id, services.suites);
    const other =
      against === undefined ? await earlierOf(run, services.suites) : await runOf(name, against, services.suites);
    const [report, compared] = await Promise.all([
      reportOf(run, services),
      other === null ? null : reportOf(other, services),
    ]);
    return answerJson({
      run,
      report,
      against: other && compared && { run: other, report: compared, comparison: compareRuns(compared, report) },
    });
  },
});

/** Returns what came of one case in a run, with each try's difference. */
export const getCaseResult = operation({
  name: "getCaseResult",
  permission: "read",
  method: "GET",
  path: "/api/suites/{name}/runs/{run}/cases/{id}",
  summary:
    "Returns the tries of a case in a run: steps beside the recorded ones, the state path by path, and what was checked.",
  params: ofRun.extend({ id: identifier }),
  answers: {
    200: { description: "The tries, by number.", schema: caseResultAnswer },
    404: refusal("The run or the case does not exist."),
  },
  async run({ params: { name, run: id, id: caseId } }, { suites }) {
    const run = await runOf(name, id, suites);
    const row = (await suites.cases(name)).find((one) => one.id === caseId);
    if (!row) throw unknownCase(name, caseId);
    return new Response(bytesStream(resultParts(run, row, suites)), {
      headers: { "content-type": "application/json", "cache-control": "no-store" },
    });
  },
});

/** The tries one after the other, as they are stored: each can have megabytes. */
async function* resultParts(
  run: SuiteRunRow,
  row: SuiteCaseRow,
  suites: Services["suites"],
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  yield encoder.encode(`{"run":${JSON.stringify(run)},"case":${JSON.stringify(row)},"items":[`);
  let separator = "";
  for (let number = 1; number <= run.tries; number += 1) {
    const result = await suites.result(run.id, row.id, number);
    if (result === null) continue;
    yield encoder.encode(`${separator}{"number":${number},"result":${result}}`);
    separator = ",";
  }
  yield encoder.encode("]}");
}

/** Cancels a run. */
export const cancelSuiteRun = operation({
  name: "cancelSuiteRun",
  permission: "test",
  method: "POST",
  path: "/api/suites/{name}/runs/{run}/cancel",
  summary: "Cancels a run: whoever started it, or an administrator. The tries that are done are kept.",
  params: ofRun,
  answers: {
    202: { description: "The run is cancelled.", schema: suiteRun },
    404: refusal("The run does not exist."),
    409: refusal("The run has already ended."),
  },
  async run({ params: { name, run: id }, requester, audit }, { suites, suiteRuns }) {
    const run = await runOf(name, id, suites);
    if (!mayCancel(run, requester.caller))
      throw new Problem(
        "forbidden",
        `${run.started_by} has started this run; only they and administrators can cancel it.`,
      );
    if (!(await suiteRuns.cancel(id))) throw new Problem("conflict", "The run has already ended.");
    await audit({ action: "suite_run.cancelled", target: `suite:${name}`, after: { run: id } });
    return answerJson((await suites.run(id)) ?? run, 202);
  },
});

function mayCancel({ started_by }: SuiteRunRow, caller: Caller): boolean {
  return started_by === actorOf(caller) || may(caller, "admin");
}

function definitionOf(
  {
    agent_id,
    definition,
    instructions,
  }: { agent_id: string; definition?: AgentDefinition | undefined; instructions?: string | undefined },
  { agents }: Pick<Services, "agents">,
): AgentDefinition {
  if (definition && instructions !== undefined)
    throw new Problem("invalid_input", "Send either a definition or instructions, not both.", {
      errors: [{ path: "/instructions", message: "cannot be combined with a definition" }],
    });
  if (definition) return definition;
  const registered = registeredVersion(agent_id, agents);
  if (!registered)
    throw new Problem(
      "not_found",
      `There is no agent ${agent_id}; list them with GET /api/agents, or send a definition.`,
    );
  return instructions === undefined
    ? registered.definition
    : parse(agentDefinition, { ...registered.definition, instructions });
}

async function runOf(suite: string, id: string, suites: Services["suites"]): Promise<SuiteRunRow> {
  const run = await suites.run(id);
  if (run?.suite !== suite) throw new Problem("not_found", `The suite ${suite} has no run ${id}.`);
  return run;
}

/** The newest run before this one that has finished. */
async function earlierOf({ suite, id }: SuiteRunRow, suites: Services["suites"]): Promise<SuiteRunRow | null> {
  const runs = await suites.runs(suite, LISTED_RUNS);
  return runs.find((one) => one.id < id && one.status === "finished") ?? null;
}

async function reportOf(run: SuiteRunRow, { suites, prices }: Pick<Services, "suites" | "prices">): Promise<RunReport> {
  const [cases, tries] = await Promise.all([suites.cases(run.suite), suites.tries(run.id)]);
  const byCase = new Map<string, NumberedTry[]>();
  for (const { case_id, number, brief } of tries) {
    const all = byCase.get(case_id) ?? [];
    byCase.set(case_id, all);
    all.push({ ...tryBrief.parse(JSON.parse(brief)), number });
  }
  const isOpen = run.status === "queued" || run.status === "running";
  const ofThis = cases
    .filter(({ id }) => run.cases.includes(id))
    .map(({ id, title, tags, conversation_id }) => ({ id, title, tags, conversation_id }));
  return runReport({ tries: run.tries, isOpen }, ofThis, byCase, prices);
}

function toJson(value: AgentDefinition) {
  return JSON.parse(JSON.stringify(value));
}
