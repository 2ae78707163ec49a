import { describe, expect, test, vi } from "vitest";
import type { JsonObject } from "../../../session/json/json.ts";
import { directedTurn, inTurn, speaker } from "../../testing/directing.ts";
import { gated, setupRemembering } from "../../testing/remembering.ts";
import { type Said, scripted } from "../../testing/scripted.ts";
import { type Bench, echo, type SetupOptions, type TestTool } from "../../testing/setup.ts";
import type { Direction, Director } from "../../turn.ts";

const call = (name: string, params: object = {}, more: { text?: string; id?: string } = {}): Said => ({
  native: [{ call_id: more.id ?? `call-${name}`, name, arguments: JSON.stringify(params) }],
  ...(more.text === undefined ? {} : { text: more.text }),
});
const says = (text: string): Said => ({ native: [], text });

const TOOLS: Record<string, TestTool> = {
  hand: { activity: echo, control: "hand_over", effect: "none" },
  look: { activity: echo },
};

function bench(director: Director, sayings: Said[], more: SetupOptions = {}) {
  const { model, asked } = scripted(...sayings);
  return { bench: setupRemembering({ tools: TOOLS, model, director, ...more }), asked };
}

const told = (made: Bench) =>
  made.session().messages.flatMap(({ role, content }) => (role === "assistant" ? [content] : []));

const offered = ({ tools }: { tools: JsonObject[] }) => tools.map(({ name }) => name);

