import type { Effect } from "../../memory/actions/happening.ts";
import type { SchemaChecker } from "../../plan/schema/schema-checker.ts";
import { parameterSchema } from "../../plan/schema/tool-schema.ts";
import { isJsonObject, type JsonObject } from "../../session/json/json.ts";
import { InvalidInput } from "../errors.ts";
import { describeFaults } from "../step/describe-faults.ts";
import { ActivityError } from "./activity.ts";
import { strongest } from "./effect.ts";
import { resealHeader, sealHeader } from "./http/headers.ts";
import { type HttpTools, httpHandler } from "./http-activity.ts";
import type { McpTools } from "./mcp/servers.ts";
import type { StoredDefinitions } from "./stored-definitions.ts";
import { httpFaults, schemaFaults } from "./tool-check.ts";
import type { ToolDefinition } from "./tool-definition.ts";
import type { BuiltInTool, Guard, Handler, ListedTool, RegisteredTool, ServerTools } from "./tools.ts";

export interface ToolRegistryOptions {
  /** Functions of this process by name, which tools can name as their activity. */
  activities: ReadonlyMap<string, Handler>;
  /** Tools that come with the server. */
  builtIn: readonly BuiltInTool[];
  mcp: McpTools;
  definitions: StoredDefinitions<ToolDefinition>;
  http: HttpTools;
  checker: SchemaChecker;
}

/** A definition with the handler of its HTTP activity, made once. */
interface Kept {
  definition: ToolDefinition;
  http: Handler | null;
}

/**
 * The tools of this server: those that come with it, then those of MCP servers, then those that were registered, the
 * later one of a name winning (P2a). Reads what was registered before.
 */
