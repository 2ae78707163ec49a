import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import { suiteRun, suiteRunAnswer } from "../../lib/api/operations/suites/suite-answers.ts";
import { StartupError } from "../../lib/server/startup-error.ts";
import { MOST_TRIES } from "../../lib/suites/case.ts";
import { type CaseResult, type SuiteResult, suiteResult } from "../../lib/suites/result.ts";
import { callServer, SERVER } from "./call-server.ts";
import { liveLine, printable } from "./command.ts";
import { type RunOptions, report } from "./suite.ts";

/** How often the run is read, ms. */
const AGAIN_MS = 1_000;

/**
 * Runs a suite of the running server, prints where it is to be seen, and reports it like a suite's file. `agent` is a
 * definition's file, or the id of a registered agent. Exit code 1 if a case did not pass, or the run did not finish.
 */
export async function runSuiteOnServer(name: string, values: RunOptions): Promise<void> {
  if (values.tries > MOST_TRIES) throw new StartupError(`A case has at most ${MOST_TRIES} tries.`);
  const path = `/api/suites/${encodeURIComponent(name)}/runs`;
  const body = {
    ...(await agentOf(values.agent)),
    ...{ tries: values.tries, unrecorded: values.unrecorded },
    ...(values.case && { cases: values.case }),
  };
  // A key that may not read the run would begin what nobody sees the end of.
  await (await callServer(path)).body?.cancel();
  const started = suiteRun.parse(await sent(path, body));
  const stop = () => void sent(`${path}/${started.id}/cancel`, {}).finally(() => process.exit(1));
  process.once("SIGINT", stop);
  const line = liveLine();
  let answer = await read(path, started.id);
  while (answer.run.status === "queued" || answer.run.status === "running") {
    line.show(`${answer.run.done} of ${answer.run.total} tries`);
    await delay(AGAIN_MS);
    answer = await read(path, started.id);
  }
  line.clear();
  process.removeListener("SIGINT", stop);
  await report(resultOf(answer), started.agent_id, values);
  const { status, error } = answer.run;
  const tell = values.json ? console.error : console.log;
  tell(`${SERVER}/suites/${encodeURIComponent(name)}?run=${started.id}`);
  // An erasure takes its cases out of the run.
  const untried = started.cases.filter(
    (id) => !answer.report.cases.some((one) => one.id === id && one.verdict !== null),
  );
  if (status === "finished" && untried.length === 0) return;
  if (status !== "finished") console.error(printable(`The run was not finished: ${error ?? status}.`));
  else console.error(printable(`Cases were removed while the run went on: ${untried.join(", ")}.`));
  process.exitCode = 1;
}

async function agentOf(given: string): Promise<{ agent_id: string; definition?: unknown }> {
  if (!existsSync(given)) return { agent_id: given };
  const name = given.split(/[\\/]/).at(-1) ?? given;
  try {
    return { agent_id: name.replace(/\.json$/, ""), definition: JSON.parse(await readFile(given, "utf8")) };
  } catch (error) {
    throw new StartupError(`${given} cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

async function sent(path: string, body: object): Promise<unknown> {
  const response = await callServer(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return response.json();
}

async function read(path: string, id: string): Promise<z.infer<typeof suiteRunAnswer>> {
  return suiteRunAnswer.parse(await (await callServer(`${path}/${id}`)).json());
}

/** As if the suite had been run here. */
function resultOf({ run, report: told }: z.infer<typeof suiteRunAnswer>): SuiteResult {
  const cases = told.cases.flatMap(({ verdict, ...one }): CaseResult[] =>
    verdict === null ? [] : [{ ...one, verdict }],
  );
  const ended = run.finished_at === null ? 0 : Date.parse(run.finished_at) - Date.parse(run.started_at);
  return suiteResult(run.suite, cases, ended);
}