describe("D1, D6: a turn in which agents speak one after another", () => {
  test("who speaks is asked before anything else; the answer of its part comes back, and ends the turn as it is told", async () => {
    const director = inTurn(speaker("admin", { prefix: "[A] " }));
    const { bench: made, asked } = bench(director, [says("Hello")]);
    const id = await made.run(null, directedTurn());
    expect(made.runOf(id)).toMatchObject({ status: "finished" });
    expect(told(made)).toEqual(["Hello"]);
    expect(asked[0]?.instructions).toContain("You are admin.");
    expect(director.asked.map(({ parts }) => parts)).toEqual([
      [],
      [
        {
          node: "handle_admin",
          agent_id: "admin",
          answer: "Hello",
          used_tools: [],
          handed_over: null,
          response_id: "r",
        },
      ],
    ]);
    expect(director.asked[1]).toMatchObject({
      ...{ conversation_id: "c", run_id: id, message_id: "m1", user_id: "ann", locale: "en" },
      told: [{ node: "handle_admin" }],
    });
    expect(made.events("run.started")[0]?.payload).toMatchObject({ directed: true, answers: "m1" });
    expect(made.events("run.finished")[0]?.payload).toEqual({ output: "Hello" });
  });

  test("what a direction tells is in the log before who speaks, each event by the one before", async () => {
    const director: Director = {
      next: async ({ parts }): Promise<Direction> => {
        if (parts.length > 0) return { kind: "answer", text: "", events: [] };
        return {
          kind: "ask",
          speaker: speaker("admin"),
          events: [
            { type: "stage.entered", payload: { node: "detect_stage", state: { stage: "admin" } } },
            { type: "agent_state.written", payload: { agent_id: "dialog:c", key: "stage", value: "admin" } },
            { type: "stage.changed", payload: { from: null, to: "admin" } },
          ],
        };
      },
    };
    const { bench: made } = bench(director, [says("For the director alone")]);
    await made.run(null, directedTurn());
    const events = made.journal.events.filter(({ type }) => type !== "memory.updated");
    const from = events.findIndex(({ type }) => type === "run.started");
    const first = events.slice(from, from + 5);
    expect(first.map(({ type }) => type)).toEqual([
      ...["run.started", "stage.entered", "agent_state.written", "stage.changed", "run.iteration"],
    ]);
    expect(first.slice(1).map(({ caused_by }) => caused_by)).toEqual(first.slice(0, -1).map(({ id }) => id));
    // The director's answer is empty, and whoever asks is not left without a word.
    expect(told(made)).toEqual(["silent"]);
  });

  test("D5: a tool that hands over ends its part after the iteration, and the next agent goes on in the same turn", async () => {
    const director = inTurn(
      speaker("admin", { tools: ["hand", "look"] }),
      speaker("demo", { tools: ["look"], timezone: "Asia/Tokyo" }),
    );
    const both: Said = {
      native: [
        { call_id: "1", name: "hand", arguments: '{"value":true}' },
        { call_id: "2", name: "look", arguments: '{"value":2}' },
      ],
      text: "One moment",
    };
    const { bench: made, asked } = bench(director, [both, says("I am the demo")]);
    const id = await made.run(null, directedTurn());
    expect(made.runOf(id).status).toBe("finished");
    expect(told(made)).toEqual(["One moment", "I am the demo"]);
    expect(asked.map(offered)).toEqual([["hand", "look"], ["look"]]);
    // It knows nothing of what the one before called.
    expect(JSON.stringify(asked[1]?.input)).not.toContain("hand");
    const handedOver = { used_tools: ["hand", "look"], handed_over: { value: true } };
    expect(director.asked[1]?.parts).toMatchObject([handedOver]);
    expect(director.asked[2]?.parts).toMatchObject([
      { agent_id: "admin", answer: null, ...handedOver },
      { agent_id: "demo", answer: "I am the demo", used_tools: [], handed_over: null },
    ]);
    const speaks = made.events("message.created").map(({ agent_id, actor }) => [agent_id, actor]);
    expect(speaks).toEqual([
      [null, "user:ann"],
      ["admin", "agent:admin"],
      ["demo", "agent:demo"],
    ]);
  });

  test("D5: a marker beside calls is said to nobody, and a remark of nothing else is none", async () => {
    const drafts = { markers: ["[SECRET]"], write: () => undefined, end: () => undefined };
    const remarks = ["One [SECRET] moment", " [SECRET] "].map((text, at) =>
      call("look", { value: at }, { text, id: `${at}` }),
    );
    const { bench: made } = bench(inTurn(speaker("admin", { prefix: "[A] " })), [...remarks, says("Here")], { drafts });
    await made.run(null, directedTurn());
    expect(told(made)).toEqual(["[A] One   moment", "Here"]);
  });

  test("D6: an agent that says nothing, blanks or a marker alone leaves its user not without a word; a remark is one", async () => {
    for (const [sayings, said] of [
      [[says("")], ["silent"]],
      [[says("  \n ")], ["silent"]],
      [[call("look", { value: 1 }), says("")], ["silent"]],
      [[call("look", { value: 1 }, { text: "One moment" }), says("")], ["One moment"]],
    ] as const) {
      const { bench: made } = bench(inTurn(speaker("admin")), [...sayings]);
      const id = await made.run(null, directedTurn());
      expect([made.runOf(id).status, told(made)]).toEqual(["finished", said]);
    }
  });

  test("P19b: a call that another agent made before is made again", async () => {
    const director = inTurn(speaker("admin"), speaker("demo"));
    const { bench: made } = bench(director, [
      call("look", { value: 1 }),
      says("a"),
      call("look", { value: 1 }),
      says("b"),
    ]);
    const id = await made.run(null, directedTurn());
    expect(Object.values(made.statuses(id))).toEqual(["succeeded", "succeeded"]);
  });

  test("D5: without its tool having succeeded, nobody hands over", async () => {
    const failed: TestTool = { activity: () => Promise.reject(new Error("no")), control: "hand_over" };
    const director = inTurn(speaker("admin", { tools: ["hand"] }), speaker("demo"));
    const { bench: made } = bench(director, [call("hand"), says("It did not work"), says("never")], {
      tools: { hand: failed },
    });
    await made.run(null, directedTurn());
    expect(director.asked[1]?.parts).toMatchObject([{ answer: "It did not work", handed_over: null }]);
  });

  test("D6: a remark beside calls has the speaker's prefix; of one that is silent nothing is told", async () => {
    const director = inTurn(speaker("demo", { prefix: "[Demo] " }), speaker("setup", { silent: true, prefix: "[S] " }));
    const { bench: made } = bench(director, [
      ...[call("look", {}, { text: "Let me see" }), says("first")],
      ...[call("look", {}, { text: "Thinking" }), says("second")],
    ]);
    await made.run(null, directedTurn());
    expect(told(made)).toEqual(["[Demo] Let me see", "second"]);
  });

  test("D6: the limit of iterations is that of each part", async () => {
    const director = inTurn(speaker("admin", { max_iterations: 2 }), speaker("demo", { max_iterations: 2 }));
    const fine = bench(director, [call("look"), says("a"), call("look"), says("b")]);
    const id = await fine.bench.run(null, directedTurn());
    expect(fine.bench.runOf(id)).toMatchObject({ status: "finished", iteration: 4 });

    const over = bench(director, [call("look"), says("a"), call("look"), call("look", { value: 1 }), says("never")]);
    await over.bench.run(null, directedTurn());
    expect(over.bench.runOf(id).error).toMatchObject({ code: "iteration_limit" });
  });

  test("D4: a speaker's configuration fills its instructions, and a note goes to its model once, as an error", async () => {
    const instructions = "You work for {{configuration.company_name|nobody}}.";
    const configuration = { company_name: "Rose & Co" };
    const director = inTurn(
      speaker("demo", { instructions, configuration, note: "The answer is no JSON" }),
      speaker("demo", { instructions }),
    );
    const { bench: made, asked } = bench(director, [call("look"), says("a"), says("b")]);
    await made.run(null, directedTurn());
    const [first, second, third] = asked;
    expect(first?.instructions).toContain("Rose & Co");
    expect(third?.instructions).toContain("nobody");
    expect(JSON.stringify(first?.input)).toContain("The answer is no JSON");
    expect(JSON.stringify([second?.input, third?.input])).not.toContain("The answer is no JSON");
  });

  test("M13: each speaker has its own mode", async () => {
    const director = inTurn(speaker("admin"), speaker("demo", { mode: "shadow" }));
    const { bench: made } = bench(director, [says("a"), call("look", { value: 1 })]);
    const id = await made.run(null, directedTurn());
    expect(made.runOf(id)).toMatchObject({ status: "finished", reason: "shadow" });
    expect(Object.values(made.statuses(id))).toEqual(["planned"]);
  });
});

