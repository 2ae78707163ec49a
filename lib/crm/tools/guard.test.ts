import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../session/json/json.ts";
import type { Method } from "../testing/fake-portal.ts";
import { toolBench } from "../testing/tool-bench.ts";

const { signal } = new AbortController();

const PORTAL: Record<string, Method> = {
  "crm.deal.get": ({ id }) =>
    String(id) === "404"
      ? { error: "", error_description: "Not found", status: 400 }
      : { result: { ID: String(id), TITLE: "Servers", OPPORTUNITY: "50000.00", STAGE_ID: "NEW", UF_CRM_1: null } },
  "tasks.task.get": ({ taskId }) => ({
    result: {
      task: { id: String(taskId), deadline: "2024-05-01T19:00:00+03:00", responsibleId: "5", ufCrmTask: ["D_1"] },
    },
  }),
};

/** The values that a call would replace, and the requests for them. */
async function beforeOf(name: string, params: JsonObject) {
  await using bench = await toolBench(PORTAL);
  return { before: await bench.guard(name).before(params, signal), asked: bench.asked };
}

describe("M13: what requires approval", () => {
  it.each<[string, JsonObject, string | null]>([
    ["crm.deal.update", { id: 1, fields: { OPPORTUNITY: 5, TITLE: "x", STAGE_ID: "WON" } }, "OPPORTUNITY, STAGE_ID"],
    ["crm.deal.update", { id: 1, fields: { TITLE: "x" } }, null],
    ["crm.deal.add", { fields: { OPPORTUNITY: 5 } }, null],
    ["tasks.task.update", { taskId: 1, fields: { DEADLINE: "2026-05-31" } }, "DEADLINE"],
    ["event.bind", { event: "ONCRMDEALADD", handler: "https://example.org" }, "event.bind"],
    [
      "batch",
      {
        cmd: {
          a: { method: "user.current" },
          b: { method: "crm.deal.update", params: { id: 1, fields: { STAGE_ID: "WON" } } },
        },
      },
      "crm.deal.update: STAGE_ID",
    ],
    ["batch", { cmd: { a: { method: "user.current" } } }, null],
  ])("%s %j: %s", async (name, params, risky) => {
    await using bench = await toolBench({});
    expect(bench.guard(name).risk(params)).toBe(risky && `Requires approval: ${risky}`);
  });

  it("also if the model requests approval", async () => {
    await using bench = await toolBench({});
    const { risk } = bench.guard("crm.deal.add");
    expect(risk({ fields: { TITLE: "x" }, requires_confirmation: true })).toBe("The agent requests approval");
    expect(risk({ fields: { TITLE: "x" }, requires_confirmation: false })).toBeNull();
    const { risk: riskOfUpdate } = bench.guard("crm.deal.update");
    expect(riskOfUpdate({ id: 1, fields: { OPPORTUNITY: 5 }, requires_confirmation: false })).not.toBeNull();
  });

  it("M9: the action has no approval flag of the model", async () => {
    await using bench = await toolBench({});
    const guard = bench.guard("crm.deal.update");
    const params = { id: 123, fields: { OPPORTUNITY: 100000 } };
    const flagged = { ...params, requires_confirmation: true };
    expect(guard.actionOf(flagged)).toEqual({ method: "crm.deal.update", params });
    expect(guard.keyOf(flagged)).toBe("deal_123_opportunity");
    expect(guard.describe(flagged, "en")).toBe(guard.describe(params, "en"));
    expect(guard.describe(flagged, "en")).toMatch(/123.*100[, ]?000/);
    expect(guard.describe(flagged, "ru")).toMatch(/сделк.* 123/);
  });
});

describe("M9: the values that a call would replace", () => {
  it("are those of the changed fields, as of now", async () => {
    const { before, asked } = await beforeOf("crm.deal.update", {
      id: 123,
      fields: { OPPORTUNITY: 100000, STAGE_ID: "WON", UF_CRM_1: "x" },
      requires_confirmation: true,
    });
    expect(before).toEqual({ OPPORTUNITY: "50000.00", STAGE_ID: "NEW", UF_CRM_1: null });
    expect(asked).toEqual([{ method: "crm.deal.get", params: { id: 123 } }]);
  });

  it("have the names that are used for writing tasks", async () => {
    const fields = { DEADLINE: "2024-05-05", RESPONSIBLE_ID: 7, UF_CRM_TASK: [] };
    const { before, asked } = await beforeOf("tasks.task.update", { taskId: 456, fields });
    expect(before).toEqual({ DEADLINE: "2024-05-01T19:00:00+03:00", RESPONSIBLE_ID: "5", UF_CRM_TASK: ["D_1"] });
    expect(asked[0]?.params).toEqual({ taskId: 456, select: ["ID", "DEADLINE", "RESPONSIBLE_ID", "UF_CRM_TASK"] });
  });

  it("leave out what the portal does not return", async () => {
    const { before } = await beforeOf("crm.deal.update", {
      id: 1,
      fields: { TITLE: "x", CONTACT_IDS: [1], constructor: 1 },
    });
    expect(before).toEqual({ TITLE: "Servers" });
  });

  it.each<[string, JsonObject]>([
    ["crm.deal.add", { fields: { TITLE: "x" } }],
    ["tasks.task.add", { fields: { TITLE: "x", RESPONSIBLE_ID: 1 } }],
    ["event.bind", { event: "ONCRMDEALADD", handler: "https://example.org" }],
    ["crm.deal.get", { id: 1 }],
    ["batch", { cmd: { a: { method: "crm.deal.add", params: { fields: { TITLE: "x" } } } } }],
  ])("are none for %s, and nothing is asked", async (name, params) => {
    expect(await beforeOf(name, params)).toEqual({ before: null, asked: [] });
  });

  it("of a batch are read in one request, without those that cannot be read", async () => {
    const { before, asked } = await beforeOf("batch", {
      cmd: {
        who: { method: "user.current" },
        deal: { method: "crm.deal.update", params: { id: 1, fields: { STAGE_ID: "WON" } } },
        task: { method: "tasks.task.update", params: { taskId: 2, fields: { DEADLINE: "2024-05-05" } } },
        gone: { method: "crm.deal.update", params: { id: 404, fields: { STAGE_ID: "WON" } } },
        later: { method: "crm.deal.update", params: { id: "$result[who][ID]", fields: { STAGE_ID: "WON" } } },
      },
    });
    expect(before).toEqual({ deal: { STAGE_ID: "NEW" }, task: { DEADLINE: "2024-05-01T19:00:00+03:00" } });
    expect(asked).toHaveLength(1);
  });

  it("fail with the portal's error, and after 5 s", async () => {
    const params = { id: 404, fields: { TITLE: "x" } };
    await expect(beforeOf("crm.deal.update", params)).rejects.toMatchObject({ message: "Not found" });
    const late: Method = () => {
      setImmediate(() => bench.clock.pass(5_000));
      return "hang";
    };
    await using bench = await toolBench({ "crm.deal.get": late });
    await expect(bench.guard("crm.deal.update").before(params, signal)).rejects.toMatchObject({ code: "timed_out" });
    expect(bench.asked).toHaveLength(1);
  });
});
