import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import { InvalidPlan } from "../../errors.ts";
import { type Bench, echo, input, setup, state } from "../../testing/setup.ts";
import type { Activity } from "../../tools/activity.ts";

const tools = { echo: { activity: echo }, hand: {} };
const said = (value: string): JsonObject & { _tool: string } => ({
  _tool: "echo",
  _id: "say",
  value,
  _outputPath: "†state.said",
});

/** The started run of a delegate's call. */
function childOf(bench: Bench, callId: string) {
  const child = [...bench.session().runs.values()].find(({ parent_call_id }) => parent_call_id === callId);
  if (!child) throw new Error(`${callId} has no run`);
  return child;
}

describe("P27: a delegate", () => {
  test("runs as a child run of the same conversation, linked both ways; its output is the call's result", async () => {
    const bench = setup({
      tools,
      delegates: [{ name: "polite", plan: [said("†input.name")], output: { dear: "†state.said" } }],
    });
    const id = await bench.run([
      { _tool: "hand", _id: "h", _delegate: "polite", name: "Ada", _outputPath: "†state.greeting" },
      { _tool: "echo", _id: "after", value: "†state.greeting.dear", _outputPath: "†state.after" },
    ]);
    expect(bench.state(id)).toEqual({ greeting: { dear: "Ada" }, after: "Ada" });
    const child = childOf(bench, "h");
    expect(child).toMatchObject({ parent_run_id: id, delegate: "polite", status: "finished" });
    const order = bench.journal.events.map(({ type, run_id }) => `${run_id === id ? "parent" : "child"} ${type}`);
    expect(order.slice(order.indexOf("parent call.started"), order.indexOf("parent call.succeeded") + 1)).toEqual([
      "parent call.started",
      ...["run.started", "delegate.started", "run.iteration", "plan.proposed", "plan.validated"].map(
        (type) => `child ${type}`,
      ),
      ...["call.started", "call.succeeded", "state.written", "run.finished", "delegate.finished"].map(
        (type) => `child ${type}`,
      ),
      "parent call.succeeded",
    ]);
  });

  test("gives its state where it does not say what it gives", async () => {
    const bench = setup({ tools, delegates: [{ name: "worker", plan: [said("x")] }] });
    const id = await bench.run([{ _tool: "hand", _id: "h", _delegate: "worker", _outputPath: "†state.h" }]);
    expect(bench.state(id)).toEqual({ h: { said: "x" } });
  });

  test("P28: sees its own messages, then what the scopes let through, then the parameters; the later wins", async () => {
    const bench = setup({
      tools,
      delegates: [
        {
          name: "look",
          context: [input({ own: 1, both: "own" }), { type: "data", kind: "rules", data: { tone: "own" } }],
          plan: [
            { _tool: "echo", _id: "i", value: "†input", _outputPath: "†state.input" },
            { _tool: "echo", _id: "r", value: "†rules", _outputPath: "†state.rules" },
            {
              _tool: "echo",
              _id: "s",
              value: "†state.secret || †rules.none || †input.own",
              _outputPath: "†state.secrets",
            },
          ],
        },
      ],
    });
    const id = await bench.run(
      [{ _tool: "hand", _id: "h", _delegate: "look", _scopes: ["rules"], both: "call", _outputPath: "†state.h" }],
      { context: [state({ secret: "hidden" }), { type: "data", kind: "rules", data: { tone: "parent" } }] },
    );
    expect(bench.state(id)).toMatchObject({
      h: { input: { own: 1, both: "call" }, rules: { tone: "parent" }, secrets: 1 },
    });
  });

  test("P25, P28: each instance's delegate sees that instance's scope alone, and has no instances itself", async () => {
    const bench = setup({
      tools,
      delegates: [
        { name: "look", plan: [{ _tool: "echo", _id: "s", value: "†state.word", _outputPath: "†state.seen" }] },
      ],
    });
    const plan = [{ _tool: "hand", _id: "h", _delegate: "look", _scopes: ["state"], _outputPath: "†state.h" }];
    const context = [
      state({ all: 1 }),
      state({ word: "one" }, { _instance: "①" }),
      state({ word: "two" }, { _instance: "②" }),
    ];
    const id = await bench.run(plan, { context });
    expect(bench.runOf(id).state).toMatchObject({
      "①": { h: { all: 1, word: "one", seen: "one" } },
      "②": { h: { all: 1, word: "two", seen: "two" } },
    });
  });

  test("its failure is the call's, and goes where errors go", async () => {
    const broken: Activity = () => Promise.reject(new Error("no"));
    const bench = setup({
      tools: { ...tools, broken: { activity: broken } },
      delegates: [{ name: "worker", plan: [{ _tool: "broken", _id: "b" }] }],
    });
    const id = await bench.run([
      { _tool: "hand", _id: "h", _delegate: "worker", _outputPath: "†state.h || †state.error" },
    ]);
    expect(bench.statuses(id)).toEqual({ h: "failed handled" });
    expect(bench.state(id)).toEqual({ error: { code: "calls_failed", message: "One call did not succeed: b: no" } });
    expect(childOf(bench, "h").status).toBe("failed");
  });

  test("an output that does not fit its schema is an error", async () => {
    const bench = setup({
      tools,
      delegates: [{ name: "worker", plan: [said("x")], output: "†state.said", output_schema: { type: "integer" } }],
    });
    const id = await bench.run([{ _tool: "hand", _id: "h", _delegate: "worker" }]);
    expect(bench.call(id, "h").error).toMatchObject({ code: "invalid_output" });
  });

  test("a strict one is checked before it starts", async () => {
    const schema = { type: "object", properties: { n: { type: "integer" } } };
    const bench = setup({
      tools,
      delegates: [{ name: "worker", strict: true, input_schema: schema, plan: [said("x")] }],
    });
    const id = await bench.run([
      { _tool: "echo", _id: "e", value: "many", _outputPath: "†state.n" },
      { _tool: "hand", _id: "h", _delegate: "worker", n: "†state.n" },
    ]);
    expect(bench.call(id, "h").error).toMatchObject({ code: "invalid_params" });
    expect(bench.session().runs.size).toBe(1);
  });

  test("has the tools that it lists, and no others", async () => {
    const bench = setup({ tools, delegates: [{ name: "worker", tools: ["hand"], plan: [said("x")] }] });
    const id = await bench.run([{ _tool: "hand", _id: "h", _delegate: "worker" }]);
    expect(bench.call(id, "h").error).toMatchObject({ code: "invalid_plan" });
    expect(bench.events("plan.rejected")[0]?.payload.problems).toMatchObject([{ code: "unknown_tool" }]);
  });

  test("writes back the paths that it declares, together with its result, when it is scoped to the state", async () => {
    const plan = [said("†state.word"), { _tool: "echo", _id: "n", value: 2, _outputPath: "†state.count" }];
    const bench = setup({
      tools,
      delegates: [{ name: "worker", plan, output: "done", writes: ["†state.said", "†state.count"] }],
    });
    const call = { _tool: "hand", _id: "h", _delegate: "worker", _outputPath: "†state.h" };
    const after = { _tool: "echo", _id: "after", value: "†state.said", _outputPath: "†state.after" };
    const context = [state({ word: "hello" })];
    const id = await bench.run([{ ...call, _scopes: ["state"] }, after], { context });
    expect(bench.state(id)).toEqual({ word: "hello", h: "done", said: "hello", count: 2, after: "hello" });
    const taken = await bench.run([{ ...call, _scopes: ["state"] }], { context: [state({ word: "hello", count: 0 })] });
    expect(bench.statuses(taken)).toEqual({ h: "skipped" });
    await expect(bench.run([{ ...call }, after], { context })).rejects.toThrow(InvalidPlan);
  });

  test("that reaches itself stops at its bound", async () => {
    const again = { _tool: "hand", _id: "again", _delegate: "loop", _outputPath: "†state.deeper || †state.error" };
    const bench = setup({ tools, delegates: [{ name: "loop", max_depth: 2, plan: [again] }] });
    const id = await bench.run([{ _tool: "hand", _id: "h", _delegate: "loop", _outputPath: "†state.h" }]);
    expect(bench.session().runs.size).toBe(4);
    expect(JSON.stringify(bench.state(id))).toContain("too_deep");
    const bare = setup({ tools, delegates: [{ name: "loop", plan: [again] }] });
    await expect(bare.run([{ _tool: "hand", _id: "h", _delegate: "loop" }])).rejects.toThrow(InvalidPlan);
  });

  test("waits for a person with its parent, whose slot is free meanwhile; cancelled, it ends first", async () => {
    const bench = setup({
      tools: { ...tools, risky: { activity: echo, requires_confirmation: true } },
      delegates: [{ name: "worker", plan: [{ _tool: "risky", _id: "r", value: 1, _outputPath: "†state.r" }] }],
    });
    const plan: JsonObject[] = [
      { _tool: "hand", _id: "h", _delegate: "worker", _outputPath: "†state.h" },
      { _tool: "echo", _id: "e", value: 1 },
    ];
    const id = await bench.run(plan, { concurrency: 1 });
    expect(bench.runOf(id).status).toBe("waiting");
    expect(bench.statuses(id)).toEqual({ h: "running", e: "succeeded" });
    await bench.decide({ decision: "approve" });
    await bench.settle(id);
    expect(bench.state(id)).toEqual({ h: { r: 1 } });

    const other = await bench.run(plan, { concurrency: 1 });
    await bench.clock.until(bench.engine.cancel(other, "operator:ann"));
    const ends = bench.journal.events.filter(({ type }) => type === "run.cancelled").map(({ run_id }) => run_id);
    expect(ends).toHaveLength(2);
    expect(ends.at(-1)).toBe(other);
    expect(bench.statuses(other)).toMatchObject({ h: "cancelled" });
  });

  test("goes on with its parent when a person has decided", async () => {
    const slow: Activity = () => bench.clock.sleep(60_000).then(() => 1);
    const bench: Bench = setup({
      tools: { ...tools, risky: { activity: slow, requires_confirmation: true, timeout_ms: 100_000 } },
      delegates: [{ name: "worker", plan: [{ _tool: "risky", _id: "r" }] }],
    });
    const id = await bench.run([{ _tool: "hand", _id: "h", _delegate: "worker" }]);
    const before = bench.clock.now();
    await bench.decide({ decision: "approve" });
    await bench.settle(id);
    expect(bench.runOf(id).status).toBe("finished");
    expect(bench.clock.now() - before).toBeGreaterThanOrEqual(60_000);
    expect(bench.events("run.resumed").map(({ run_id }) => run_id)).toContain(id);
  });

  test("who waits for its parent waits for it, too", async () => {
    const slow: Activity = () => bench.clock.sleep(1_000).then(() => 1);
    const risky = { activity: slow, requires_confirmation: true };
    const plan = ["r", "q"].map((id) => ({ _tool: "risky", _id: id }));
    const bench: Bench = setup({ tools: { ...tools, risky }, delegates: [{ name: "worker", plan }] });
    const id = await bench.run([{ _tool: "hand", _id: "h", _delegate: "worker" }]);
    const decideAndSettle = (decision: "approve" | "deny", callId: string) => {
      const asked = [...bench.session().confirmations.values()].find(({ call_id }) => call_id === callId);
      const words = { decision, reason: null, action: null, result: undefined, actor: "operator:ann" };
      const decided = bench.engine.decide(asked?.id ?? "", asked?.run_id ?? "", words);
      return bench.clock.until(decided.then(() => bench.engine.settled(id)));
    };
    // The delegate's run waits on, for the other one, and so does its parent.
    await decideAndSettle("deny", "q");
    expect(bench.runOf(id).status).toBe("waiting");
    await decideAndSettle("approve", "r");
    expect(bench.runOf(id).status).toBe("finished");
  });

  test("inherits the mode: what is to be confirmed is confirmed in it, too", async () => {
    const bench = setup({ tools, delegates: [{ name: "worker", plan: [said("x")] }] });
    await bench.run([{ _tool: "hand", _id: "h", _delegate: "worker" }], { mode: "confirm", confirm: ["echo"] });
    expect([...bench.session().confirmations.values()].map(({ call_id }) => call_id)).toEqual(["say"]);
  });

  test("a limit of one call at a time does not stop delegates in delegates", async () => {
    const bench = setup({
      tools,
      delegates: [
        { name: "inner", plan: [said("deep")] },
        { name: "outer", plan: [{ _tool: "hand", _id: "i", _delegate: "inner", _outputPath: "†state.i" }] },
      ],
    });
    const id = await bench.run([{ _tool: "hand", _id: "o", _delegate: "outer", _outputPath: "†state.o" }], {
      concurrency: 1,
    });
    expect(bench.state(id)).toEqual({ o: { i: { said: "deep" } } });
  });

  test("P17: a loop is a delegate called once for each iteration, one after another", async () => {
    const bench = setup({ tools, delegates: [{ name: "step", plan: [said("†input.n")], output: "†state.said" }] });
    const step = (id: string, n: string): JsonObject => ({
      ...{ _tool: "hand", _id: id, _delegate: "step", n, _outputPath: `†state.${id}` },
    });
    const id = await bench.run([step("a", "†input.n"), step("b", "†state.a"), step("c", "†state.b")], {
      context: [input({ n: 7 })],
    });
    expect(bench.state(id)).toEqual({ a: 7, b: 7, c: 7 });
  });
});
