import { join } from "node:path";
import type { Logger } from "pino";
import { z } from "zod";
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
import { connectMcpServers } from "../../engine/tools/mcp/servers.ts";
import { createSealing } from "../../engine/tools/sealing.ts";
import { toolDefinition } from "../../engine/tools/tool-definition.ts";
import { createToolRegistry } from "../../engine/tools/tool-registry.ts";
import type { ServerTools } from "../../engine/tools/tools.ts";
import { DEFAULT_RISK_RULES, riskRules as riskSchema } from "../../memory/actions/risk.ts";
import type { OpenEgress } from "../../outgoing/egress.ts";
import type { SchemaChecker } from "../../plan/schema/schema-checker.ts";
import { OWN_AGENTS } from "../../session/catalogue.ts";
import type { Prices } from "../../session/prices.ts";
import type { Config } from "../config.ts";
import { StartupError } from "../startup-error.ts";
import { memoryTools } from "./memory-tools.ts";
import { secretKey } from "./secret-key.ts";
import { storedDefinitions, storedEntries } from "./stored-definitions.ts";

/** The risk rules of the agents' folder, which replace the default ones (M13). */
const RISK_FILE = "risk.json";

/** The agents, tools and delegates of this server. */
export interface Registries {
  agents: AgentRegistry;
  tools: ServerTools;
  delegates: DelegateRegistry;
  /** The prices of models, if configured. */
  prices: Prices;
  /** Closes connections to MCP servers and ends their processes. */
  close(): Promise<void>;
}

interface Needs {
  config: Config;
  storage: Pick<Storage, "agentStates" | "log">;
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
  try {
    const servers = await readMcpServers(config.agentsDir, process.env);
    const delegates = await createDelegateRegistry({
      folder: config.agentsDir,
      definitions: storedDefinitions(OWN_AGENTS.delegates, delegateDefinition, stored),
      checker,
    });
    const agents = await createAgentRegistry({
      folder: config.agentsDir,
      stored: storedEntries(OWN_AGENTS.agents, () => agentDefinition, stored),
    });
    const prices = await readPrices(config.agentsDir);
    const riskRules = (await readAgentsFile(join(config.agentsDir, RISK_FILE), riskSchema)) ?? DEFAULT_RISK_RULES;
    const builtIn = [...crmTools({ client: crm, riskRules }), ...memoryTools, ...dialogTools];
    const http = {
      refuse: allowHosts(config.httpToolHosts),
      way: openEgress({ hosts: config.httpToolHosts }),
      sealing: createSealing(await secretKey(config)),
    };
    const definitions = storedDefinitions(OWN_AGENTS.tools, toolDefinition, stored);
    const mcp = connectMcpServers(servers, { checker, openEgress, logger });
    const tools = await createToolRegistry({ activities: new Map(), builtIn, mcp, definitions, http, checker });
    return { agents, tools, delegates, prices, close: mcp.close };
  } catch (error) {
    throw error instanceof AgentsFileError ? new StartupError(`${error.message}.`, { cause: error }) : error;
  }
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
async function readPrices(folder: string): Promise<Prices> {
  return (await readAgentsFile(join(folder, "prices.json"), file)) ?? {};
}
