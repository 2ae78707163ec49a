import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { z } from "zod";
import type { Replicas } from "../../../db/replicas.ts";
import type { Storage } from "../../../db/storage.ts";
import type { BitrixClient } from "../../crm/client.ts";
import { crmTools } from "../../crm/tools.ts";
import { agentDefinition } from "../../dialog/agent.ts";
import { type AgentRegistry, createAgentRegistry } from "../../dialog/agent-registry.ts";
import { dialogTools } from "../../dialog/tools.ts";
import { AgentsFileError, readAgentsFile } from "../../engine/tools/agents-file.ts";
import { type DelegateRegistry, delegateDefinition } from "../../engine/tools/delegate.ts";
import { createDelegateRegistry } from "../../engine/tools/delegate-registry.ts";
import { allowHosts } from "../../engine/tools/http/allowed-hosts.ts";
import { readMcpServers } from "../../engine/tools/mcp/config.ts";
import { NO_MCP } from "../../engine/tools/mcp/no-servers.ts";
import type { connectMcpServers, McpTools } from "../../engine/tools/mcp/servers.ts";
import { createSealing } from "../../engine/tools/sealing.ts";
import { toolDefinition } from "../../engine/tools/tool-definition.ts";
import { createToolRegistry } from "../../engine/tools/tool-registry.ts";
import type { ServerTools } from "../../engine/tools/tools.ts";
import { DEFAULT_RISK_RULES, riskRules as riskSchema } from "../../memory/actions/risk.ts";
import type { OpenEgress } from "../../outgoing/egress.ts";
import type { SchemaChecker } from "../../plan/schema/schema-checker.ts";
import { judge } from "../../scores/judge.ts";
import { createJudgeRegistry, type JudgeRegistry } from "../../scores/judge-registry.ts";
import { OWN_AGENTS } from "../../session/own-agents.ts";
import type { Prices } from "../../session/prices.ts";
import type { Config } from "../config.ts";
import { StartupError } from "../startup-error.ts";
import { memoryTools } from "./memory-tools.ts";
import { secretKey } from "./secret-key.ts";
import { namedEntries, storedDefinitions, storedEntries } from "./stored-definitions.ts";

/** The risk rules of the agents' folder, which replace the default ones (M13). */
const RISK_FILE = "risk.json";

/** The agents, tools and delegates of this server. */
export interface Registries {
  agents: AgentRegistry;
  tools: ServerTools;
  delegates: DelegateRegistry;
  judges: JudgeRegistry;
  /** The prices of models, if configured. */
  prices: Prices;
  /** Closes connections to MCP servers and ends their processes. */
  close(): Promise<void>;
}

interface Needs {
  config: Config;
  storage: Pick<Storage, "agentStates" | "log" | "replicas">;
  checker: SchemaChecker;
  openEgress: OpenEgress;
  logger: Logger;
  /** The portal for the CRM's tools. */
  crm: BitrixClient;
}

/**
 * Reads registered definitions and the agents' folder, and starts connecting to MCP servers in the background. Throws
 * `StartupError` for an invalid file.
 */
