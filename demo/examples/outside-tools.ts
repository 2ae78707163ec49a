import { ActivityError, Choice } from "../../lib/engine/tools/activity.ts";
import { createToolRegistry } from "../../lib/engine/tools/tool-registry.ts";
import type { Handler, ToolRegistry } from "../../lib/engine/tools/tools.ts";
import { createEgressPolicy } from "../../lib/outgoing/egress.ts";
import type { SchemaChecker } from "../../lib/plan/schema/schema-checker.ts";
import type { Example, Outside } from "./example.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** The time limit of an attempt, in ms; longer than anything in the examples. */
const TIMEOUT_MS = 30_000;
const RETRIES = 2;

/** There are no registered definitions. */
export const NOTHING_REGISTERED = { load: async () => [], save: async () => undefined };

/** The server's tools for an example: activities that act on its simulation; definitions come with its request. */
export function outsideTools({ outside }: Example, clock: VirtualClock, checker: SchemaChecker): Promise<ToolRegistry> {
  return createToolRegistry({
    activities: new Map(Object.entries(outside).map(([name, part]) => [name, handlerOf(part, clock)])),
    builtIn: [],
    mcp: { list: () => [], find: () => undefined, close: async () => undefined },
    definitions: NOTHING_REGISTERED,
    http: {
      refuse: () => "is outside of the example",
      way: createEgressPolicy([])({ hosts: [] }),
      sealing: { seal: (text) => text, open: (text) => text },
    },
    checker,
  });
}

function handlerOf({ idempotent, react }: Outside, clock: VirtualClock): Handler {
  return {
    async activity(params, _scopes, { attempt }) {
      const reaction = react(params, attempt);
      await clock.sleep(reaction.ms);
      if ("output" in reaction) {
        const { output, path } = reaction;
        return path === undefined ? output : new Choice(path, output);
      }
      const { error, retry_after_ms } = reaction;
      throw new ActivityError(error.code, error.message, { transient: retry_after_ms !== undefined, retry_after_ms });
    },
    idempotent,
    timeout_ms: TIMEOUT_MS,
    retries: RETRIES,
  };
}