describe("D5: where nobody can take a turn over", () => {
  test("a tool that hands over is offered only to whom it is named", async () => {
    const director = inTurn(speaker("admin"));
    const { bench: made, asked } = bench(director, [says("Hello")]);
    await made.run(null, directedTurn());
    expect(asked.map(offered)).toEqual([["look"]]);
  });

  test("a plan, or an agent that answers by itself, that calls it is told so", async () => {
    const { bench: made } = bench(inTurn(), [call("hand"), says("Sorry")]);
    const plan = await made.run([{ _tool: "hand", _id: "h" }]);
    expect(made.call(plan, "h").error).toMatchObject({ code: "no_stage" });
    const { turn } = directedTurn();
    if (!turn) throw new Error("no turn");
    const own = { ...directedTurn(), turn: { ...turn, instructions: "Be kind.", tools: ["hand"] } };
    const id = await made.run(null, own);
    expect(made.runOf(id).status).toBe("finished");
    expect(made.events("call.failed").map(({ payload }) => payload.error?.code)).toEqual(["no_stage", "no_stage"]);
  });

  test("a speaker that was not given it, by name, cannot call it", async () => {
    const director = inTurn(speaker("admin"), speaker("demo"));
    const { bench: made } = bench(director, [{ calls: [{ _tool: "hand", _id: "h" }] }, says("Sorry"), says("b")]);
    const id = await made.run(null, directedTurn());
    expect(director.asked[1]?.parts).toMatchObject([{ handed_over: null, answer: "Sorry" }]);
    expect(made.statuses(id)).toEqual({ h: "failed" });
  });

  test("D1: a server that directs nothing says so, and the turn fails", async () => {
    const { model } = scripted();
    const made = setupRemembering({ model });
    const id = await made.run(null, directedTurn());
    expect(made.runOf(id).error).toMatchObject({ code: "dialog_failed" });
  });
});

