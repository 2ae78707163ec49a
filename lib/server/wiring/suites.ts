import { basename } from "node:path";
import type { Logger } from "pino";
import type { z } from "zod";
import { type AgentDefinition, agentDefinition } from "../../dialog/agent.ts";
import { createPrompts } from "../../dialog/prompts/prompts.ts";
import { historySettings } from "../../dialog/run-settings.ts";
import { speech } from "../../dialog/speech.ts";
import { DIALOG_ZONE } from "../../dialog/user-location.ts";
import type { Model } from "../../engine/model.ts";
import { AgentsFileError, readAgentsFile } from "../../engine/tools/agents-file.ts";
import { toolDefinition } from "../../engine/tools/tool-definition.ts";
import { createModel } from "../../model/model-client.ts";
import { createEgressPolicy } from "../../outgoing/egress.ts";
import type { SuiteResult } from "../../suites/result.ts";
import { runSuite, type SuiteSettings } from "../../suites/run/run-suite.ts";
import type { TriedAgent, TryPorts } from "../../suites/run/run-try.ts";
import type { Scorers } from "../../suites/run/score-turns.ts";
import { type Suite, suite } from "../../suites/suite.ts";
import type { TryResult } from "../../suites/try-result.ts";
import type { Config } from "../config.ts";
import { StartupError } from "../startup-error.ts";
import { wallClock } from "../wall-clock.ts";
import { openModel } from "./bundled-servers.ts";
import { readRules } from "./evaluators.ts";
import { createMemory } from "./memory.ts";
import { offlineRegistries } from "./offline.ts";
import { readPrices } from "./registries.ts";

/** Reads the definition of an agent from a file of the form of the agents' folder. Throws a `StartupError`. */
export async function readAgent(file: string): Promise<TriedAgent> {
  return triedAgent(basename(file, ".json"), await read(file, agentDefinition));
}

/** A definition as cases are tried with it. */
export function triedAgent(id: string, definition: AgentDefinition): TriedAgent {
  const { instructions, tools, timezone = DIALOG_ZONE, max_iterations = null, locale, ...agent } = definition;
  return { id, instructions, tools, timezone, max_iterations, locale, history: historySettings({ ...agent, locale }) };
}

/** Reads a suite from its file. Throws a `StartupError`. */
export function readSuite(file: string): Promise<Suite> {
  return read(file, suite);
}

async function read<T>(file: string, schema: z.ZodType<T>): Promise<T> {
  try {
    const value = await readAgentsFile(file, schema);
    if (value === null) throw new StartupError(`There is no file ${file}.`);
    return value;
  } catch (error) {
    throw error instanceof AgentsFileError ? new StartupError(`${error.message}.`, { cause: error }) : error;
  }
}

/** Runs a suite in this process: with the configured model, or the scripted one, and nothing else outside. */
export async function runSuiteHere(
  config: Config,
  tested: Suite,
  agent: TriedAgent,
  { logger, ...settings }: SuiteSettings & { logger: Logger },
): Promise<SuiteResult<TryResult>> {
  const openEgress = createEgressPolicy(config.privateHosts);
  const { model, endpoint, close } = await openModel(config, { openEgress, logger });
  try {
    const { tools, judges } = tested;
    const modelOf = (name: string | null) =>
      name === null ? model : createModel({ ...endpoint, model: name, openEgress });
    const ports = await suitePorts(config, { tools, judges, model, modelOf, logger });
    return await runSuite(tested, agent, settings, { ...ports, keep: async () => undefined });
  } finally {
    await close();
  }
}

interface SuiteNeeds extends Pick<Suite, "tools">, Pick<Scorers, "judges" | "modelOf"> {
  model: Model;
  logger: Logger;
}

/** What tries use: models, the rules of the agents' folder, and nothing else outside. Throws an `AgentsFileError`. */
export async function suitePorts(
  config: Pick<Config, "agentsDir" | "httpToolHosts" | "privateHosts">,
  { tools, judges, model, modelOf, logger }: SuiteNeeds,
): Promise<Omit<TryPorts, "keep">> {
  const definitions = tools.map((tool) => toolDefinition.parse(tool));
  return {
    ...(await offlineRegistries(config, { tools: definitions, delegates: [] })),
    model,
    memory: createMemory({ get: async () => null }),
    prompts: createPrompts({ logger, debug: false }),
    speech,
    clock: wallClock,
    allowance: null,
    random: Math.random,
    logger,
    scorers: {
      ...{ judges, modelOf, prices: await readPrices(config.agentsDir) },
      rules: (await readRules(config.agentsDir)) ?? [],
    },
  };
}
