import { createBitrixClient } from "../../../lib/crm/client.ts";
import { crmTools } from "../../../lib/crm/tools.ts";
import { dialogTools } from "../../../lib/dialog/tools.ts";
import { createSchemaChecker } from "../../../lib/engine/json-schema.ts";
import type { ModelAnswer, ModelRequest } from "../../../lib/engine/model.ts";
import type { BuiltInTool } from "../../../lib/engine/tools/tools.ts";
import { keyOf } from "../../../lib/memory/actions/action-key.ts";
import { describeAction } from "../../../lib/memory/actions/describe-action.ts";
import type { Effect, Happening } from "../../../lib/memory/actions/happening.ts";
import { DEFAULT_RISK_RULES } from "../../../lib/memory/actions/risk.ts";
import { emptyDocument } from "../../../lib/memory/document.ts";
import { update } from "../../../lib/memory/update.ts";
import { parameterSchema } from "../../../lib/plan/schema/tool-schema.ts";
import { memoryTools } from "../../../lib/server/wiring/memory-tools.ts";
import { isJsonObject, type JsonObject } from "../../../lib/session/json/json.ts";
import { type Came, Conversation } from "./conversation.ts";

type Ask = (request: ModelRequest) => Promise<Pick<ModelAnswer, "text" | "calls">>;

/** The tools of the shipped CRM agent, for the portal of this webhook. */
export function toolsAt(webhookUrl: string): BuiltInTool[] {
  const crm = crmTools({ client: createBitrixClient({ webhookUrl }), riskRules: DEFAULT_RISK_RULES });
  return [...memoryTools, ...crm, ...dialogTools.filter(({ name }) => name === "CallManager")];
}

/** No server listens there. */
export const TOOLS = toolsAt("http://127.0.0.1:9/rest/1/none/");

const checker = createSchemaChecker();
const AT = "2026-04-10T09:00:00Z";

/** A conversation with the CRM agent, with its own memory; an invalid call fails the test. */
export function talk(
  ask: Ask,
  builtIn: readonly BuiltInTool[],
  carryOut: (tool: BuiltInTool, params: JsonObject) => Came | Promise<Came>,
) {
  let document = emptyDocument();
  const tools = builtIn.map((tool) => ({ ...tool, has_activity: true }));
  const conversation = new Conversation({
    tools,
    ask,
    memory: () => JSON.parse(JSON.stringify(document)),
    async carryOut(name, params) {
      const tool = tools.find((each) => each.name === name);
      if (!tool) throw new Error(`There is no tool ${name}`);
      const faults = checker.faults(parameterSchema(tool), params);
      if (faults.length > 0)
        throw new Error(`${name} does not take ${JSON.stringify(params)}: ${JSON.stringify(faults)}`);
      const came = await carryOut(tool, params);
      for (const happening of happeningsOf(came, { method: name, params }, tool.effect))
        document = update(document, happening, "en");
      return came;
    },
  });
  return { conversation, memory: () => document };
}

/** The same with a portal of one deal and one task, and a person who decides, all set by the test. */
export function crmConversation(ask: Ask) {
  const deal: JsonObject = {
    ...{ ID: "123", TITLE: "Поставка станков", OPPORTUNITY: "100000.00", CURRENCY_ID: "RUB", STAGE_ID: "NEW" },
    ...{ ASSIGNED_BY_ID: "1", CONTACT_ID: "5", COMPANY_ID: null, CLOSEDATE: "2026-05-05T03:00:00+03:00" },
  };
  const task: JsonObject = { id: "456", title: "Позвонить", deadline: null, responsibleId: "1", description: "" };
  const world = {
    deal,
    /** The outcome of changes, instead of success. */
    verdict: null as Came | null,
    /** The fields as edited on approval. */
    approvedAs: null as JsonObject | null,
    /** The total number of deals. */
    total: 1,
  };

  function carryOut({ name }: BuiltInTool, params: JsonObject): Came {
    const fields = isJsonObject(params.fields) ? params.fields : {};
    switch (name) {
      case "crm.deal.get":
        return Number(params.id) === 123 ? { output: { ...deal } } : failed("Not found");
      case "crm.deal.update":
        if (world.verdict) return world.verdict;
        Object.assign(deal, world.approvedAs ?? fields);
        return { output: true };
      case "crm.deal.list":
        return { output: { items: [deal], total: world.total, next: null } };
      case "tasks.task.get":
        return { output: { task: { ...task } } };
      case "tasks.task.update":
        if (world.verdict) return world.verdict;
        task.deadline = fields.DEADLINE ?? task.deadline ?? null;
        task.responsibleId = fields.RESPONSIBLE_ID ?? task.responsibleId ?? null;
        return { output: { task: true } };
      case "tasks.task.add":
        return { output: { task: { id: "790", title: fields.TITLE ?? null } } };
      case "crm.contact.list":
        return { output: { items: [], total: 0, next: null } };
      case "user.current":
        return { output: { ID: "1", NAME: "Анна" } };
      case "crm.contact.add":
      case "crm.timeline.comment.add":
        return { output: 900 };
      default:
        return { output: { goal: params.goal ?? null } };
    }
  }

  return Object.assign(world, talk(ask, TOOLS, carryOut));
}

function failed(message: string): Came {
  return { status: "failed", error: { code: "http_400", message } };
}

function happeningsOf(came: Came, action: { method: string; params: JsonObject }, effect: Effect): Happening[] {
  if ("output" in came) return [{ type: "carried_out", action, result: came.output, effect, at: AT }];
  if (came.status !== "denied") return [];
  const key = keyOf(action) ?? action.method;
  return [
    { type: "requested", key, action, description: describeAction(action, "en"), at: AT },
    { type: "denied", key, action, reason: came.reason ?? "", at: AT },
  ];
}