export async function openRegistries({
  config,
  storage,
  checker,
  openEgress,
  logger,
  crm,
}: Needs): Promise<Registries> {
  const stored = { ...storage, logger };
  const entries = {
    agents: storedEntries(OWN_AGENTS.agents, () => agentDefinition, stored),
    tools: namedEntries(OWN_AGENTS.tools, toolDefinition, stored),
    delegates: namedEntries(OWN_AGENTS.delegates, delegateDefinition, stored),
    judges: namedEntries(OWN_AGENTS.judges, judge, stored),
  };
  // From before they are read, so that nothing is missed.
  const { promise: readers, resolve: provide } = Promise.withResolvers<Readers>();
  followOthers(storage.replicas, logger, readers);
  try {
    const servers = await readMcpServers(config.agentsDir, process.env);
    const delegates = await createDelegateRegistry({
      folder: config.agentsDir,
      definitions: storedDefinitions(entries.delegates),
      checker,
    });
    const agents = await createAgentRegistry({
      folder: config.agentsDir,
      stored: entries.agents,
    });
    const judges = await createJudgeRegistry(storedDefinitions(entries.judges));
    const prices = await readPrices(config.agentsDir);
    const riskRules = (await readAgentsFile(join(config.agentsDir, RISK_FILE), riskSchema)) ?? DEFAULT_RISK_RULES;
    const builtIn = [...crmTools({ client: crm, riskRules }), ...memoryTools, ...dialogTools];
    const http = {
      refuse: allowHosts(config.httpToolHosts),
      way: openEgress({ hosts: config.httpToolHosts }),
      sealing: createSealing(await secretKey(config)),
    };
    const definitions = storedDefinitions(entries.tools);
    const mcp = servers.size === 0 ? NO_MCP : await connected(servers, { checker, openEgress, logger });
    const tools = await createToolRegistry({ activities: new Map(), builtIn, mcp, definitions, http, checker });
    provide({
      [OWN_AGENTS.agents]: async (id) => {
        for (const { value, version } of await entries.agents.read(id)) agents.accept(id, value, version);
      },
      [OWN_AGENTS.tools]: async (name) => {
        for (const { value } of await entries.tools.read(name)) tools.accept(value);
      },
      [OWN_AGENTS.delegates]: async (name) => {
        for (const { value } of await entries.delegates.read(name)) delegates.accept(value);
      },
      [OWN_AGENTS.judges]: async (name) => {
        const [entry] = await entries.judges.read(name);
        if (entry) judges.accept(entry.value);
        else judges.forget(name);
      },
    });
    return { agents, tools, delegates, judges, prices, close: mcp.close };
  } catch (error) {
    throw error instanceof AgentsFileError ? new StartupError(`${error.message}.`, { cause: error }) : error;
  }
}

/** The SDK is loaded only if a server is configured. */
async function connected(...servers: Parameters<typeof connectMcpServers>): Promise<McpTools> {
  const { connectMcpServers } = await import("../../engine/tools/mcp/servers.ts");
  return connectMcpServers(...servers);
}

const written = z.object({ agent_id: z.enum(Object.values(OWN_AGENTS)), key: z.string() });

const WRITTEN = "agent_state.written";

type OwnAgent = (typeof OWN_AGENTS)[keyof typeof OWN_AGENTS];

/** Reads what was stored by a key of an agent that only the server writes. */
type Readers = Record<OwnAgent, (key: string) => Promise<void>>;

/** The wait before it is tried again to read what another replica has registered, ms. */
const AGAIN_MS = 500;

/** Reads what other replicas register, which they append to the log. */
function followOthers({ follow }: Pick<Replicas, "follow">, logger: Logger, readers: Promise<Readers>): void {
  async function readUntilDone(agentId: OwnAgent, key: string): Promise<void> {
    for (;;) {
      try {
        return await (await readers)[agentId](key);
      } catch (error) {
        logger.warn({ err: error, agent_id: agentId, key }, "Could not read what another replica has registered");
        await delay(AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  let last: Promise<void> = Promise.resolve();
  follow(
    () => [WRITTEN],
    (events) => {
      for (const { type, payload } of events) {
        const entry = type === WRITTEN ? written.safeParse(payload).data : undefined;
        // In the order of the log: of two that are the default the newer one counts.
        if (entry) last = last.then(() => readUntilDone(entry.agent_id, entry.key));
      }
    },
  );
}

const price = z.number().min(0, "must be 0 or more, per million tokens");

const file = z.record(
  z.string().min(1),
  z.strictObject({
    input: price,
    output: price,
    currency: z.string().regex(/^[A-Z]{3}$/, "must be a currency such as EUR"),
  }),
);

/** The prices in the agents' folder's `prices.json`; empty without it. Throws `AgentsFileError`. */
export async function readPrices(folder: string): Promise<Prices> {
  return (await readAgentsFile(join(folder, "prices.json"), file)) ?? {};
}
