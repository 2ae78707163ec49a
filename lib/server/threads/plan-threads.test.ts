import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSchemaChecker } from "../../engine/json-schema.ts";
import { isLongReading, PLAN_READINGS, type PlanMaterial, simulatedText } from "../../engine/plan-reading.ts";
import type { SentPlan } from "../../engine/plan-threads.ts";
import { shapesFor } from "../../engine/tools/tool-shapes.ts";
import { readContext } from "../../plan/context.ts";
import { parameterSchema } from "../../plan/schema/tool-schema.ts";
import { delegate, tool } from "../../plan/testing/check-plan.ts";
import type { JsonObject } from "../../session/json/json.ts";
import { createLogger } from "../logger.ts";
import { createPlanThreads } from "./plan-threads.ts";

const logger = createLogger("silent", []);
let threads: ReturnType<typeof createPlanThreads>;
beforeEach(() => {
  threads = createPlanThreads(logger);
});
afterEach(() => threads.close());

const ANY = { type: "object", properties: { read: { type: "string" }, _output: { type: "string" } } };

/** Calls that each read the previous one's result. */
function chain(length: number): JsonObject[] {
  return Array.from({ length }, (_, n) => ({
    ...{ _tool: "t", _id: `c${n}`, _outputPath: `†state.x${n}` },
    ...(n > 0 && { read: `†state.x${n - 1}` }),
  }));
}

/** Each call has two alternatives: the condition of the last one is as long as the plan. */
function branches(length: number): JsonObject[] {
  return Array.from({ length }, (_, n) => ({
    ...{ _tool: "t", _id: `c${n}`, _outputPath: `†state.x${n} || †state.y${n}` },
    ...(n > 0 && { read: `†state.x${n - 1} || †state.y${n - 1}` }),
  }));
}

function material(plan: JsonObject[], more: Partial<PlanMaterial> = {}): PlanMaterial {
  const read = readContext([{ type: "state", data: JSON.parse('{"__proto__":{"a":1},"b":2}') }]);
  if (!read.ok) throw new Error("The context is wrong");
  const known = { ...tool("t"), schema: ANY };
  const toolbox = { tool: (name: string) => (name === "t" ? known : undefined), delegate: () => undefined };
  return { plan, context: read.context, toolbox, checker: createSchemaChecker(), lineage: [], ...more };
}

function sent({ plan, context, lineage, toolbox }: PlanMaterial): SentPlan {
  return { plan, context, lineage, shapes: shapesFor(plan, toolbox) };
}

test.each([
  [
    "many fields",
    { properties: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`p${n}`, { type: "string" }])) },
  ],
  ["classes in a pattern", { pattern: "\\p{L}".repeat(200) }],
])("a plan is read in a thread where its context has a schema of %s", (_, schema) => {
  const read = readContext([{ type: "state", schema }]);
  if (!read.ok) throw new Error("The context is wrong");
  expect(isLongReading("check", [], read.context)).toBe(true);
  expect(isLongReading("check", [], material([]).context)).toBe(false);
});

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}

describe("large plans are processed in threads", () => {
  test("while other requests are served", async () => {
    const order: string[] = [];
    const read = threads.read("describe", sent(material(chain(3_000)))).then(() => order.push("read"));
    for (let n = 0; n < 20; n++) await turn();
    order.push("others");
    await read;
    expect(order).toEqual(["others", "read"]);
  });

  test("with the same results as in the main thread", async () => {
    const carrier = tool("send", { to: { type: "string" } });
    const borrowed = tool("post", { to: {}, _activity: { const: "send" } });
    const inner = delegate("inner", { plan: [{ _tool: "post", _delegate: "outer" }] });
    const outer = delegate("outer", {
      plan: [{ _tool: "post", _delegate: "inner" }],
      strict: true,
      input_schema: { required: ["to"] },
    });
    const tools = new Map([carrier, borrowed].map((each) => [each.name, each]));
    const delegates = new Map([inner, outer].map((each) => [each.name, each]));
    const found = material(
      [
        { _tool: "post", _id: "a", to: 5 },
        { _tool: "send", _id: "b", to: 5 },
        { _tool: "post", _id: "c", to: "x", _activity: "elsewhere" },
        { _tool: "post", _id: "d", _delegate: "inner" },
        { _tool: "post", _id: "e", _delegate: "outer" },
        { _tool: "nobody", _id: "f", to: "†state.b" },
      ],
      {
        toolbox: {
          tool: (name) => tools.get(name),
          delegate: (name) => delegates.get(name),
          takenBy: (name, activity) =>
            activity === "elsewhere" ? { required: ["from"] } : parameterSchema(tools.get(activity ?? name) ?? carrier),
        },
      },
    );
    expect(await threads.read("describe", sent(found))).toBe(PLAN_READINGS.describe(found));
    const holds = material(chain(5));
    expect(await threads.read("outline", sent(holds))).toEqual(PLAN_READINGS.outline(holds));
    expect(await textOf(threads.simulate(sent(holds), {}))).toBe([...simulatedText(holds, {})].join(""));
  });

  test("with the same errors as in the main thread", async () => {
    const wrong = sent(material([{ _tool: "nobody", _id: "a" }]));
    await expect(threads.simulate(wrong, {}).next()).rejects.toMatchObject({
      code: "invalid_plan",
      problems: [expect.objectContaining({ code: "unknown_tool" })],
    });
    const branch = threads.simulate(sent(material(chain(1))), { c0: 1 });
    await expect(branch.next()).rejects.toMatchObject({ code: "invalid_input", faults: [{ path: "/branches/c0" }] });
  });

  test("one that takes too long is refused, and the next is processed", async () => {
    await threads.close();
    threads = createPlanThreads(logger, { deadline_ms: 500 });
    await expect(threads.read("describe", sent(material(branches(30_000))))).rejects.toMatchObject({
      code: "plan_too_long",
    });
    await threads.close();
    threads = createPlanThreads(logger);
    expect(JSON.parse(await threads.read("describe", sent(material(chain(2)))))).toMatchObject({ ok: true });
  });

  test("abandoned simulations release their threads", async () => {
    const long = sent(material(chain(2_000)));
    const read = Array.from({ length: 3 }, () => threads.simulate(long, {}));
    const [first, second, third] = read.map((simulation) => simulation.next());
    await Promise.all([first, second]);
    await threads.read("check", long);
    const waited: string[] = [];
    void third?.then(() => waited.push("third"));
    await read[0]?.return(undefined);
    waited.push("first");
    await third;
    expect(waited).toEqual(["first", "third"]);
  });

  test("the queue is limited", async () => {
    const plan = sent(material(chain(1_000)));
    const read = Array.from({ length: 40 }, () => threads.read("check", plan));
    const refused = (await Promise.allSettled(read)).filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatchObject({ reason: { code: "too_many_plans" } });
    expect(await threads.read("check", plan)).toMatchObject({ ok: true });
  });
});
