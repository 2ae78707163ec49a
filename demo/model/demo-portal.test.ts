import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, it } from "vitest";
import { ActivityError, Choice } from "../../lib/engine/tools/activity.ts";
import type { BuiltInTool } from "../../lib/engine/tools/tools.ts";
import { createModel } from "../../lib/model/model-client.ts";
import type { JsonObject } from "../../lib/session/json/json.ts";
import { startDemoPortal } from "../crm-portal/portal.ts";
import { startScriptedModel } from "./server.ts";
import type { Came } from "./testing/conversation.ts";
import { talk, toolsAt } from "./testing/crm.ts";

/** Messages of a new user in order, with expected parts of the answers. */
const SAID: [message: string, answer: RegExp][] = [
  ["список сделок", /^\*\*Сделки: \d+\*\*\n\n- \d+: .+, стадия/],
  ["list contacts", /^\*\*Contacts: \d+\*\*\n\n- \d+: \S+ \S+\n/],
  ["компании", /^\*\*Компании: \d+\*\*\n\n- \d+: /],
  ["list tasks", /^\*\*Tasks: \d+\*\*\n\n- \d+: .+, due \d+ [A-Z][a-z]+ \d{4}/],
  ["список сотрудников", /^\*\*Сотрудники: \d+\*\*\n\n- 1: \S+ \S+, /],
  ["покажи сделку 123", /^\*\*Сделка 123: Загородный дом.+\*\*\n\n- Сумма: 85.000.₽\n/],
  ["измени её сумму на 150 000 ₽", /теперь \*\*150.000.₽\*\*\. Была 85.000.₽\.$/],
  ["assign deal 123 to user 2", /^Done: user 2 is now responsible for deal 123 .+ It was user 3\.$/],
  ["assign deal 123 to user 999", /^I could not make user 999 responsible for deal 123\. .*"Responsible"/],
  ["добавь комментарий: перезвонить", /^Готово: комментарий добавлен к сделке 123: «перезвонить»\.$/],
  ["покажи задачу 456", /^\*\*Задача 456: Согласовать/],
  ["move its deadline to 5 May 2030 at 18:00", /is now \*\*5 May 2030 at 18:00\*\*\. It was/],
  ["передай задачу 456 сотруднику 3", /теперь отвечает сотрудник 3\.$/],
  ["create a task: call Anna by 5 May 2030", /^Done: task \d+ “call Anna” was created \(due 5 May 2030\)\.$/],
  ["создай контакт Анна Орлова, телефон +7 900 123-45-67", /^Готово: создан контакт \d+, \*\*Анна Орлова\*\*/],
  ["show contact", /^\*\*Contact \d+: Анна Орлова\*\*\n\n- Phone: \+79001234567$/],
  ["show company 11", /^\*\*Company 11: /],
  ["покажи сделку 99999", /^Не получилось показать сделку 99999\. Ответ был такой: Not found\.$/],
];

it("D7, M14: the scripted model, its client, the tools and the demo portal work together", async () => {
  const folder = await mkdtemp(join(tmpdir(), "obelus-scripted-"));
  const logger = pino({ level: "silent" });
  const portal = await startDemoPortal({ file: join(folder, "portal.sqlite"), logger });
  const scripted = await startScriptedModel({ logger });
  const model = createModel({ ...scripted, folder: null });
  const { conversation } = talk(
    async (request) => {
      for await (const part of model.respond(request, AbortSignal.timeout(20_000)))
        if (part.type === "done") return part.answer;
      throw new Error("The answer was not done");
    },
    toolsAt(portal.webhookUrl),
    carryOut,
  );
  try {
    for (const [message, answer] of SAID) expect(await conversation.say(message)).toMatch(answer);
  } finally {
    await Promise.all([portal.close(), scripted.close()]);
    await rm(folder, { recursive: true });
  }
});

async function carryOut({ name, handler }: BuiltInTool, params: JsonObject): Promise<Came> {
  const call = { conversation_id: "c", run_id: "r", iteration: 1, call_id: "c1", instance: "", tool: name, attempt: 1 };
  try {
    const result = await handler.activity(params, [], {
      ...call,
      idempotency_key: "k",
      signal: AbortSignal.timeout(20_000),
      report: () => undefined,
    });
    return { output: result instanceof Choice ? result.value : result };
  } catch (error) {
    if (!(error instanceof ActivityError)) throw error;
    return { status: "failed", error: { code: error.code, message: error.message } };
  }
}
