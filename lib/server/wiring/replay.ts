import { createHash } from "node:crypto";
import type { OpenReplay } from "../../../db/replay.ts";
import { createChains } from "../../dialog/chain.ts";
import { SWITCH_MARKER } from "../../dialog/main-graph/switch-marker.ts";
import { speech } from "../../dialog/speech.ts";
import { checkRun } from "../../engine/replay/check-run.ts";
import { delegateDefinition } from "../../engine/tools/delegate.ts";
import { toolDefinition } from "../../engine/tools/tool-definition.ts";
import { memorySchema } from "../../memory/schema.ts";
import { OWN_AGENTS } from "../../session/own-agents.ts";
import type { Config } from "../config.ts";
import { offlineRegistries } from "./offline.ts";

/**
 * Replays of recorded runs with this server's tools and delegates: those that come with it, those of the agents' folder, and
 * those that are registered in the checked database. Those of MCP servers are as the record shows them: nothing is connected.
 */
export function replayWith(config: Pick<Config, "agentsDir" | "httpToolHosts" | "privateHosts">): OpenReplay {
  return async (read) => {
    const defined = {
      tools: read(OWN_AGENTS.tools).flatMap((value) => toolDefinition.safeParse(value).data ?? []),
      delegates: read(OWN_AGENTS.delegates).flatMap((value) => delegateDefinition.safeParse(value).data ?? []),
    };
    const today = {
      ...(await offlineRegistries(config, defined)),
      memory: { schema: memorySchema },
      dialog: { speech, ...createChains({ get: async () => null }) },
      drafts: { markers: [SWITCH_MARKER] },
      digest: (text: string) => createHash("sha256").update(text).digest("hex"),
    };
    return (events) => checkRun(events, today);
  };
}
