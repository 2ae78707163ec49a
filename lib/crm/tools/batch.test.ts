import { describe, expect, it } from "vitest";
import { createSchemaChecker } from "../../engine/json-schema.ts";
import { outputSchema, parameterSchema } from "../../plan/schema/tool-schema.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import type { Method } from "../testing/fake-portal.ts";
import { toolBench } from "../testing/tool-bench.ts";

const checker = createSchemaChecker();

const PORTAL: Record<string, Method> = {
  "crm.deal.get": ({ id }) =>
    id === "404" ? { error: "", error_description: "Not found", status: 400 } : { result: { ID: String(id) } },
  "crm.deal.list": () => ({ result: [{ ID: "1" }], total: 61, next: 50 }),
  "tasks.task.list": () => ({ result: { tasks: [{ id: "5" }] }, total: 1 }),
  "tasks.task.get": () => ({ result: [] }),
  "crm.dealcategory.list": () => ({ result: [] }),
  "crm.activity.update": () => ({ result: false }),
};

/** The result of a batch of these commands. */
async function batchOf(cmd: JsonObject): Promise<Json> {
  await using bench = await toolBench(PORTAL);
  const tool = bench.toolOf("batch");
  const given = { cmd, halt: false };
  expect(checker.faults(parameterSchema({ ...tool, has_activity: true }), given)).toEqual([]);
  const result = await bench.use("batch", given);
  expect(
    checker.faults(outputSchema({ ...tool, has_activity: true }) ?? false, JSON.parse(JSON.stringify(result))),
  ).toEqual([]);
  return JSON.parse(JSON.stringify(result));
}

describe("M14: the batch tool", () => {
  it("returns each result like the method's own tool", async () => {
    const result = await batchOf({
      deal: { method: "crm.deal.get", params: { id: 7 } },
      deals: { method: "crm.deal.list", params: { filter: { CLOSED: "N" } } },
      tasks: { method: "tasks.task.list", params: {} },
      pipelines: { method: "crm.deal.category.list" },
    });
    expect(result).toEqual({
      result: {
        deal: { ID: "7" },
        deals: { items: [{ ID: "1" }], total: 61, next: 50 },
        tasks: { items: [{ id: "5" }], total: 1, next: null },
        pipelines: { items: [], total: null, next: null },
      },
      result_error: {},
    });
  });

  it("reports failed commands beside successful ones, and succeeds", async () => {
    const result = await batchOf({
      gone: { method: "crm.deal.get", params: { id: 404 } },
      deal: { method: "crm.deal.get", params: { id: 7 } },
      task: { method: "tasks.task.get", params: { taskId: 1 } },
      call: { method: "crm.activity.update", params: { id: 1, fields: { SUBJECT: "x" } } },
    });
    expect(result).toMatchObject({
      result: { deal: { ID: "7" } },
      result_error: {
        gone: { error: "", error_description: "Not found" },
        task: { error: "not_found" },
        call: { error: "not_done" },
      },
    });
  });

  it("accepts names of inherited properties", async () => {
    const commands = {
      constructor: { method: "crm.deal.get", params: { id: 404 } },
      toString: { method: "crm.deal.list", params: {} },
    };
    const result = await batchOf(commands);
    expect(JSON.parse(JSON.stringify(result))).toEqual({
      result: { toString: { items: [{ ID: "1" }], total: 61, next: 50 } },
      result_error: { constructor: { error: "", error_description: "Not found" } },
    });
  });

  it("passes on references to earlier commands", async () => {
    await using bench = await toolBench({ batch: () => ({ result: { result: { a: {}, b: {} }, result_error: [] } }) });
    await bench.use("batch", {
      halt: true,
      cmd: {
        a: { method: "crm.deal.get", params: { id: 7 } },
        b: { method: "crm.company.get", params: { id: "$result[a][COMPANY_ID]" } },
      },
    });
    const cmd = bench.asked[0]?.params.cmd;
    expect(bench.asked[0]?.params.halt).toBe(1);
    expect(cmd).toEqual({
      a: "crm.deal.get?id=7",
      b: `crm.company.get?id=${encodeURIComponent("$result[a][COMPANY_ID]")}`,
    });
  });

  it.each<[string, JsonObject, RegExp]>([
    [
      "an unknown parameter",
      { method: "crm.deal.update", params: { id: 1, FIELDS: {} } },
      /takes no FIELDS; its parameters are id, fields/,
    ],
    [
      "a parameter of ours",
      { method: "crm.deal.get", params: { id: 1, requires_confirmation: false } },
      /takes no requires_confirmation/,
    ],
    ["a missing one", { method: "crm.deal.update", params: { id: 1 } }, /crm.deal.update needs fields/],
    ["a batch inside", { method: "batch", params: { cmd: {} } }, /names the method batch/],
    ["a method that is no tool", { method: "crm.deal.delete", params: { id: 1 } }, /names the method crm.deal.delete/],
  ])("sends nothing when a command has %s", async (_, command, message) => {
    await using bench = await toolBench(PORTAL);
    const failure = await bench.failure("batch", { cmd: { first: command } });
    expect(failure).toMatchObject({ code: "invalid_command", did_not_happen: true, transient: false });
    expect(failure.message).toMatch(message);
    expect(failure.message).toContain("The command first");
    expect(bench.asked).toEqual([]);
  });

  it("supports up to 50 commands, with names that PHP keeps", async () => {
    await using bench = await toolBench({});
    const schema = parameterSchema({ ...bench.toolOf("batch"), has_activity: true });
    const get = { method: "user.current", params: {} };
    const many = (count: number) => ({
      cmd: Object.fromEntries(Array.from({ length: count }, (_, n) => [`c${n}`, get])),
    });
    expect(checker.faults(schema, many(50))).toEqual([]);
    for (const wrong of [
      many(51),
      many(0),
      { cmd: { "0": get } },
      { cmd: { "a b": get } },
      { cmd: { a: "user.current" } },
    ])
      expect(checker.faults(schema, wrong)).not.toEqual([]);
  });
});
