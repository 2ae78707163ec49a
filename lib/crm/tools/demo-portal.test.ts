import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startDemoPortal } from "../../../demo/crm-portal/portal.ts";
import { createSchemaChecker } from "../../engine/json-schema.ts";
import type { BuiltInTool } from "../../engine/tools/tools.ts";
import { outputSchema, parameterSchema } from "../../plan/schema/tool-schema.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json/json.ts";
import { toolsAt } from "../testing/tool-bench.ts";

const checker = createSchemaChecker();
const { signal } = new AbortController();
const dir = mkdtempSync(join(tmpdir(), "obelus-crm-"));
const logged: object[] = [];
let portal: Awaited<ReturnType<typeof startDemoPortal>>;
let at: ReturnType<typeof toolsAt>;

beforeAll(async () => {
  portal = await startDemoPortal({
    file: join(dir, "portal.sqlite"),
    logger: { error: (fields) => void logged.push(fields) },
  });
  at = toolsAt(portal.webhookUrl);
});

afterAll(async () => {
  await portal.close();
  rmSync(dir, { recursive: true });
});

/** Calls a tool, and checks parameters and result against its schemas. */
async function use(name: string, params: JsonObject): Promise<Json> {
  const tool: BuiltInTool = at.toolOf(name);
  const inPlan = { ...tool, has_activity: true };
  expect(checker.faults(parameterSchema(inPlan), params), name).toEqual([]);
  const result: Json = JSON.parse(JSON.stringify(await at.use(name, params)));
  expect(checker.faults(outputSchema(inPlan) ?? false, result), name).toEqual([]);
  return result;
}

function objectOf(value: Json | undefined): JsonObject {
  if (!isJsonObject(value)) throw new Error(`${JSON.stringify(value)} is no object`);
  return value;
}

/** The first item of a list. */
async function firstOf(name: string, params: JsonObject = {}): Promise<JsonObject> {
  const { items } = objectOf(await use(name, params));
  return objectOf(Array.isArray(items) ? items[0] : undefined);
}