describe("P24: a turn while it is asked who speaks", () => {
  /** A director that answers when it is let. */
  function slow(director: Director) {
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    const next: Director["next"] = async (turn) => {
      asked += 1;
      await gate.promise;
      return director.next(turn);
    };
    return { director: { next }, open: gate.resolve, asked: () => asked };
  }

  test("it is cancelled: what the director says then does not count", async () => {
    const { director, open, asked } = slow(inTurn(speaker("admin")));
    const { bench: made, asked: models } = bench(director, [says("never")]);
    const id = await made.start(null, directedTurn());
    await vi.waitFor(() => expect(asked()).toBe(1));
    await made.engine.cancel(id, "operator:ann");
    open();
    await made.settle(id);
    expect(made.runOf(id).status).toBe("cancelled");
    expect(made.types).not.toContain("stage.entered");
    expect([told(made), models]).toEqual([["cancelled"], []]);
  });

  test("its time is spent: it ends there", async () => {
    const { director, open } = slow(inTurn(speaker("admin")));
    const { bench: made } = bench(director, [says("never")]);
    const id = await made.run(null, { ...directedTurn(), budget: { time_ms: 1_000 } });
    open();
    expect(made.runOf(id).error).toMatchObject({ code: "budget_spent" });
    expect(made.types).not.toContain("stage.entered");
  });

  test("D11: a manager takes the conversation over: it makes way", async () => {
    const { director, open, asked } = slow(inTurn(speaker("admin")));
    const { bench: made } = bench(director, [says("never")]);
    const id = await made.start(null, directedTurn());
    await vi.waitFor(() => expect(asked()).toBe(1));
    await made.engine.yieldToOperator("c", "operator:anna");
    open();
    expect(made.runOf(id)).toMatchObject({ status: "cancelled", reason: "Taken over by operator:anna" });
  });

  test("M11: the user's next turn waits, and nobody is asked about it before", async () => {
    const { director, open, asked } = slow(inTurn(speaker("admin")));
    const { bench: made } = bench(director, [says("one"), says("two")]);
    await made.start(null, directedTurn(1));
    await made.start(null, directedTurn(2));
    await vi.waitFor(() => expect(asked()).toBe(1));
    open();
    for (const id of ["r1", "r2"]) await made.settle(id);
    expect(told(made)).toEqual(["one", "two"]);
  });
});

describe("P23, P24: a turn that cannot be directed", () => {
  function failing(director: Director, times: number[]): Director {
    let asked = 0;
    return {
      next: (turn) => {
        asked += 1;
        return times.includes(asked) ? Promise.reject(new Error("the graph is broken")) : director.next(turn);
      },
    };
  }

  test.each([
    ["first", [1]],
    ["after a part", [2]],
  ])("%s: it fails with its cause, the user hears of it, and resumed it is asked again", async (_, times) => {
    const { bench: made, asked } = bench(failing(inTurn(speaker("admin")), times), [says("Hello")]);
    const id = await made.run(null, directedTurn());
    const { error } = made.runOf(id);
    expect(error).toMatchObject({ code: "dialog_failed" });
    expect(JSON.stringify(error)).toContain("the graph is broken");
    expect(told(made)).toHaveLength(1);
    expect(made.logged).toEqual(["Could not determine the next speaker of a turn: Error: the graph is broken"]);
    await made.clock.until(made.engine.resume(id, [], "operator:ann"));
    await made.settle(id);
    expect(made.runOf(id).status).toBe("finished");
    expect(told(made).at(-1)).toBe("Hello");
    expect(asked).toHaveLength(1);
  });
});

describe("P22: a part whose calls wait for a person", () => {
  test("it goes on when that is decided, and the next part has its own tools", async () => {
    const gate = gated();
    const tools: Record<string, TestTool> = {
      ...TOOLS,
      risky: { activity: echo, requires_confirmation: true },
      slow: { activity: gate.activity },
    };
    const director = inTurn(speaker("admin", { tools: ["hand", "risky"] }), speaker("demo", { tools: ["look"] }));
    const both: Said = {
      native: [
        { call_id: "1", name: "hand", arguments: "{}" },
        { call_id: "2", name: "risky", arguments: '{"name":"r"}' },
      ],
    };
    const { bench: made, asked } = bench(director, [both, says("b")], { tools });
    const id = await made.run(null, directedTurn());
    expect(made.runOf(id).status).toBe("waiting");
    expect(director.asked).toHaveLength(1);
    // M11: the user's other run has the turn meanwhile, and nobody is asked before it has ended.
    const other = await made.start([{ _tool: "slow", _id: "s", name: "s" }], { user_id: "ann", conversation_id: "c" });
    await vi.waitFor(() => expect(gate.started).toEqual(["s"]));
    await made.decide({ decision: "deny" });
    expect(director.asked).toHaveLength(1);
    gate.open("s");
    for (const each of [other, id]) await made.settle(each);
    expect(made.runOf(id).status).toBe("finished");
    expect(made.events("run.resumed").map(({ payload }) => payload.reason)).toEqual([
      "It is no longer waiting for approval",
    ]);
    expect(asked.map(offered)).toEqual([["hand", "risky"], ["look"]]);
    expect(director.asked[2]?.parts[0]).toMatchObject({ used_tools: ["hand"], handed_over: {} });
  });
});
