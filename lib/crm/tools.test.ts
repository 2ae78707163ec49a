import { describe, expect, it } from "vitest";
import { createSchemaChecker } from "../engine/json-schema.ts";
import { setup } from "../engine/testing/setup.ts";
import { schemaFaults } from "../engine/tools/tool-check.ts";
import type { BuiltInTool } from "../engine/tools/tools.ts";
import { outputSchema, parameterSchema } from "../plan/schema/tool-schema.ts";
import type { Tool } from "../plan/tool.ts";
import { isJsonObject, type Json, type JsonObject } from "../session/json/json.ts";
import { DOCUMENTED, type Documented } from "./testing/answers.ts";
import type { Method } from "./testing/fake-portal.ts";
import { toolBench } from "./testing/tool-bench.ts";

const checker = createSchemaChecker();
const planTool = (tool: BuiltInTool): Tool => ({ ...tool, has_activity: true });

/** A fake portal with one method by its wire name. */
function portalFor(name: string, { wire = name, answer }: Documented): Record<string, Method> {
  return { [wire]: () => answer };
}

describe("M14: the tools", () => {
  it("are the methods of M5, M6 and M14, with their effects", async () => {
    await using bench = await toolBench({});
    const effects = Map.groupBy(bench.tools.values(), ({ effect }) => effect);
    const named = (effect: BuiltInTool["effect"]) =>
      effects
        .get(effect)
        ?.map(({ name }) => name)
        .sort();
    expect([...bench.tools.keys()].sort()).toEqual([...Object.keys(DOCUMENTED), "batch"].sort());
    expect(named("create")).toEqual(
      [
        ...["crm.activity.add", "crm.company.add", "crm.contact.add", "crm.deal.add", "crm.timeline.comment.add"],
        ...["task.checklistitem.add", "task.commentitem.add", "tasks.task.add"],
      ].sort(),
    );
    expect(named("change")).toEqual(
      [
        ...["batch", "crm.activity.update", "crm.company.update", "crm.contact.update", "crm.deal.update"],
        ...["event.bind", "event.unbind", "tasks.task.update"],
      ].sort(),
    );
    expect(named("none")).toBeUndefined();
  });

  it("P23, P24: only reads may be repeated, and only the client retries", async () => {
    await using bench = await toolBench({});
    for (const { effect, handler } of bench.tools.values()) {
      expect(handler).toMatchObject({ idempotent: effect === "read", retries: 0 });
      expect(handler.timeout_ms).toBeGreaterThan(5 * 30_000);
    }
  });

  it("have closed schemas that the engine supports", async () => {
    await using bench = await toolBench({});
    for (const tool of bench.tools.values()) {
      expect(schemaFaults(planTool(tool), checker), tool.name).toEqual([]);
      expect(checker.faults(parameterSchema(planTool(tool)), { nonsense: 1 })).toContainEqual(
        expect.objectContaining({ path: ["nonsense"] }),
      );
      expect(tool.description).toMatch(/^[A-Z].*\.$/);
    }
  });

  it("P19: no parameter allows null, which in the strict format means omitted", async () => {
    await using bench = await toolBench({});
    const { params } = DOCUMENTED["crm.deal.update"] ?? { params: {} };
    expect(checker.faults(parameterSchema(planTool(bench.toolOf("crm.deal.update"))), params)).toEqual([]);
    for (const tool of bench.tools.values()) {
      expect(JSON.stringify(parameterSchema(planTool(tool))), tool.name).not.toContain('"null"');
    }
  });

  it.each(Object.entries(DOCUMENTED))("%s asks the portal and gives what it answers", async (name, documented) => {
    await using bench = await toolBench(portalFor(name, documented));
    const { params, wire = name, sent = params, answer, gives = answer.result } = documented;
    const tool = bench.toolOf(name);
    const given = { ...params, requires_confirmation: true };
    expect(checker.faults(parameterSchema(planTool(tool)), given)).toEqual([]);
    const result = await bench.use(name, given);
    expect(result).toEqual(gives);
    expect(checker.faults(outputSchema(planTool(tool)) ?? false, gives)).toEqual([]);
    expect(bench.asked).toEqual([{ method: wire, params: sent }]);
  });

  it.each(["task.commentitem.add", "task.checklistitem.add"])(
    "%s sends its parameters in the order that it reads them in",
    async (name) => {
      const { params, answer } = DOCUMENTED[name] ?? { params: {}, answer: { result: null } };
      await using bench = await toolBench({ [name]: () => answer });
      await bench.use(name, params);
      expect(Object.keys(params)).toEqual(["FIELDS", "TASKID"]);
      expect(Object.keys(bench.asked[0]?.params ?? {})).toEqual(["TASKID", "FIELDS"]);
    },
  );

  it("accept null and strings for every returned field but the id, so that a call does not fail", async () => {
    await using bench = await toolBench({});
    for (const kind of ["deal", "contact", "company", "activity"]) {
      const output = outputSchema(planTool(bench.toolOf(`crm.${kind}.get`)));
      const fields = isJsonObject(output) && isJsonObject(output.properties) ? Object.keys(output.properties) : [];
      expect(fields.length).toBeGreaterThan(10);
      const empty = Object.fromEntries(fields.map((field): [string, Json] => [field, field === "ID" ? "7" : null]));
      expect(checker.faults(output ?? false, { ...empty, UF_CRM_1: false })).toEqual([]);
    }
  });

  it("accept ids as numbers and strings of digits only", async () => {
    await using bench = await toolBench({});
    const schema = parameterSchema(planTool(bench.toolOf("crm.deal.get")));
    for (const id of [1, "1", "410"]) expect(checker.faults(schema, { id })).toEqual([]);
    for (const id of [0, -1, 1.5, "", "deal", "1; 2", true, null])
      expect(checker.faults(schema, { id })).not.toEqual([]);
  });

  it("read as many pages of a list as requested", async () => {
    const items = Array.from({ length: 50 }, (_, n) => ({ ID: String(n) }));
    await using bench = await toolBench({
      "crm.deal.list": ({ start = 0 }) => ({ result: items, total: 500, next: Number(start) + 50 }),
    });
    expect(await bench.use("crm.deal.list", {})).toMatchObject({ total: 500, next: 50 });
    expect(bench.asked).toHaveLength(1);
    expect(await bench.use("crm.deal.list", { limit: 120 })).toMatchObject({ next: 150 });
    expect(bench.asked.map(({ params }) => params)).toEqual([{}, {}, { start: 50 }, { start: 100 }]);
  });

  it.each<[string, string, Json]>([
    ["a task that is not there", "tasks.task.get", []],
    ["a deal that is not there", "crm.deal.get", []],
  ])("fails for %s, which the portal answers with an empty list", async (_, name, result) => {
    await using bench = await toolBench({ [name]: () => ({ result }) });
    const { params } = DOCUMENTED[name] ?? { params: {} };
    expect(await bench.failure(name, params)).toMatchObject({ code: "not_found", transient: false });
  });

  it("fail for a change that the portal answers with false", async () => {
    await using bench = await toolBench({ "crm.activity.update": () => ({ result: false }) });
    const failure = await bench.failure("crm.activity.update", { id: 1, fields: { SUBJECT: "x" } });
    expect(failure).toMatchObject({ code: "not_done", transient: false });
  });

  it("fail with the portal's message", async () => {
    await using bench = await toolBench({
      "crm.deal.get": () => ({ error: "", error_description: "Not found", status: 400 }),
      "event.bind": () => ({ error: "ACCESS_DENIED", error_description: "Application context required", status: 403 }),
    });
    expect(await bench.failure("crm.deal.get", { id: 1 })).toMatchObject({ code: "http_400", message: "Not found" });
    const { params } = DOCUMENTED["event.bind"] ?? { params: {} };
    expect(await bench.failure("event.bind", params)).toMatchObject({
      code: "ACCESS_DENIED",
      message: "Application context required",
    });
  });

  it("P16: can be connected by their outputs", async () => {
    await using bench = await toolBench({});
    const { engine } = setup({
      tools: Object.fromEntries(
        [...bench.tools].map(([name, { schema, handler }]) => [name, { schema, activity: handler.activity }]),
      ),
    });
    const plan: JsonObject[] = [
      { _tool: "crm.deal.get", id: 123, _outputPath: "†state.deal" },
      { _tool: "crm.contact.get", id: "†state.deal.CONTACT_ID", _outputPath: "†state.contact" },
      { _tool: "crm.activity.list", filter: { OWNER_ID: "†state.deal.ID" }, _outputPath: "†state.activities" },
      { _tool: "crm.deal.update", id: "†state.deal.ID", fields: { COMMENTS: "†state.contact.NAME" } },
      { _tool: "tasks.task.add", fields: { TITLE: "Call", RESPONSIBLE_ID: 1 }, _outputPath: "†state.made" },
      {
        _tool: "task.commentitem.add",
        TASKID: "†state.made.task.id",
        FIELDS: { POST_MESSAGE: "†state.activities.items[0].SUBJECT" },
      },
    ];
    const { ok, problems } = await engine.validate({ plan, tools: [], context: [] });
    expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(ok).toBe(true);
    // Ids of what was read always match; optional ones are listed.
    expect(problems.map(({ message }) => message).filter((message) => /deal\.ID|task\.id/.test(message))).toEqual([]);
  });
});