describe("M14: the tools on the demo portal", () => {
  it("list, and get what they list", async () => {
    for (const kind of ["deal", "contact", "company", "activity"]) {
      const { ID: id = null } = await firstOf(`crm.${kind}.list`);
      expect(objectOf(await use(`crm.${kind}.get`, { id })).ID).toBe(id);
    }
    const { id: taskId = null } = await firstOf("tasks.task.list");
    expect(objectOf(await use("tasks.task.get", { taskId })).task).toMatchObject({ id: taskId });
    const { ID = null } = await firstOf("sonet.group.get");
    expect(await firstOf("sonet.group.user.get", { ID })).toMatchObject({ ROLE: expect.any(String) });
    for (const name of ["crm.deal.category.list", "crm.deal.category.stage.list", "crm.status.list", "user.get"])
      expect(await firstOf(name)).toMatchObject({ NAME: expect.any(String) });
    expect(objectOf(await use("user.current", {})).ID).toEqual(expect.any(String));
  });

  it("create, update and return replaced values", async () => {
    const id = await use("crm.deal.add", { fields: { TITLE: "Servers", OPPORTUNITY: 50000 } });
    const change = { id, fields: { OPPORTUNITY: 100000, TITLE: "More servers" } };
    const before = objectOf(await at.guard("crm.deal.update").before(change, signal));
    expect([before.TITLE, Number(before.OPPORTUNITY)]).toEqual(["Servers", 50000]);
    expect(await use("crm.deal.update", change)).toBe(true);
    const deal = objectOf(await use("crm.deal.get", { id }));
    expect([deal.TITLE, Number(deal.OPPORTUNITY)]).toEqual(["More servers", 100000]);
    const fields = { ENTITY_TYPE: "deal", ENTITY_ID: id, COMMENT: "Agreed" };
    expect(Number(await use("crm.timeline.comment.add", { fields }))).toBeGreaterThan(0);
  });

  it("create and update tasks", async () => {
    const made = objectOf(await use("tasks.task.add", { fields: { TITLE: "Call", RESPONSIBLE_ID: 1 } }));
    const taskId = objectOf(made.task).id ?? null;
    const change = { taskId, fields: { DEADLINE: "2026-05-31T18:00:00+03:00" } };
    expect(await at.guard("tasks.task.update").before(change, signal)).toEqual({ DEADLINE: null });
    await use("tasks.task.update", change);
    expect(objectOf(objectOf(await use("tasks.task.get", { taskId })).task).deadline).toContain("2026-05-31T18:00");
    await use("task.commentitem.add", { TASKID: taskId, FIELDS: { POST_MESSAGE: "Done soon" } });
    await use("task.checklistitem.add", { TASKID: taskId, FIELDS: { TITLE: "Find the phone" } });
  });

  it("create clients and activities", async () => {
    const PHONE = [{ VALUE: "+7 495 000-00-00", VALUE_TYPE: "WORK" }];
    const COMPANY_ID = await use("crm.company.add", { fields: { TITLE: "Gazelle", PHONE } });
    const OWNER_ID = await use("crm.contact.add", { fields: { NAME: "Ada", LAST_NAME: "Smith", COMPANY_ID, PHONE } });
    expect(objectOf(await use("crm.contact.get", { id: OWNER_ID })).PHONE).toMatchObject(PHONE);
    expect(await use("crm.contact.update", { id: OWNER_ID, fields: { POST: "Director" } })).toBe(true);
    expect(await use("crm.company.update", { id: COMPANY_ID, fields: { INDUSTRY: "IT" } })).toBe(true);
    const fields = {
      ...{ SUBJECT: "First call", TYPE_ID: 2, OWNER_TYPE_ID: 3, OWNER_ID, RESPONSIBLE_ID: 1, DIRECTION: 2 },
      ...{ START_TIME: "2026-05-31T18:00:00+03:00", END_TIME: "2026-05-31T18:30:00+03:00" },
      COMMUNICATIONS: [{ VALUE: "+7 495 000-00-00", ENTITY_ID: OWNER_ID, ENTITY_TYPE_ID: 3 }],
    };
    const id = await use("crm.activity.add", { fields });
    expect(await use("crm.activity.update", { id, fields: { DESCRIPTION: "About servers" } })).toBe(true);
  });

  it("subscribe to events, and unsubscribe", async () => {
    const binding = { event: "ONCRMDEALADD", handler: "https://example.org/hook" };
    expect(await use("event.bind", binding)).toBe(true);
    const { items } = objectOf(await use("event.get", {}));
    expect(items).toContainEqual(expect.objectContaining(binding));
    expect(await use("event.unbind", binding)).toEqual({ count: 1 });
  });

  it("execute a batch with references between commands, and with failures", async () => {
    const { ID: id = null } = await firstOf("crm.deal.list", { filter: { ">COMPANY_ID": 0 } });
    const result = await use("batch", {
      cmd: {
        deal: { method: "crm.deal.get", params: { id } },
        company: { method: "crm.company.get", params: { id: "$result[deal][COMPANY_ID]" } },
        groups: { method: "sonet.group.get", params: { FILTER: { ACTIVE: "Y" } } },
        gone: { method: "crm.deal.get", params: { id: 999_999 } },
        title: { method: "crm.deal.update", params: { id, fields: { TITLE: "A & B = 100% [sure]" } } },
      },
    });
    const { result: done, result_error } = objectOf(result);
    const { deal, company, groups } = objectOf(done);
    expect(objectOf(company).ID).toBe(objectOf(deal).COMPANY_ID);
    expect(objectOf(groups)).toMatchObject({ items: expect.any(Array), next: null });
    expect(Object.keys(objectOf(result_error))).toEqual(["gone"]);
    expect(objectOf(await use("crm.deal.get", { id })).TITLE).toBe("A & B = 100% [sure]");
  });

  it("fail with its errors, and it has no internal error", async () => {
    await expect(at.use("crm.deal.get", { id: 999_999 })).rejects.toMatchObject({ message: "Not found" });
    await expect(at.use("tasks.task.get", { taskId: 999_999 })).rejects.toMatchObject({ code: "not_found" });
    expect(logged).toEqual([]);
  });
});
