import type { Activity } from "../engine/tools/activity.ts";
import type { BuiltInTool, Guard } from "../engine/tools/tools.ts";
import type { RiskRules } from "../memory/actions/risk.ts";
import type { JsonObject } from "../session/json/json.ts";
import { type BitrixClient, PAGE } from "./client.ts";
import { batchActivity, batchMethod, commandsIn } from "./tools/batch.ts";
import { valuesBefore, valuesBeforeAll } from "./tools/before.ts";
import { CRM_OBJECTS } from "./tools/crm-objects.ts";
import { DIRECTORIES, EVENTS } from "./tools/directories.ts";
import { guardOf } from "./tools/guard.ts";
import { type CrmMethod, wireName, wireParams } from "./tools/method.ts";
import { listResult, toolResult } from "./tools/result.ts";
import { TASKS } from "./tools/tasks.ts";

export interface CrmTools {
  client: BitrixClient;
  /** Which changes need approval (M13). */
  riskRules: RiskRules;
}

const METHODS: readonly CrmMethod[] = [...CRM_OBJECTS, ...TASKS, ...DIRECTORIES, ...EVENTS];
const BY_NAME: ReadonlyMap<string, CrmMethod> = new Map(METHODS.map((method) => [method.name, method]));
const BATCH = batchMethod(METHODS);

/**
 * The methods of a Bitrix24 portal as tools (M14): each returns the portal's result, lists as `{items, total, next}`,
 * and a batch `{result, result_error}`. Errors are those of the client.
 */
export function crmTools({ client, riskRules }: CrmTools): BuiltInTool[] {
  const single = METHODS.map((method) =>
    toolOf(method, client, {
      activity: activityOf(method, client),
      guard: guardOf(method.name, riskRules, (params, signal) => valuesBefore(client, method.name, params, signal)),
    }),
  );
  const batch = toolOf(BATCH, client, {
    activity: batchActivity(client, BY_NAME),
    guard: guardOf(BATCH.name, riskRules, (params, signal) =>
      valuesBeforeAll(client, commandsIn(params, BY_NAME), signal),
    ),
  });
  return [...single, batch];
}

function activityOf(method: CrmMethod, client: BitrixClient): Activity {
  return async (params, _scopes, { signal }) => {
    const sent = wireParams(method, params);
    if (method.list) {
      const limit = typeof params.limit === "number" ? params.limit : PAGE;
      return listResult(await client.list(wireName(method), sent, { limit, signal }));
    }
    const { result } = await client.call(wireName(method), sent, { signal });
    return toolResult(method, result);
  };
}

function toolOf(method: CrmMethod, client: BitrixClient, parts: { activity: Activity; guard: Guard }): BuiltInTool {
  const { name, description, effect } = method;
  const { activity, guard } = parts;
  return {
    name,
    description,
    schema: schemaOf(method),
    effect,
    requires_confirmation: false,
    // The client retries by itself, as it knows the portal's limits.
    handler: { activity, idempotent: effect === "read", timeout_ms: client.patience_ms, retries: 0 },
    guard,
  };
}

const CONFIRMATION: JsonObject = {
  type: "boolean",
  description: "Set to true to require approval. Risky actions always require it.",
};

function schemaOf({ parameters, required, output }: CrmMethod): JsonObject {
  return {
    type: "object",
    properties: { ...parameters, requires_confirmation: CONFIRMATION, _output: output },
    required: [...required],
    additionalProperties: false,
  };
}
