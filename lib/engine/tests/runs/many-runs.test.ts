import { describe, expect, test, vi } from "vitest";
import type { Allowance } from "../../ports.ts";
import { gated, setupRemembering } from "../../testing/remembering.ts";
import { scripted } from "../../testing/scripted.ts";
import { AGENT, echo, request, setup } from "../../testing/setup.ts";

const turn = (user: string) => ({
  ...{ user_id: user, agent_id: "crm", conversation_id: user },
  turn: { ...AGENT, run_id: `r-${user}`, message: { id: `m-${user}`, content: `say ${user}` } },
});

describe("Security: as many runs are at work as there may be", () => {
  function oneAtOnce(runs_at_once: number) {
    const gate = gated();
    const tools = { slow: { activity: gate.activity }, risky: { activity: echo, requires_confirmation: true } };
    const calls = (name: string) => [{ call_id: name, name: "slow", arguments: JSON.stringify({ name }) }];
    const said = ["ann", "bob", "cid"].flatMap((name) => [{ native: calls(name) }, { native: [], text: "Done." }]);
    const bench = setupRemembering({ tools, runs_at_once, model: scripted(...said).model });
    return { bench, ...gate };
  }

  test("a user's turn is never refused: it waits in the log, in order of arrival, whoever its user is", async () => {
    const { bench, started, open } = oneAtOnce(1);
    for (const user of ["ann", "bob", "cid"]) await bench.engine.start(request(null, turn(user)));
    await vi.waitFor(() => expect(started).toEqual(["ann"]));
    expect(bench.events("run.started").map(({ payload }) => payload.queued ?? false)).toEqual([false, true, true]);
    expect(bench.events("message.created").filter(({ payload }) => payload.role === "user")).toHaveLength(3);
    for (const user of ["ann", "bob", "cid"]) {
      open(user);
      await bench.engine.settled(`r-${user}`);
    }
    expect(started).toEqual(["ann", "bob", "cid"]);
  });

  test("a user's turn waits for runs of plans, too", async () => {
    const { bench, started, open } = oneAtOnce(1);
    const { run_id } = await bench.engine.start(request([{ _tool: "slow", _id: "only", name: "plan" }]));
    await vi.waitFor(() => expect(started).toEqual(["plan"]));
    await bench.engine.start(request(null, turn("ann")));
    expect(bench.events("run.started").map(({ payload }) => payload.queued ?? false)).toEqual([false, true]);
    open("ann");
    open("plan");
    await bench.engine.settled(run_id);
    await bench.engine.settled("r-ann");
    expect(started).toEqual(["plan", "ann"]);
  });

  test("a run of a plan is refused, and what waits for a person does not count", async () => {
    const { bench, started, open } = oneAtOnce(2);
    const asks = [{ _tool: "risky", _id: "only", value: 1 }];
    for (let n = 0; n < 3; n++) await bench.run(asks);
    const slow = (name: string) => request([{ _tool: "slow", _id: "only", name }]);
    const first = await bench.engine.start(slow("a"));
    await bench.engine.start(slow("b"));
    await expect(bench.engine.start(slow("c"))).rejects.toMatchObject({ code: "too_many_runs" });
    await vi.waitFor(() => expect(started).toEqual(["a", "b"]));
    open("a");
    await bench.engine.settled(first.run_id);
    await bench.engine.start(slow("c"));
    await vi.waitFor(() => expect(started).toEqual(["a", "b", "c"]));
  });
});

describe("Security: an agent that has used what it may of models in a day", () => {
  function spentAfter(asked: number) {
    let left = asked;
    let isNews = true;
    const allowance: Allowance = {
      reason: "daily_limit",
      async spent(agent) {
        if (left-- > 0) return null;
        const alert = isNews;
        isNews = false;
        return { message: `The agent ${agent} has used its tokens of today`, alert };
      },
    };
    return allowance;
  }

  test("is asked nothing more: its run fails, and managers are told once", async () => {
    const model = scripted({ native: [], text: "Hello." }, { native: [], text: "Never." });
    const bench = setupRemembering({ model: model.model, allowance: spentAfter(1) });
    for (const user of ["ann", "bob", "cid"]) await bench.run(null, turn(user));
    expect(model.asked).toHaveLength(1);
    const message = "The agent crm has used its tokens of today";
    const error = { code: "daily_limit", message };
    expect(bench.events("run.failed").map(({ run_id, payload }) => [run_id, payload.error])).toEqual([
      ["r-bob", error],
      ["r-cid", error],
    ]);
    expect(bench.events("manager.alerted").map(({ conversation_id, payload }) => [conversation_id, payload])).toEqual([
      ["bob", { text: `${message}.`, reason: "daily_limit" }],
    ]);
    const said = bench.events("message.created").filter(({ payload }) => payload.role === "assistant");
    expect(said.map(({ conversation_id }) => conversation_id)).toEqual(["ann", "bob", "cid"]);
  });

  test("is asked for no latent result either: the call fails, and so does its plan", async () => {
    const model = scripted({ output: "Never." });
    const bench = setup({ model: model.model, allowance: spentAfter(0), tools: { think: {} } });

    await bench.run([{ _tool: "think", _id: "only" }], { agent_id: "crm" });
    expect(model.asked).toHaveLength(0);
    expect(bench.events("call.failed").map(({ payload }) => payload.error)).toMatchObject([{ code: "daily_limit" }]);
    expect(bench.events("manager.alerted")).toHaveLength(1);
    expect(bench.events("model.requested")).toHaveLength(0);
  });
});
