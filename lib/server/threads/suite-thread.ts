import { parentPort, workerData } from "node:worker_threads";
import { agentDefinition } from "../../dialog/agent.ts";
import { createModel } from "../../model/model-client.ts";
import { createEgressPolicy } from "../../outgoing/egress.ts";
import { redactJson } from "../../redaction/redact.ts";
import type { Json } from "../../session/json/json.ts";
import { type SuiteCase, suiteCase, TRIES_AT_ONCE } from "../../suites/case.ts";
import { runTry } from "../../suites/run/run-try.ts";
import { readTools } from "../../suites/suite.ts";
import { briefOf, paidTokensOf } from "../../suites/try-result.ts";
import { createLogger } from "../logger.ts";
import { suitePorts, triedAgent } from "../wiring/suites.ts";
import type { SuiteContent, SuiteReply, SuiteThreadData } from "./suite-threads.ts";

// The entry of a thread that carries a run of a suite out, and ends with it.
if (!parentPort) throw new Error("suite-thread.ts runs as a worker thread");
const port = parentPort;
const { order, config, endpoint }: SuiteThreadData = workerData;
const tell = (reply: SuiteReply) => port.postMessage(reply);

/** The longest time of a turn, ms. */
const TURN_MS = 300_000;

const wanted = new Map<string, (content: string | null) => void>();
port.on("message", ({ id, content }: SuiteContent) => {
  wanted.get(id)?.(content);
  wanted.delete(id);
});

const cases = new Map<string, Promise<SuiteCase | null>>();

/** A case is in memory while its tries run. */
function caseOf(id: string): Promise<SuiteCase | null> {
  const known = cases.get(id);
  if (known) return known;
  const { promise, resolve } = Promise.withResolvers<string | null>();
  wanted.set(id, resolve);
  tell({ is: "wants", id });
  const read = promise.then((content) => (content === null ? null : suiteCase.parse(JSON.parse(content))));
  cases.set(id, read);
  return read;
}

try {
  await run();
  tell({ is: "done" });
} catch (error) {
  tell({ is: "broken", message: error instanceof Error ? error.message : String(error) });
}

async function run(): Promise<void> {
  const { run: asked, definition, tools, judges } = order;
  const logger = createLogger(config.logLevel, config.redaction.logs);
  const openEgress = createEgressPolicy(config.privateHosts);
  const modelOf = (name: string) => createModel({ ...endpoint, model: name, openEgress });
  const ports = await suitePorts(config, {
    ...{ tools: readTools(tools), judges, logger, model: modelOf(asked.model) },
    modelOf: (name) => modelOf(name ?? endpoint.model),
  });
  const agent = triedAgent(asked.agent_id, agentDefinition.parse(definition));
  const left = asked.cases
    .flatMap((id) => Array.from({ length: asked.tries }, (_, index) => ({ id, number: index + 1 })))
    .values();
  const signal = new AbortController().signal;
  async function work(): Promise<void> {
    for (const { id, number } of left) {
      const tried = await caseOf(id);
      if (number === asked.tries) cases.delete(id);
      // It was removed meanwhile.
      if (!tried) continue;
      const conversation_id = `${asked.suite}:${id}:${number}`;
      const result = await runTry(
        tried,
        agent,
        { conversation_id, rule: asked.rule, time_ms: TURN_MS, signal },
        { ...ports, keep: async () => undefined },
      );
      tell({
        is: "try",
        done: {
          ...{ case_id: id, number, outcome: result.outcome, tokens: paidTokensOf(result) },
          brief: toText(briefOf(result)),
          result: toText(result),
        },
      });
    }
  }
  await Promise.all(Array.from({ length: TRIES_AT_ONCE }, work));
}

/** What must not be stored is removed, as from events. */
function toText(value: object): string {
  const plain: Json = JSON.parse(JSON.stringify(value));
  return JSON.stringify(redactJson(plain, config.redaction.stored));
}
