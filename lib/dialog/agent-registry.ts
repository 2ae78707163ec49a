import { basename, join } from "node:path";
import type { Expectation } from "../../db/repositories.ts";
import { AgentsFileError, agentsFilesIn, readAgentsFile } from "../engine/tools/agents-file.ts";
import { identifier } from "../session/events/catalogue.ts";
import { type Agent, type AgentDefinition, agentDefinition, STAGES, type Stage } from "./agent.ts";

/** Files of the agents' folder that are not agents. */
const OTHER_FILES = ["evaluators.json", "mcp.json", "prices.json", "risk.json"];

/** The agents of this server. They are read for each turn, so that changes take effect from the next turn (D12). */
export interface AgentRegistry {
  /** All of them, by their ids. */
  list(): Agent[];
  find(id: string): Agent | undefined;
  /** The agent of conversations that name none; undefined if no agent is the default. */
  default(): Agent | undefined;
  /** The agent of a stage (D1); undefined if there is none. */
  forStage(stage: Stage): Agent | undefined;
  /**
   * Stores a definition, which overrides that of a file. Throws `StaleAgent`, or storage's `Stale`, if the expected
   * version differs.
   */
  put(
    id: string,
    definition: AgentDefinition,
    expect: Expectation,
    actor: string,
  ): Promise<{ agent: Agent; created: boolean }>;
  /** Takes over what another replica has stored. */
  accept(id: string, definition: AgentDefinition, version: number): void;
}

/** The stored definitions, which were written through the API. */
export interface StoredAgents {
  load(): Promise<{ key: string; value: AgentDefinition; version: number; updated_at: string }[]>;
  /** Durable when it resolves. Throws storage's `Stale`. */
  save(
    key: string,
    value: AgentDefinition,
    write: { expect: Expectation; actor: string },
  ): Promise<{ version: number }>;
}

/** The expected version of the agent differs: 412, identified by `code` across bundles. */
export class StaleAgent extends Error {
  readonly code = "stale";

  constructor(message: string) {
    super(message);
    this.name = "StaleAgent";
  }
}

interface Kept {
  definition: AgentDefinition;
  version: number;
}

/**
 * The agents of a folder, overridden by those that were written through the API. Throws `AgentsFileError` for an
 * invalid file, or for two that are the default or have the same stage.
 */
export async function createAgentRegistry({
  folder,
  stored,
}: {
  folder: string;
  stored: StoredAgents;
}): Promise<AgentRegistry> {
  // In the order in which they were written: the newest default counts.
  const agents = new Map<string, Kept>(await readFolder(folder));
  const written = (await stored.load()).sort((a, b) => Date.parse(a.updated_at) - Date.parse(b.updated_at));
  for (const { key, value, version } of written) keep(key, { definition: value, version });

  function keep(id: string, kept: Kept): void {
    agents.delete(id);
    agents.set(id, kept);
  }

  function defaultId(): string | undefined {
    return [...agents].findLast(([, { definition }]) => definition.default)?.[0];
  }

  function stageId(stage: Stage): string | undefined {
    return [...agents].findLast(([, { definition }]) => definition.stage === stage)?.[0];
  }

  function agentOf(id: string, { definition, version }: Kept): Agent {
    const stage = definition.stage !== null && id === stageId(definition.stage) ? definition.stage : null;
    return { id, ...definition, default: id === defaultId(), stage, version, source: version === 0 ? "file" : "api" };
  }

  function find(id: string): Agent | undefined {
    const kept = agents.get(id);
    return kept && agentOf(id, kept);
  }

  return {
    find,
    list: () => [...agents].map(([id, kept]) => agentOf(id, kept)).sort((a, b) => (a.id < b.id ? -1 : 1)),
    default() {
      const id = defaultId();
      return id === undefined ? undefined : find(id);
    },
    forStage(stage) {
      const id = stageId(stage);
      return id === undefined ? undefined : find(id);
    },
    accept: (id, definition, version) => keep(id, { definition, version }),
    async put(id, definition, expect, actor) {
      const before = agents.get(id);
      const { version } = await stored.save(id, definition, { expect: expectationOf(id, expect, before), actor });
      const kept = { definition, version };
      keep(id, kept);
      return { agent: agentOf(id, kept), created: before === undefined };
    },
  };
}

/** The version that storage, which does not know files, has to expect. Throws `StaleAgent`. */
function expectationOf(id: string, expect: Expectation, kept: Kept | undefined): Expectation {
  switch (expect.kind) {
    case "any":
      return expect;
    case "absent":
      if (kept)
        throw new StaleAgent(`The agent ${id} already exists at version ${kept.version}; read it and write again`);
      return expect;
    case "present":
      if (!kept) throw new StaleAgent(`There is no agent ${id}; write it without a version to create it`);
      return { kind: "any" };
    case "version":
      if (!kept) throw new StaleAgent(`There is no agent ${id}; write it without a version to create it`);
      if (!expect.versions.includes(kept.version))
        throw new StaleAgent(`The agent ${id} is at version ${kept.version}; read it and write again`);
      return kept.version === 0 ? { kind: "absent" } : { kind: "version", versions: [kept.version] };
    default:
      return expect satisfies never;
  }
}

async function readFolder(folder: string): Promise<[string, Kept][]> {
  const names = (await agentsFilesIn(folder)).filter((name) => !OTHER_FILES.includes(name));
  const read = await Promise.all(names.map((name) => readAgent(join(folder, name), basename(name, ".json"))));
  const agents = read.flatMap((agent) => (agent ? [agent] : []));
  const [first, second] = agents.filter(([, { definition }]) => definition.default);
  if (first && second)
    throw new AgentsFileError(
      join(folder, `${second[0]}.json`),
      `/default is also set in ${first[0]}.json; set it in one file only`,
    );
  for (const stage of STAGES) {
    const [speaker, other] = agents.filter(([, { definition }]) => definition.stage === stage);
    if (speaker && other)
      throw new AgentsFileError(
        join(folder, `${other[0]}.json`),
        `/stage is "${stage}" in ${speaker[0]}.json, too; give each stage one agent`,
      );
  }
  return agents;
}

/** Reads an agent's file, named by its id; null if it was deleted. */
async function readAgent(path: string, id: string): Promise<[string, Kept] | null> {
  const named = identifier.safeParse(id);
  if (!named.success) throw new AgentsFileError(path, `its name ${named.error.issues[0]?.message}`);
  const definition = await readAgentsFile(path, agentDefinition);
  return definition && [id, { definition, version: 0 }];
}
