import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import { Refused } from "../../errors.ts";
import type { ModelPart, ModelRequest } from "../../model.ts";
import { failing } from "../../testing/failing.ts";
import { MemoryJournal } from "../../testing/memory-journal.ts";
import { streamed } from "../../testing/scripted.ts";
import { type Bench, echo, type SetupOptions, setup } from "../../testing/setup.ts";
import type { Activity } from "../../tools/activity.ts";

const never: Activity = () => new Promise(() => undefined);
const hand: JsonObject = { _tool: "hand", _id: "h", _delegate: "worker", _outputPath: "†state.h" };

/** The next process, after it has taken up what the one before had under way, with other tools and delegates. */
async function takenUp(before: Bench, options: SetupOptions, id: string): Promise<Bench> {
  await before.engine.stop();
  const bench = before.successor(options);
  await bench.clock.until(bench.engine.recover());
  await bench.settle(id);
  return bench;
}

/** Starts a plan and waits until one of its calls is under way. */
async function begun(options: SetupOptions, plan: JsonObject[]): Promise<{ before: Bench; id: string }> {
  const before = setup(options);
  const id = await before.start(plan);
  while (!before.types.includes("call.started")) await before.clock.until(Promise.resolve());
  return { before, id };
}

describe("P23: a server that was started again with other tools", () => {
  const plan = [{ _tool: "slow", _id: "a", value: 1, _outputPath: "†state.a" }];

  test("a tool that is gone: what had started waits for a person, who can give its result", async () => {
    const { before, id } = await begun({ tools: { slow: { activity: never } } }, plan);
    const bench = await takenUp(before, {}, id);
    expect(bench.call(id, "a")).toMatchObject({ status: "parked", reason: "interrupted" });
    await expect(bench.decide({ decision: "approve" })).rejects.toThrow("There is no tool slow");
    await bench.decide({ decision: "approve", result: 3 });
    await bench.settle(id);
    expect(bench.state(id)).toEqual({ a: 3 });
  });

  test("P22: a tool that has to be confirmed now: what had started unasked is asked about before it runs again", async () => {
    const { before, id } = await begun({ tools: { slow: { activity: never } } }, plan);
    const bench = await takenUp(before, { tools: { slow: { activity: echo, requires_confirmation: true } } }, id);
    expect(bench.call(id, "a").status).toBe("parked");
    await bench.decide({ decision: "approve" });
    await bench.settle(id);
    expect(bench.state(id)).toEqual({ a: 1 });
  });

  test("P22a: what a person had approved is run again without being asked about twice", async () => {
    const slow = { activity: never, requires_confirmation: true };
    const before = setup({ tools: { slow } });
    const id = await before.run(plan);
    await before.decide({ decision: "approve" });
    const bench = await takenUp(before, { tools: { slow: { ...slow, activity: echo } } }, id);
    expect(bench.statuses(id)).toEqual({ a: "succeeded" });
  });

  test("P2: a tool that takes other parameters now: what had started fails by its schema", async () => {
    const { before, id } = await begun({ tools: { slow: { activity: never } } }, plan);
    const schema = { properties: { value: { type: "string" } } };
    const bench = await takenUp(before, { tools: { slow: { activity: echo, schema } } }, id);
    expect(bench.call(id, "a").error).toMatchObject({ code: "invalid_params" });
  });

  test("P27: a delegate that is gone: its run goes on by the log; without one the call fails", async () => {
    const tools = { hand: {}, slow: { activity: never } };
    const delegates = [{ name: "worker", plan }];
    const before = setup({ tools, delegates });
    const id = await before.start([hand]);
    while (before.events("call.started").length < 2) await before.clock.until(Promise.resolve());
    const bench = await takenUp(before, { tools: { hand: {}, slow: { activity: echo } } }, id);
    expect(bench.state(id)).toEqual({ h: { a: 1 } });

    const { before: early, id: other } = await begun({ tools, delegates }, [hand]);
    const events = early.journal.events.filter(({ run_id }) => run_id === other);
    const bare = setup({ tools, journal: new MemoryJournal(events), clock: early.clock });
    await bare.clock.until(bare.engine.recover());
    await bare.settle(other);
    expect(bare.call(other, "h").error).toMatchObject({ code: "unknown_delegate" });
  });
});

