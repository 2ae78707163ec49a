import { type ActivityCall, ActivityError } from "../../engine/tools/activity.ts";
import type { BuiltInTool } from "../../engine/tools/tools.ts";
import { DEFAULT_RISK_RULES } from "../../memory/actions/risk.ts";
import type { JsonObject } from "../../session/json/json.ts";
import { type BitrixOptions, createBitrixClient } from "../client.ts";
import { crmTools } from "../tools.ts";
import { fakePortal, type Method } from "./fake-portal.ts";
import { TestClock } from "./test-clock.ts";

const call: ActivityCall = {
  conversation_id: "c1",
  run_id: "r1",
  iteration: 1,
  call_id: "deal",
  instance: "",
  tool: "crm.deal.get",
  attempt: 1,
  idempotency_key: "r1/1/deal",
  signal: new AbortController().signal,
  report: () => undefined,
};

/** The tools for a webhook. */
export function toolsAt(webhookUrl: string, options: Partial<BitrixOptions> = {}) {
  const client = createBitrixClient({ webhookUrl, ...options });
  const tools = new Map(crmTools({ client, riskRules: DEFAULT_RISK_RULES }).map((tool) => [tool.name, tool]));

  function toolOf(name: string): BuiltInTool {
    const tool = tools.get(name);
    if (!tool) throw new Error(`There is no tool ${name}`);
    return tool;
  }

  function use(name: string, params: JsonObject) {
    return toolOf(name).handler.activity(params, [], { ...call, tool: name });
  }

  return {
    tools,
    toolOf,
    /** Executes a tool. */
    use,
    /** The error of a tool. */
    async failure(name: string, params: JsonObject): Promise<ActivityError> {
      try {
        await use(name, params);
      } catch (error) {
        if (error instanceof ActivityError) return error;
        throw error;
      }
      throw new Error(`${name} did not fail`);
    },
    guard(name: string) {
      const { guard } = toolOf(name);
      if (!guard) throw new Error(`${name} has no guard`);
      return guard;
    },
  };
}

/** The tools on a fake portal, with a test clock. */
export async function toolBench(methods: Record<string, Method>) {
  const server = await fakePortal(methods);
  const clock = new TestClock();
  return {
    ...toolsAt(server.webhookUrl, { clock, random: () => 1 }),
    clock,
    /** All requests, in order of arrival. */
    asked: server.asked,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
