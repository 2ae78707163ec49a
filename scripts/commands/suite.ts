import { existsSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { readConfig } from "../../lib/server/config.ts";
import { createLogger, escapeControls } from "../../lib/server/logger.ts";
import { StartupError } from "../../lib/server/startup-error.ts";
import { readAgent, readSuite, runSuiteHere } from "../../lib/server/wiring/suites.ts";
import { MOST_CASES, MOST_TRIES, recordedSteps, type SuiteCase } from "../../lib/suites/case.ts";
import type { UnrecordedRule } from "../../lib/suites/recorded-answers.ts";
import { answersOf, firstOf, junitReport, markdownReport, triesOf } from "../../lib/suites/report.ts";
import { type CaseResult, reasonsOf, type SuiteResult } from "../../lib/suites/result.ts";
import { type Suite, suite } from "../../lib/suites/suite.ts";
import { callServer } from "./call-server.ts";
import { liveLine, printable } from "./command.ts";

/** The longest time of a turn. */
const TURN_MS = 300_000;

const MARKS = { passed: "✓", failed: "✗", flaky: "~" } as const;

export interface RunOptions {
  agent: string;
  tries: number;
  unrecorded: UnrecordedRule;
  case?: string[] | undefined;
  junit?: string | undefined;
  json: boolean;
}

/** Runs a suite's file against an agent's definition. Exit code 1 if a case did not pass. */
export async function runSuite(file: string, values: RunOptions): Promise<void> {
  if (values.tries > MOST_TRIES) throw new StartupError(`A case has at most ${MOST_TRIES} tries.`);
  const config = readConfig(process.env);
  const [tested, agent] = await Promise.all([readSuite(file), readAgent(values.agent)]);
  const chosen = { ...tested, cases: casesOf(tested, values.case) };
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(new StartupError("Cancelled.")));
  const line = liveLine();
  const result = await runSuiteHere(config, chosen, agent, {
    tries: values.tries,
    rule: values.unrecorded,
    time_ms: TURN_MS,
    signal: stop.signal,
    onTry: (done, of) => line.show(`${done} of ${of} tries`),
    logger: createLogger(config.logLevel, config.redaction.logs),
  }).finally(line.clear);
  await report(result, agent.id, values);
}

/** Writes what came of a suite to the terminal and to the files that were asked for. Exit code 1 if a case did not pass. */
export async function report(result: SuiteResult, agent: string, values: RunOptions): Promise<void> {
  if (values.junit !== undefined) await writeFile(values.junit, junitReport(result));
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary) await appendFile(summary, markdownReport(result, agent));
  if (values.json) console.log(escapeControls(JSON.stringify(result, null, 2)));
  else {
    for (const one of result.cases) tell(one);
    const { passed, failed, flaky } = result.counts;
    console.log(
      `${result.name} with ${agent}: ${passed} passed, ${failed} failed, ${flaky} flaky. ${answersOf(result)}`,
    );
  }
  if (result.cases.length === 0 || result.counts.passed < result.cases.length) process.exitCode = 1;
}

function casesOf({ cases }: Suite, ids: readonly string[] | undefined): SuiteCase[] {
  const unknown = ids?.find((id) => !cases.some((one) => one.id === id));
  if (unknown !== undefined) throw new StartupError(`The suite has no case ${unknown}.`);
  return ids ? cases.filter(({ id }) => ids.includes(id)) : cases;
}

function tell(one: CaseResult): void {
  const first = firstOf(one);
  console.log(printable(`${MARKS[one.verdict]} ${one.title} (${triesOf(one)})${first === "" ? "" : `: ${first}`}`));
  if (one.verdict !== "passed") for (const reason of reasonsOf(one)) console.log(printable(`    ${reason}`));
}

/** Adds a session of the running server to a suite's file, which is created. */
export async function saveCase(
  conversation: string,
  file: string,
  values: { step: number; title?: string | undefined },
): Promise<void> {
  const known: Suite = existsSync(file)
    ? await readSuite(file)
    : { name: basename(file, ".json"), tools: [], judges: [], cases: [] };
  if (known.cases.length >= MOST_CASES) throw new StartupError(`A suite has at most ${MOST_CASES} cases.`);
  const query = new URLSearchParams({
    step: String(values.step),
    ...(values.title !== undefined && { title: values.title }),
  });
  const response = await callServer(`/api/conversations/${encodeURIComponent(conversation)}/case?${query}`);
  const { tools, cases } = suite.parse(await response.json());
  const [saved] = cases;
  if (!saved) throw new StartupError(`The server saved no case of ${conversation}.`);
  if (known.cases.some(({ id }) => id === saved.id))
    throw new StartupError(`${file} has the case ${saved.id} already; remove it there, or choose another step.`);
  const added = tools.filter(({ name }) => !known.tools.some((tool) => tool.name === name));
  const after: Suite = { ...known, tools: [...known.tools, ...added], cases: [...known.cases, saved] };
  await writeFile(file, `${JSON.stringify(after, null, 2)}\n`);
  const calls = recordedSteps(saved).filter(({ kind }) => kind === "call").length;
  const turns = `${saved.turns.length} ${saved.turns.length === 1 ? "turn" : "turns"}`;
  console.log(printable(`${file}: “${saved.title}” with ${turns} and ${calls} recorded calls.`));
}
