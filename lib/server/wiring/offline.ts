import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { BitrixClient } from "../../crm/client.ts";
import { crmTools } from "../../crm/tools.ts";
import { dialogTools } from "../../dialog/tools.ts";
import { createSchemaChecker } from "../../engine/json-schema.ts";
import { readAgentsFile } from "../../engine/tools/agents-file.ts";
import type { DelegateDefinition } from "../../engine/tools/delegate.ts";
import { createDelegateRegistry } from "../../engine/tools/delegate-registry.ts";
import { allowHosts } from "../../engine/tools/http/allowed-hosts.ts";
import { createSealing } from "../../engine/tools/sealing.ts";
import type { ToolDefinition } from "../../engine/tools/tool-definition.ts";
import { createToolRegistry } from "../../engine/tools/tool-registry.ts";
import { DEFAULT_RISK_RULES, riskRules as riskSchema } from "../../memory/actions/risk.ts";
import { createEgressPolicy } from "../../outgoing/egress.ts";
import type { Config } from "../config.ts";
import { memoryTools } from "./memory-tools.ts";

const refuse = () => Promise.reject(new Error("Nothing is called here"));

/** Stands in for the portal. */
const NO_PORTAL: BitrixClient = { call: refuse, list: refuse, batch: refuse, patience_ms: 1_000 };

/** Of a key that opens nothing: no header is sent. */
const KEY_BYTES = 32;

/** Definitions beside those that come with the server and those of the agents' folder. */
interface Defined {
  tools: readonly ToolDefinition[];
  delegates: readonly DelegateDefinition[];
}

/**
 * Tools and delegates by their definitions alone, without storage, MCP servers and the portal: for what decides by them and
 * calls nothing. Throws `AgentsFileError` for an invalid file.
 */
export async function offlineRegistries(
  { agentsDir, httpToolHosts, privateHosts }: Pick<Config, "agentsDir" | "httpToolHosts" | "privateHosts">,
  { tools, delegates }: Defined,
) {
  const checker = createSchemaChecker();
  const riskRules = (await readAgentsFile(join(agentsDir, "risk.json"), riskSchema)) ?? DEFAULT_RISK_RULES;
  return {
    checker,
    tools: await createToolRegistry({
      activities: new Map(),
      builtIn: [...crmTools({ client: NO_PORTAL, riskRules }), ...memoryTools, ...dialogTools],
      mcp: { list: () => [], find: () => undefined, close: async () => undefined },
      definitions: { load: async () => [...tools], save: async () => undefined },
      http: {
        refuse: allowHosts(httpToolHosts),
        way: createEgressPolicy(privateHosts)({ hosts: httpToolHosts }),
        sealing: createSealing(randomBytes(KEY_BYTES)),
      },
      checker,
    }),
    delegates: await createDelegateRegistry({
      folder: agentsDir,
      definitions: { load: async () => [...delegates], save: async () => undefined },
      checker,
    }),
  };
}