describe("P23: taken up more than once", () => {
  test("recovering twice, resuming twice and deciding meanwhile come to one run", async () => {
    const tools = { flaky: { activity: failing(1, () => new Error("oh")).activity } };
    const plan = [{ _tool: "flaky", _id: "a", _outputPath: "†state.a" }];
    const before = setup({ tools });
    const id = await before.run(plan);
    await before.engine.stop();
    const bench = before.successor({ tools });
    const { engine } = bench;
    const all = [
      engine.recover(),
      engine.resume(id, [], "operator:ann"),
      engine.recover(),
      engine.resume(id, [], "operator:bob"),
    ];
    const came = await bench.clock.until(Promise.allSettled(all));
    expect(came.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
    await bench.settle(id);
    expect(bench.state(id)).toEqual({ a: 1 });
    expect(bench.events("run.resumed")).toHaveLength(1);
    expect(bench.events("call.started")).toHaveLength(2);
    await expect(bench.clock.until(engine.resume(id, [], "operator:ann"))).rejects.toThrow(Refused);
  });

  test("a server that stops takes nothing more up", async () => {
    const { before, id } = await begun({ tools: { slow: { activity: never } } }, [{ _tool: "slow", _id: "a" }]);
    await before.engine.stop();
    await expect(before.engine.cancel(id, "operator:ann")).rejects.toMatchObject({
      code: "halted",
      message: expect.stringContaining("The server is stopping"),
    });
    expect(before.runOf(id).status).toBe("running");
  });
});

describe("P23: a process that dies anywhere on the way", () => {
  /** How a run ends whose process dies when the log has so many events. */
  async function playUntil(
    death: number,
    play: (bench: Bench) => Promise<string>,
    options: SetupOptions,
  ): Promise<Bench> {
    const journal = new MemoryJournal();
    journal.crashAfter(death);
    const first = setup({ ...options, journal });
    await play(first).catch((error: unknown) => {
      if (!journal.hasCrashed) throw error;
    });
    const bench = first.successor(options);
    const [open] = await bench.journal.open();
    await bench.clock.until(bench.engine.recover());
    if (open) await bench.settle(open.run_id);
    return bench;
  }

  test("P24: to the end of a budget that its delegate's run had come to: the whole run ends by it", async () => {
    const options: SetupOptions = {
      tools: { hand: {}, echo: { activity: echo } },
      delegates: [
        {
          name: "worker",
          plan: ["a", "b", "c"].map((id, index) => ({
            ...{ _tool: "echo", _id: id, value: index === 0 ? 1 : `†state.${"abc"[index - 1]}` },
            _outputPath: `†state.${id}`,
          })),
        },
      ],
    };
    const plan = [{ ...hand, _outputPath: "†state.h || †state.error" }];
    const play = (bench: Bench) => bench.run(plan, { budget: { calls: 3 } });
    const events = (await playUntil(Number.POSITIVE_INFINITY, play, options)).journal.events.length;
    for (let death = 6; death < events; death++) {
      const bench = await playUntil(death, play, options);
      const [root] = [...bench.session().runs.values()];
      expect(root?.error, `after ${death} events`).toMatchObject({ code: "budget_spent" });
      expect(bench.session().warnings).toEqual([]);
    }
  });

  test("P24, P27: of a delegate's second try after a person had it run again: it is that run that goes on", async () => {
    let failures = 0;
    const flaky: Activity = async () => {
      failures += 1;
      if (failures === 1) throw new Error("oh");
      return 1;
    };
    const options: SetupOptions = {
      tools: { hand: {}, flaky: { activity: flaky } },
      delegates: [{ name: "worker", plan: [{ _tool: "flaky", _id: "f", _outputPath: "†state.f" }] }],
    };
    const play = async (bench: Bench) => {
      failures = 0;
      const id = await bench.run([hand]);
      await bench.clock.until(bench.engine.resume(id, [], "operator:ann"));
      await bench.settle(id);
      return id;
    };
    const whole = await playUntil(Number.POSITIVE_INFINITY, play, options);
    // It is told together with the start that it brings.
    const from = whole.types.indexOf("run.resumed") + 2;
    for (let death = from; death < whole.journal.events.length; death++) {
      const bench = await playUntil(death, play, options);
      const [root, ...children] = [...bench.session().runs.values()];
      expect(root?.state, `after ${death} events`).toEqual({ "": { h: { f: 1 } } });
      expect(children.map(({ status }) => status)).toEqual(["failed", "finished"]);
    }
  });

  test("P19, P20, P2a: anywhere in a run that a model plans: early calls, latent ones, approvals, the next iteration", async () => {
    async function* respond(request: ModelRequest): AsyncIterable<ModelPart> {
      const isReplan = request.input.some(({ content }) => String(content).includes('"kind":"plan"'));
      const calls: JsonObject[] = [
        { _tool: "echo", _id: "early", value: 1, _outputPath: "†state.a" },
        { _tool: "colour", _id: "latent", of: "†state.a", _outputPath: "†state.colour" },
        { _tool: "risky", _id: "asked", value: "†state.colour", _outputPath: "†state.b" },
      ];
      const saying: JsonObject = isReplan ? { calls: [], output: "†state.b" } : { calls };
      yield* streamed(request.format?.name === "result" ? { result: "blue" } : saying);
    }
    const value = { properties: { value: {} } };
    const options: SetupOptions = {
      model: { model: "m", provider: "p", respond },
      tools: {
        echo: { activity: echo, schema: value },
        colour: { schema: { properties: { of: {}, _output: { type: "string" } } } },
        risky: { activity: echo, schema: value, requires_confirmation: true },
      },
    };
    const goOn = async (bench: Bench, id: string) => {
      await bench.settle(id);
      await bench.approveAll();
      await bench.settle(id);
      return id;
    };
    const play = async (bench: Bench) => goOn(bench, await bench.start(null));
    const whole = await playUntil(Number.POSITIVE_INFINITY, play, options);
    expect(whole.events("run.finished")[0]?.payload.output).toBe("blue");
    for (let death = 3; death < whole.journal.events.length; death++) {
      const bench = await playUntil(death, play, options);
      const [root] = [...bench.session().runs.values()];
      await goOn(bench, root?.id ?? "");
      expect(bench.runOf(root?.id ?? ""), `after ${death} events`).toMatchObject({
        status: "finished",
        iteration: 2,
        state: { "": { a: 1, colour: "blue", b: "blue" } },
      });
      expect(bench.events("run.finished").map(({ payload }) => payload.output)).toEqual(["blue"]);
      expect(bench.session().warnings).toEqual([]);
      expect(bench.logged).toEqual([]);
    }
  });
});