export async function createToolRegistry(options: ToolRegistryOptions): Promise<ServerTools> {
  const { activities, mcp, checker } = options;
  const builtIn = new Map(options.builtIn.map((tool) => [tool.name, tool]));
  const registered = new Map<string, Kept>();
  for (const stored of await options.definitions.load()) {
    const definition = withHeaders(stored, resealHeader);
    if (JSON.stringify(definition) !== JSON.stringify(stored)) await options.definitions.save(definition, null);
    registered.set(definition.name, keep(definition));
  }

  function keep(definition: ToolDefinition): Kept {
    const { name, activity } = definition;
    return { definition, http: activity ? checked(definition, httpHandler(name, activity, options.http)) : null };
  }

  /** Whoever borrows an activity, by its name or by a schema laid over its tool's, is held to what it was defined for. */
  function checked(definition: ToolDefinition, handler: Handler): Handler {
    const schema = parameterSchema({ ...definition, has_activity: true });
    const complaint = `The parameters are invalid for the tool ${definition.name}, which has this activity`;
    return {
      ...handler,
      schema,
      async activity(params, scopes, call) {
        const faults = checker.faults(schema, params);
        if (faults.length === 0) return handler.activity(params, scopes, call);
        const message = describeFaults(complaint, faults);
        throw new ActivityError("invalid_params", message, { did_not_happen: true, transient: false });
      },
    };
  }

  function activity(name: string): Handler | undefined {
    const own = registered.get(name)?.http ?? builtIn.get(name)?.handler;
    return own ?? activities.get(name) ?? mcp.find(name)?.handler ?? undefined;
  }

  /** Whether any definition of this name asks for a person's agreement: no later one takes that back (P2a). */
  function isRisky(name: string): boolean {
    const definitions = [builtIn.get(name), mcp.find(name), registered.get(name)?.definition];
    return definitions.some((definition) => definition?.requires_confirmation);
  }

  /** How many people any definition of this name asks for: no later one takes that back, either. */
  function approvalsOf(name: string): number {
    const definitions = [builtIn.get(name), mcp.find(name), registered.get(name)?.definition];
    return Math.max(1, ...definitions.map((definition) => definition?.approvals ?? 1));
  }

  /** What a tool that comes with the server knows of its risk holds for whatever is laid over it. */
  function guardOf(name: string): Guard | null {
    return builtIn.get(name)?.guard ?? null;
  }

  /** An override never makes it weaker, either (P2a). */
  function effectOf(name: string): Effect[] {
    return [builtIn.get(name)?.effect ?? [], mcp.find(name)?.effect ?? []].flat();
  }

  function toolOf({ definition, http }: Kept): RegisteredTool {
    const { name, description, schema } = definition;
    const prescribed = prescribedActivity(schema);
    const byName = http ?? activity(name) ?? null;
    const handler = prescribed === null ? byName : (activity(prescribed) ?? withoutActivity(prescribed));
    // Carrying out what another tool does is as risky as that tool.
    const approvals = Math.max(definition.approvals ?? 1, ...[name, prescribed ?? name].map(approvalsOf));
    const requires_confirmation =
      [name, prescribed ?? name].some(isRisky) || definition.requires_confirmation || approvals > 1;
    const guard = guardOf(name) ?? guardOf(prescribed ?? name);
    const effect = strongest([definition.effect ?? "change", ...[name, prescribed ?? name].flatMap(effectOf)]);
    return {
      ...{ name, description, schema, requires_confirmation, effect, guard, has_activity: handler !== null, handler },
      ...(approvals > 1 && { approvals }),
    };
  }

  function find(name: string): ListedTool | undefined {
    const kept = registered.get(name);
    if (kept) return { ...toolOf(kept), source: "api", http: kept.definition.activity ?? null };
    const theirs = mcp.find(name);
    if (theirs) {
      const guard = theirs.guard ?? guardOf(name);
      const effect = strongest(effectOf(name));
      return { ...theirs, requires_confirmation: isRisky(name), guard, effect, source: "mcp", http: null };
    }
    const own = builtIn.get(name);
    const requires_confirmation = isRisky(name);
    return own && { ...own, requires_confirmation, has_activity: true, source: "built-in", http: null };
  }

  /** Throws `InvalidInput` naming each place that does not hold. */
  function check(definition: ToolDefinition): void {
    const faults = [
      ...(definition.activity ? httpFaults(definition.name, definition.activity, options.http) : []),
      ...schemaFaults(toolOf({ definition, http: null }), checker),
    ];
    const [first] = faults;
    if (first) throw new InvalidInput(`${first.path} of the tool ${definition.name} ${first.message}`, faults);
  }

  /** The definition with each of its headers as `change` makes it. */
  function withHeaders(definition: ToolDefinition, change: typeof sealHeader): ToolDefinition {
    const { name: tool, activity } = definition;
    if (!activity) return definition;
    const place = { tool, method: activity.method, url: activity.url };
    const headers = Object.entries(activity.headers).map(([name, value]) => [
      name,
      change(name, value, place, options.http.sealing),
    ]);
    return { ...definition, activity: { ...activity, headers: Object.fromEntries(headers) } };
  }

  function sealed(definition: ToolDefinition): ToolDefinition {
    return withHeaders(definition, sealHeader);
  }

  return {
    find,
    activity,
    sealed,
    list() {
      // Registered ones by name, as they are read at a start.
      const added = [...registered.keys()].sort();
      const names = new Set([...builtIn.keys(), ...mcp.list().map(({ name }) => name), ...added]);
      return [...names].flatMap((name) => find(name) ?? []);
    },
    make(definition) {
      check(definition);
      return toolOf(keep(definition));
    },
    accept: (definition) => void registered.set(definition.name, keep(definition)),
    async register(definition, actor) {
      check(definition);
      const approvals = Math.max(definition.approvals ?? 1, approvalsOf(definition.name));
      const requires_confirmation = definition.requires_confirmation || isRisky(definition.name) || approvals > 1;
      const kept = keep({ ...sealed(definition), requires_confirmation, ...(approvals > 1 && { approvals }) });
      await options.definitions.save(kept.definition, actor);
      registered.set(definition.name, kept);
      return { ...toolOf(kept), source: "api", http: kept.definition.activity ?? null };
    },
  };
}

/** The activity that a tool's schema fixes for its calls (P2); null for none. */
function prescribedActivity({ properties }: JsonObject): string | null {
  const meta = isJsonObject(properties) ? properties._activity : undefined;
  return isJsonObject(meta) && typeof meta.const === "string" ? meta.const : null;
}

/** Stands for an activity that is not there: the tool is not latent, and its calls say what is missing. */
function withoutActivity(name: string): Handler {
  const activity = async () => {
    throw new ActivityError(
      "no_activity",
      `There is no activity ${name}; register a tool of that name with an activity`,
      {
        did_not_happen: true,
        transient: false,
      },
    );
  };
  return { activity, idempotent: true, timeout_ms: 1_000, retries: 0 };
}
