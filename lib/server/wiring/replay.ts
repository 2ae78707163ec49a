import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { OpenReplay } from "../../../db/replay.ts";
import type { BitrixClient } from "../../crm/client.ts";
import { crmTools } from "../../crm/tools.ts";
import { createChains } from "../../dialog/chain.ts";
import { speech } from "../../dialog/speech.ts";
import { SWITCH_MARKER } from "../../dialog/switch-marker.ts";
import { dialogTools } from "../../dialog/tools.ts";
import { createSchemaChecker } from "../../engine/json-schema.ts";
import { checkRun } from "../../engine/replay/check-run.ts";
import { readAgentsFile } from "../../engine/tools/agents-file.ts";
import { delegateDefinition } from "../../engine/tools/delegate.ts";
import { createDelegateRegistry } from "../../engine/tools/delegate-registry.ts";
import { allowHosts } from "../../engine/tools/http/allowed-hosts.ts";
import { createSealing } from "../../engine/tools/sealing.ts";
import { toolDefinition } from "../../engine/tools/tool-definition.ts";
import { createToolRegistry } from "../../engine/tools/tool-registry.ts";
import { DEFAULT_RISK_RULES, riskRules as riskSchema } from "../../memory/actions/risk.ts";
import { memorySchema } from "../../memory/schema.ts";
import { createEgressPolicy } from "../../outgoing/egress.ts";
import { OWN_AGENTS } from "../../session/own-agents.ts";
import type { Config } from "../config.ts";
import { memoryTools } from "./memory-tools.ts";

const refuse = () => Promise.reject(new Error("A replay calls nothing and stores nothing"));

/** Of a key that opens nothing: no header is sent. */
const KEY_BYTES = 32;

/** Stands in for the portal. */
const NO_PORTAL: BitrixClient = { call: refuse, list: refuse, batch: refuse, patience_ms: 1_000 };

/**
 * Replays of recorded runs with this server's tools and delegates: those that come with it, those of the agents' folder, and
 * those that are registered in the checked database. Those of MCP servers are as the record shows them: nothing is connected.
 */
export function replayWith({
  agentsDir,
  httpToolHosts,
  privateHosts,
}: Pick<Config, "agentsDir" | "httpToolHosts" | "privateHosts">): OpenReplay {
  return async (read) => {
    const checker = createSchemaChecker();
    const tools = read(OWN_AGENTS.tools).flatMap((value) => toolDefinition.safeParse(value).data ?? []);
    const delegates = read(OWN_AGENTS.delegates).flatMap((value) => delegateDefinition.safeParse(value).data ?? []);
    const riskRules = (await readAgentsFile(join(agentsDir, "risk.json"), riskSchema)) ?? DEFAULT_RISK_RULES;
    const today = {
      checker,
      tools: await createToolRegistry({
        activities: new Map(),
        builtIn: [...crmTools({ client: NO_PORTAL, riskRules }), ...memoryTools, ...dialogTools],
        mcp: { list: () => [], find: () => undefined, close: async () => undefined },
        definitions: { load: async () => tools, save: async () => undefined },
        http: {
          refuse: allowHosts(httpToolHosts),
          way: createEgressPolicy(privateHosts)({ hosts: httpToolHosts }),
          sealing: createSealing(randomBytes(KEY_BYTES)),
        },
        checker,
      }),
      delegates: await createDelegateRegistry({
        folder: agentsDir,
        definitions: { load: async () => delegates, save: async () => undefined },
        checker,
      }),
      memory: { schema: memorySchema },
      dialog: { speech, ...createChains({ get: async () => null }) },
      drafts: { markers: [SWITCH_MARKER] },
      digest: (text: string) => createHash("sha256").update(text).digest("hex"),
    };
    return (events) => checkRun(events, today);
  };
}
