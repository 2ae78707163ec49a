import { describe, expect, test } from "vitest";
import { scripted } from "../../testing/scripted.ts";
import { AGENT, type Bench, echo, type SetupOptions, setup } from "../../testing/setup.ts";

const TOOL = { name: "show_map", description: "", schema: {}, requires_confirmation: false };
const calling = (...ids: string[]) => ({
  native: ids.map((call_id) => ({ call_id, name: "show_map", arguments: '{"place":"Oslo"}' })),
});
const turn = (id = "m1") => ({
  tools: [TOOL],
  conversation_id: "c",
  turn: { ...AGENT, run_id: `run-${id}`, message: { id, content: "Show me" } },
});
const answer = (made: Bench, id: string, ...ids: string[]) =>
  made.clock.until(
    made.engine.answer(
      id,
      ids.map((call_id) => ({ call_id, result: { ok: true as const, value: `seen ${call_id}` } })),
      "key:front",
    ),
  );

describe("tools of the program that started a turn", () => {
  test("the run waits for their results, and goes on with them", async () => {
    const { model, asked } = scripted(calling("a", "b"), { native: [], text: "There you are" });
    const made = setup({ model });
    const id = await made.run(null, turn());
    expect(made.runOf(id).status).toBe("waiting");
    expect(made.statuses(id)).toEqual({ a: "running", b: "running" });
    expect(await made.engine.asked(id)).toEqual(
      ["a", "b"].map((call_id) => ({ call_id, tool: "show_map", params: { place: "Oslo" } })),
    );
    // Nobody is asked for an approval.
    expect(made.types).not.toContain("confirmation.requested");
    await answer(made, id, "a", "b");
    await made.settle(id);
    expect(made.runOf(id)).toMatchObject({ status: "finished" });
    expect(made.events("call.succeeded").map(({ actor, payload }) => [actor, payload.output])).toEqual([
      ["key:front", "seen a"],
      ["key:front", "seen b"],
    ]);
    expect(JSON.stringify(asked[1]?.input)).toContain("seen b");
  });

  test("a result for a call that does not wait is refused, and none of the others is taken", async () => {
    const { model } = scripted(calling("a"), { native: [], text: "Done" });
    const made = setup({ model });
    const id = await made.run(null, turn());
    await expect(answer(made, id, "a", "other")).rejects.toThrow("The call other does not wait for a result");
    await expect(answer(made, id, "a", "a")).rejects.toThrow("does not wait");
    expect(made.statuses(id)).toEqual({ a: "running" });
    await answer(made, id, "a");
    await made.settle(id);
    await expect(answer(made, id, "a")).rejects.toThrow("has ended");
  });

  test("an error is the call's failure, which the model reads", async () => {
    const { model, asked } = scripted(calling("a"), { native: [], text: "Sorry" });
    const made = setup({ model });
    const id = await made.run(null, turn());
    const error = { code: "tool_failed", message: "no map here" };
    await made.clock.until(made.engine.answer(id, [{ call_id: "a", result: { ok: false, error } }], "key:front"));
    await made.settle(id);
    expect(made.call(id, "a")).toMatchObject({ status: "failed", error });
    expect(JSON.stringify(asked[1]?.input)).toContain("no map here");
  });

  test("the next process waits for the same results", async () => {
    const options: SetupOptions = { model: scripted(calling("a")).model };
    const made = setup(options);
    const id = await made.run(null, turn());
    await made.engine.stop();
    const { model } = scripted({ native: [], text: "Done" });
    const next = made.successor({ model });
    await next.clock.until(next.engine.recover());
    expect(await next.engine.asked(id)).toMatchObject([{ call_id: "a" }]);
    expect(next.events("call.started")).toHaveLength(1);
    await answer(next, id, "a");
    await next.settle(id);
    expect(next.runOf(id).status).toBe("finished");
  });

  test("other tools run meanwhile, and a cancelled run waits no more", async () => {
    const both = {
      native: [...calling("a").native, { call_id: "e", name: "echo", arguments: '{"value":1}' }],
    };
    const { model } = scripted(both);
    const made = setup({ model, tools: { echo: { activity: echo } } });
    const id = await made.run(null, turn());
    expect(made.statuses(id)).toEqual({ a: "running", e: "succeeded" });
    await made.clock.until(made.engine.cancel(id, "operator:ann"));
    expect(made.statuses(id)).toMatchObject({ a: "cancelled" });
    expect(await made.engine.asked(id)).toEqual([]);
  });
});
