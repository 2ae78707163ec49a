import { describe, expect, it, test } from "vitest";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { DEFAULT_RISK_RULES, riskOf, riskRules } from "./risk.ts";

const risk = (method: string, params: JsonObject, rules = DEFAULT_RISK_RULES) => riskOf({ method, params }, rules);
const cmd = (commands: Json) => risk("batch", { cmd: commands });

describe("fields", () => {
  it.each(["OPPORTUNITY", "ASSIGNED_BY_ID", "STAGE_ID", "CATEGORY_ID"])(
    "M13: a change of %s of a deal is asked for",
    (field) => {
      expect(risk("crm.deal.update", { id: 1, fields: { TITLE: "a", [field]: 5 } })).toEqual([field]);
    },
  );

  it.each(["RESPONSIBLE_ID", "DEADLINE"])("M13: a change of %s of a task or an activity is asked for", (field) => {
    for (const method of ["tasks.task.update", "task.item.update", "crm.activity.update"])
      expect(risk(method, { taskId: 1, fields: { TITLE: "a", [field]: 5 } })).toEqual([field]);
  });

  it("M13: all of them are named", () => {
    const fields = { CATEGORY_ID: 1, OPPORTUNITY: 5 };
    expect(risk("crm.deal.update", { id: 1, fields })).toEqual(["OPPORTUNITY", "CATEGORY_ID"]);
  });

  it.each<[JsonObject]>([
    [{ fields: { opportunity: 5 } }],
    [{ FIELDS: { Opportunity: 5 } }],
    [{ fields: { " OPPORTUNITY ": 5 } }],
    [{ params: { fields: { OPPORTUNITY: 5 } } }],
    [{ OPPORTUNITY: 5 }],
    [{ "fields[OPPORTUNITY]": 5 }],
    [{ fields: { TITLE: "a" }, FIELDS: { OPPORTUNITY: 5 } }],
    [{ fields: [{ OPPORTUNITY: 5 }] }],
    [{ fields: { OPPORTUNITY: null } }],
  ])("M13: however it is written, it is found: %j", (params) => {
    expect(risk("crm.deal.update", { id: 1, ...params })).toEqual(["OPPORTUNITY"]);
    expect(risk("CRM.Deal.Update.json", { id: 1, ...params })).toEqual(["OPPORTUNITY"]);
  });

  it("M13: task fields are also recognized in camel case", () => {
    expect(risk("tasks.task.update", { taskId: 1, fields: { responsibleId: 5 } })).toEqual(["RESPONSIBLE_ID"]);
    expect(risk("crm.item.update", { entityTypeId: 2, id: 1, fields: { stageId: "WON" } })).toEqual(["STAGE_ID"]);
  });

  it.each<[string, JsonObject]>([
    ["crm.deal.update", { id: 1, fields: { TITLE: "OPPORTUNITY" } }],
    ["crm.deal.add", { fields: { OPPORTUNITY: 5, STAGE_ID: "NEW" } }],
    ["crm.deal.list", { filter: { STAGE_ID: "NEW" } }],
    ["tasks.task.add", { fields: { DEADLINE: "2024-05-05", RESPONSIBLE_ID: 1 } }],
    ["crm.contact.update", { id: 1, fields: { ASSIGNED_BY_ID: 5 } }],
    ["event.get", {}],
    ["issueRefund", { OPPORTUNITY: 5 }],
  ])("M13: %s with %j is not asked for", (method, params) => {
    expect(risk(method, params)).toBeNull();
  });
});

test("M13: event.bind and event.unbind require approval", () => {
  expect(risk("event.bind", { event: "a", handler: "b" })).toEqual(["event.bind"]);
  expect(risk("Event.Unbind", { event: "a" })).toEqual(["event.unbind"]);
});

describe("a batch", () => {
  it.each<[Json, string[]]>([
    [{ a: "crm.deal.get?id=1", b: "crm.deal.update?id=1&fields[OPPORTUNITY]=5" }, ["crm.deal.update: OPPORTUNITY"]],
    [["crm.deal.update?id=1&fields%5Bopportunity%5D=5"], ["crm.deal.update: OPPORTUNITY"]],
    [["/CRM.deal.update.json?fields[STAGE_ID]=WON&fields[OPPORTUNITY]=5"], ["crm.deal.update: OPPORTUNITY, STAGE_ID"]],
    [[{ method: "tasks.task.update", params: { fields: { DEADLINE: "x" } } }], ["tasks.task.update: DEADLINE"]],
    [[["event.bind", { event: "a" }]], ["event.bind"]],
    [["event.unbind"], ["event.unbind"]],
    [{ in: `batch?cmd[x]=${encodeURIComponent("event.bind?event=a")}` }, ["batch: event.bind"]],
    [
      [{ method: "batch", params: { cmd: ["batch?cmd[]=crm.deal.update%3Ffields[STAGE_ID]=WON"] } }],
      ["batch: batch: crm.deal.update: STAGE_ID"],
    ],
  ])("M13: with a risky command is asked for: %j", (commands, found) => {
    expect(cmd(commands)).toEqual(found);
  });

  it.each<[Json]>([[[5]], [{ a: null }], ["crm.deal.get?id=1"], [[{ params: {} }]]])(
    "M13: with what cannot be read is asked for: %j",
    (commands) => {
      expect(cmd(commands)).not.toBeNull();
    },
  );

  it("M13: of safe commands needs no approval", () => {
    expect(cmd({ a: "crm.deal.list?filter[STAGE_ID]=NEW", b: "crm.deal.add?fields[OPPORTUNITY]=5" })).toBeNull();
    expect(cmd([])).toBeNull();
    expect(risk("batch", {})).toBeNull();
  });
});

test("M13: the rules are configurable", () => {
  const rules = riskRules.parse({ fields: { "shop.refund": ["amount"] }, methods: ["shop.close", "batch"] });
  expect(risk("shop.refund", { amount: 5 }, rules)).toEqual(["amount"]);
  expect(risk("shop.close", {}, rules)).toEqual(["shop.close"]);
  expect(risk("batch", { cmd: [] }, rules)).toEqual(["batch"]);
  expect(risk("crm.deal.update", { fields: { OPPORTUNITY: 5 } }, rules)).toBeNull();
  expect(riskRules.parse(DEFAULT_RISK_RULES)).toEqual(DEFAULT_RISK_RULES);
  expect(riskRules.safeParse({ fields: {}, methods: [], extra: 1 }).success).toBe(false);
});
