import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SessionEvent } from "../event.ts";
import type { JsonObject } from "../json/json.ts";
import { emptySession, fold } from "../reducer/reducer.ts";
import type { Session } from "../session.ts";
import { anySession, session as events } from "../testing/events.ts";
import type { TimelineRow } from "../timeline/timeline.ts";
import { compareCalls } from "./calls.ts";
import { compareMessages, compareWords } from "./messages.ts";
import { comparePlans, planDifferences } from "./plans.ts";
import { alignTurns } from "./runs.ts";
import { compareMemories, compareStates } from "./states.ts";
import { compareSteps, stepRows } from "./steps.ts";
import { totalsByTurn, totalsOf } from "./totals.ts";

type Steps = Parameters<typeof events>;

const folded = (log: SessionEvent[], id = "c"): Session => fold(emptySession(id), log);
const made = (...steps: Steps): Session => folded(events(...steps));

/** The timeline rows of a log. */
function rowsOf(log: SessionEvent[]): TimelineRow[] {
  return log.map(({ seq, type, payload, run_id }) => {
    const { call_id: id, tool = "" } = payload as { call_id?: string; tool?: string };
    const call = type.startsWith("call.") && id ? { run: run_id, iteration: 1, instance: "", id, tool } : null;
    return {
      seq,
      time: null,
      type,
      actor: null,
      agent: null,
      run: run_id,
      call,
      cause: null,
      error: type === "call.failed",
    };
  });
}

const stepped = (log: SessionEvent[]) => ({ rows: rowsOf(log), session: folded(log) });

const said = (role: string, content: string): Steps[number] => [
  "message.created",
  { message_id: `m-${content}`, role, content },
];
const started = (call_id: string, tool: string, params: JsonObject = {}): Steps[number] => [
  "call.started",
  { call_id, tool, params, iteration: 1 },
];
const ended = (call_id: string, tool: string, output: JsonObject = {}): Steps[number] => [
  "call.succeeded",
  { call_id, tool, output, iteration: 1 },
];
const START: Steps[number] = ["run.started", { iteration: 1 }];

describe("C10: any comparison", () => {
  test("a session and itself have no differences", () => {
    fc.assert(
      fc.property(anySession, (log) => {
        const one = folded(log);
        expect(compareCalls(one, one).filter(({ standing }) => standing !== "same")).toEqual([]);
        expect(compareMessages(one, one).filter(({ standing }) => standing !== "same")).toEqual([]);
        expect(comparePlans(one, one).filter(({ standing }) => standing !== "same")).toEqual([]);
        expect(compareStates(one, one).changes).toEqual([]);
        expect(compareMemories(one, one)).toEqual([]);
        const steps = compareSteps(stepped(log), stepped(log));
        expect(steps.pairs.filter(({ standing }) => standing !== "same")).toEqual([]);
      }),
    );
  });

  test("has every call, message and step of both sides once", () => {
    fc.assert(
      fc.property(anySession, anySession, (logA, logB) => {
        const [a, b] = [folded(logA), folded(logB)];
        const calls = compareCalls(a, b);
        expect(new Set(calls.flatMap((pair) => pair.a ?? []))).toEqual(new Set(a.calls.values()));
        expect(new Set(calls.flatMap((pair) => pair.b ?? []))).toEqual(new Set(b.calls.values()));
        expect(calls).toHaveLength(a.calls.size + b.calls.size - calls.filter((pair) => pair.a && pair.b).length);
        expect(compareMessages(a, b).flatMap((pair) => pair.a ?? [])).toEqual(a.messages);
        expect(compareMessages(a, b).flatMap((pair) => pair.b ?? [])).toEqual(b.messages);
        const { pairs } = compareSteps(stepped(logA), stepped(logB));
        expect(pairs.flatMap((pair) => pair.a?.seq ?? [])).toEqual(logA.map(({ seq }) => seq));
        expect(pairs.flatMap((pair) => pair.b?.seq ?? [])).toEqual(logB.map(({ seq }) => seq));
      }),
    );
  });

  test("is symmetric", () => {
    fc.assert(
      fc.property(anySession, anySession, (logA, logB) => {
        const [a, b] = [folded(logA), folded(logB)];
        const paired = (pairs: ReturnType<typeof compareCalls>, side: "a" | "b", other: "a" | "b") =>
          new Set(pairs.flatMap((pair) => (pair[side] && pair[other] ? [[pair[side], pair[other]]] : [])));
        expect(paired(compareCalls(a, b), "a", "b")).toEqual(paired(compareCalls(b, a), "b", "a"));
        expect(compareMessages(a, b).filter(({ standing }) => standing === "same")).toHaveLength(
          compareMessages(b, a).filter(({ standing }) => standing === "same").length,
        );
        expect(compareStates(a, b).changes).toHaveLength(compareStates(b, a).changes.length);
      }),
    );
  });
});

describe("C10: calls", () => {
  test("with the same key match, with differences of parameters and results by value", () => {
    const a = made(
      START,
      started("1", "deal.get", { id: 7, with: { notes: true } }),
      ended("1", "deal.get", { sum: 5 }),
    );
    const b = made(
      START,
      started("1", "deal.get", { id: 8, with: { notes: true } }),
      ended("1", "deal.get", { sum: 6 }),
    );
    const [pair] = compareCalls(a, b);
    expect(pair?.standing).toBe("changed");
    expect(pair?.params).toEqual([{ path: ["id"], kind: "change", before: 7, after: 8 }]);
    expect(pair?.output).toEqual([{ path: ["sum"], kind: "change", before: 5, after: 6 }]);
  });

  test("with generated ids match by tool, the most similar first", () => {
    const a = made(START, started("x1", "deal.get", { id: 7 }), started("x2", "deal.get", { id: 8 }));
    const b = made(START, started("y1", "deal.get", { id: 8 }), started("y2", "deal.list"), started("y3", "deal.get"));
    const ids = compareCalls(a, b).map((pair) => [pair.a?.id, pair.b?.id]);
    expect(ids).toContainEqual(["x2", "y1"]);
    expect(ids).toContainEqual(["x1", "y3"]);
    expect(ids).toContainEqual([undefined, "y2"]);
  });

  test("that a fork closed and then executed are there once, beside those of its source", () => {
    const source = folded(events(START, started("1", "t"), ended("1", "t"), started("2", "t"), ended("2", "t")));
    const fork = folded(
      events(
        START,
        started("1", "t"),
        ended("1", "t"),
        ["call.cancelled", { call_id: "2", tool: "t", reason: "Forked", iteration: 1 }],
        ["run.cancelled", { reason: "Forked" }],
        ["run.started", { iteration: 1 }, { run_id: "again" }],
        ["call.started", { call_id: "2", tool: "t", iteration: 1, params: {} }, { run_id: "again" }],
        ["call.succeeded", { call_id: "2", tool: "t", iteration: 1, output: {} }, { run_id: "again" }],
      ),
    );
    expect(compareCalls(source, fork).map(({ standing, b }) => [standing, b?.run_id])).toEqual([
      ["same", "run"],
      ["same", "again"],
    ]);
    expect(alignTurns(source, fork).map(({ number, b }) => [number, b?.id])).toEqual([[1, "again"]]);
  });
});

describe("C10, E9: a fork and its source", () => {
  const waits = { run_id: "waits" };
  const later = { run_id: "later" };
  const own = { run_id: "own" };
  const amount = (value: number, run: { run_id: string }): Steps[number] => [
    "state.written",
    { path: "†state.deal", value: { id: 7, amount: value } },
    run,
  ];
  const get: Steps = [
    ["call.started", { call_id: "get", tool: "deal.get", iteration: 1, params: {} }, waits],
    ["call.succeeded", { call_id: "get", tool: "deal.get", iteration: 1, output: {} }, waits],
  ];
  // A turn that waits for a person, and a later one with an answer only.
  const told: Steps = [
    ["run.started", {}, waits],
    amount(5, waits),
    ...get,
    ["call.parked", { call_id: "raise", tool: "deal.update", iteration: 1, params: {} }, waits],
    ["message.created", { message_id: "m", role: "user", content: "Well?" }, { run_id: null }],
    ["run.started", {}, later],
    ["state.written", { path: "†state.asked", value: true }, later],
    ["run.finished", {}, later],
  ];
  const source = folded(events(...told), "source");
  const fork = (...steps: Steps) =>
    folded(
      events(
        ...told,
        ["conversation.created", { forked_from: { conversation_id: "source", seq: told.length } }, { run_id: null }],
        ["call.cancelled", { call_id: "raise", tool: "deal.update", iteration: 1, reason: "Forked" }, waits],
        ["run.cancelled", { reason: "Forked" }, waits],
        ...steps,
      ),
      "fork",
    );
  const goesOn = (...started: Steps) => [
    ...started,
    amount(6, own),
    ["call.started", { call_id: "raise", tool: "deal.update", iteration: 1, params: {} }, own] as Steps[number],
  ];
  const ids = (session: Session) => alignTurns(source, session).map(({ number, a, b }) => [number, a?.id, b?.id]);

  test.each([
    ["that says so", { continues: "waits" }],
    ["of an older log, which does not", {}],
  ])("goes on with the turn it closed, whatever came after that: a run %s", (_what, payload) => {
    const made = fork(...goesOn(["run.started", payload, own]));
    expect(ids(made)).toEqual([
      [1, "waits", "own"],
      [2, "later", "later"],
    ]);
    expect(compareStates(source, made)).toMatchObject({
      changes: [{ path: ["deal", "amount"], before: 5, after: 6 }],
      a: { id: "waits" },
      b: { id: "own" },
    });
    expect(compareCalls(source, made).map(({ a, b }) => [a?.id, b?.run_id])).toEqual([
      ["get", "waits"],
      ["raise", "own"],
    ]);
    expect(totalsByTurn(source, made, 0).map(({ a, b }) => [a?.runs, b?.runs])).toEqual([
      [[1], [1, 3]],
      [[2], [2]],
    ]);
  });

  test("a later message starts a new turn", () => {
    const said: Steps[number] = [
      "message.created",
      { message_id: "n", role: "user", content: "And?" },
      { run_id: null },
    ];
    const made = fork(said, ...goesOn(["run.started", {}, own]));
    expect(ids(made)).toEqual([
      [1, "waits", "waits"],
      [2, "later", "later"],
      [3, undefined, "own"],
    ]);
    expect(compareStates(source, made).changes).toEqual([]);
  });

  test("without a run is equal to its source", () => {
    expect(ids(fork())).toEqual([
      [1, "waits", "waits"],
      [2, "later", "later"],
    ]);
    expect(compareStates(source, fork()).changes).toEqual([]);
  });

  test("with a repeated run has its calls once", () => {
    const ended: Steps = [["run.started", {}, waits], ...get, ["run.finished", {}, waits]];
    const anew = get.map(([type, payload]): Steps[number] => [type, payload, own]);
    const made = folded(
      events(
        ...ended,
        ["conversation.created", { forked_from: { conversation_id: "source", seq: 4 } }, { run_id: null }],
        ["run.started", { continues: "waits" }, own],
        ...anew,
      ),
      "fork",
    );
    const pairs = compareCalls(folded(events(...ended), "source"), made);
    expect(pairs.map(({ standing, b }) => [standing, b?.run_id])).toEqual([["same", "own"]]);
  });
});

test("C10: a plan's calls and edges are added, removed or changed", () => {
  const read = { _tool: "deal.get", _id: "get", _outputPath: "†state.deal" };
  const a = made(START, ["plan.proposed", { iteration: 1, calls: [read, { _tool: "note", _id: "n", of: 1 }] }]);
  const b = made(START, [
    "plan.proposed",
    {
      iteration: 1,
      calls: [
        { ...read, _reasoningForCall: "to know it" },
        { _tool: "note", _id: "n", of: "†state.deal" },
        { _tool: "more", _id: "m" },
      ],
    },
  ]);
  const [plan] = comparePlans(a, b);
  expect(plan?.standing).toBe("changed");
  expect(plan?.calls.map(({ id, standing }) => [id, standing])).toEqual([
    ["get", "same"],
    ["n", "changed"],
    ["m", "b"],
  ]);
  expect(plan?.edges.map(({ side, edge }) => [side, edge.from, edge.to, edge.paths])).toEqual([
    ["b", "get", "n", ["†state.deal"]],
  ]);
  expect(plan && planDifferences(plan)).toBe(3);
});

test("C10: of an edge in both plans, only differing paths are listed", () => {
  const get = { _tool: "deal.get", _id: "get", _outputPath: "†state.deal" };
  const plan = (params: JsonObject) =>
    made(START, ["plan.proposed", { iteration: 1, calls: [get, { _tool: "note", _id: "n", ...params }] }]);
  const [pair] = comparePlans(plan({ of: "†state.deal.id" }), plan({ of: "†state.deal.id", sum: "†state.deal.sum" }));
  expect(pair?.edges.map(({ side, edge }) => [side, edge.paths])).toEqual([["b", ["†state.deal.sum"]]]);
});

test("C10: an iteration of one side is compared with the other's newest, with completed calls", () => {
  const get = { _tool: "deal.get", _id: "get", _outputPath: "†state.deal" };
  const note = { _tool: "note", _id: "n", of: "†state.deal" };
  const first: Steps = [
    START,
    ["plan.proposed", { iteration: 1, calls: [get, note] }],
    started("get", "deal.get"),
    ended("get", "deal.get"),
  ];
  const a = made(...first);
  const b = made(...first, ["plan.proposed", { iteration: 2, calls: [{ ...note, of: 1 }] }]);
  const standings = (pairs: ReturnType<typeof comparePlans>) =>
    pairs.map(({ calls }) => calls.map(({ id, standing }) => `${id} ${standing}`));
  expect(standings(comparePlans(a, b))).toEqual([
    ["get same", "n same"],
    ["get same", "n changed"],
  ]);
  const undone = made(...first.slice(0, 2), ["plan.proposed", { iteration: 2, calls: [{ ...note, of: 1 }] }]);
  expect(standings(comparePlans(a, undone))[1]).toEqual(["get a", "n changed"]);
});

describe("C10: messages", () => {
  test("with equal texts match; between them those of one role, and added ones are alone", () => {
    const a = made(said("user", "hi"), said("assistant", "Your deal is 5"), said("user", "bye"));
    const b = made(
      said("user", "hi"),
      said("assistant", "Your deal is 6"),
      said("system", "note"),
      said("user", "bye"),
    );
    expect(compareMessages(a, b).map(({ standing }) => standing)).toEqual(["same", "changed", "b", "same"]);
  });

  test("differ by words", () => {
    const { a, b } = compareWords("Your deal is 5 now", "Your deal is 6 now");
    expect(a.filter(({ changed }) => changed)).toEqual([{ text: "5", changed: true }]);
    expect(b.filter(({ changed }) => changed)).toEqual([{ text: "6", changed: true }]);
  });

  test("differ by words in any script; unrelated texts are shown whole", () => {
    const { a } = compareWords("Сумма сделки теперь 5", "Сумма сделки была 5");
    expect(a).toEqual([
      { text: "Сумма сделки ", changed: false },
      { text: "теперь", changed: true },
      { text: " 5", changed: false },
    ]);
    expect(compareWords("One thing, as it was", "Quite another thing was meant here").a).toHaveLength(1);
  });

  test("give both whole texts", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (one, two) => {
        const { a, b } = compareWords(one, two);
        expect(a.map(({ text }) => text).join("")).toBe(one);
        expect(b.map(({ text }) => text).join("")).toBe(two);
      }),
    );
  });
});

test("C10: states differ by path, and equal values are counted", () => {
  const a = made(START, ["state.written", { path: "†state.deal", value: { id: 7, sum: 5, old: true } }]);
  const b = made(START, ["state.written", { path: "†state.deal", value: { id: 7, sum: 6, new: true } }]);
  const { changes, same } = compareStates(a, b);
  expect(changes.map(({ path, kind }) => [path.join("."), kind])).toEqual([
    ["deal.sum", "change"],
    ["deal.old", "remove"],
    ["deal.new", "add"],
  ]);
  expect(same).toBe(1);
});

describe("C10: steps", () => {
  test("with the same meaning match, with any ids and times; their content may differ", () => {
    const a = events(START, started("1", "t", { n: 1 }), ended("1", "t"));
    const b = events(said("user", "hello"), START, started("1", "t", { n: 2 }), ended("1", "t"));
    const { pairs } = compareSteps(stepped(a), stepped(b));
    expect(pairs.map((pair) => [pair.a?.seq, pair.b?.seq, pair.standing])).toEqual([
      [undefined, 1, "b"],
      [1, 2, "same"],
      [2, 3, "changed"],
      [3, 4, "same"],
    ]);
  });

  test("that write the same path or propose a plan are changed if the content differs", () => {
    const told = (value: number) =>
      events(
        START,
        ["plan.proposed", { iteration: 1, calls: [{ _tool: "t", _id: "1", n: value }] }],
        ["state.written", { path: "†state.sum", value }],
        ["state.written", { path: "†state.alike", value: 1 }],
      );
    const { pairs } = compareSteps(stepped(told(5)), stepped(told(6)));
    expect(pairs.map(({ standing }) => standing)).toEqual(["same", "changed", "changed", "same"]);
  });

  test("in long equal ranges are collapsed, except around differences", () => {
    const same = Array.from({ length: 20 }, (): Steps[number] => ["log", "x"]);
    const { pairs } = compareSteps(stepped(events(...same, said("user", "?"))), stepped(events(...same)));
    const rows = stepRows(pairs, new Set());
    expect(rows.map((row) => (row.kind === "fold" ? row.count : row.pair.standing))).toEqual([18, "same", "same", "a"]);
    expect(stepRows(pairs, new Set(["1-1"]))).toHaveLength(22);
  });
});

test("C10: totals have tokens, the duration of turns, and the wait for people, with overlaps once", () => {
  const asked = (id: string): Steps[number] => [
    "confirmation.requested",
    { confirmation_id: id, key: id, call_id: id, action: { method: "m", params: {} } },
  ];
  const one = made(
    START,
    ["model.responded", { model: "m1", provider: "p", input_tokens: 100, output_tokens: 10 }],
    ["model.responded", { model: "m1", provider: "p", input_tokens: 50, output_tokens: 5 }],
    asked("c1"),
    asked("c2"),
    ["confirmation.approved", { confirmation_id: "c1" }],
    ["confirmation.approved", { confirmation_id: "c2" }],
    ["run.finished", {}],
  );
  expect(totalsOf(one, 0)).toMatchObject({
    input_tokens: 150,
    output_tokens: 15,
    duration: 7_000,
    waiting: 3_000,
    turns: 1,
    steps: 8,
  });
  expect(one.runs.get("run")?.usage).toEqual([
    { model: "m1", responses: 2, unreported: 0, input_tokens: 150, output_tokens: 15 },
  ]);
});

test("C10, E8: of sessions that are too long, only what both still have is compared", () => {
  const turn = (name: string): Steps => [
    ["run.started", { iteration: 1 }, { run_id: `run-${name}` }],
    ["plan.proposed", { iteration: 1, calls: [{ _tool: "get", _id: "get", of: name }] }, { run_id: `run-${name}` }],
    ["call.started", { call_id: "get", tool: "get", params: { of: name }, iteration: 1 }, { run_id: `run-${name}` }],
  ];
  const whole = made(...["1", "2", "3"].flatMap(turn));
  const newest = made(...["2", "3", "4"].flatMap(turn));
  const cut: Session = { ...newest, runs_before: 1, calls_before: 1 };
  const standings = compareCalls(whole, cut).map(({ standing, a, b }) => [standing, (a ?? b)?.run_id]);
  expect(standings).toEqual([
    ["same", "run-3"],
    ["b", "run-4"],
  ]);
  expect(comparePlans(whole, cut).map(({ standing }) => standing)).toEqual(["same", "same", "b"]);
  expect(totalsByTurn(whole, cut, 0).map(({ number, a, b }) => [number, a !== null, b !== null])).toEqual([
    [2, true, true],
    [3, true, true],
    [4, false, true],
  ]);
  expect(totalsOf(cut, 0)).toMatchObject({ duration: null, waiting: null, turns: 4 });
});

test("C10: totals are listed by turn", () => {
  const asked = (tokens: number): Steps[number] => [
    "model.responded",
    { model: "m1", provider: "p", input_tokens: tokens, output_tokens: 1 },
  ];
  const a = made(START, asked(100), ["run.finished", {}]);
  const [first, second] = totalsByTurn(a, made(START, asked(150), ["run.finished", {}]), 0);
  expect(first).toMatchObject({ number: 1, a: { duration: 2_000 }, b: { duration: 2_000 } });
  expect([first?.a?.usage, first?.b?.usage].map((usage) => usage?.[0]?.input_tokens)).toEqual([100, 150]);
  expect(second).toBeUndefined();
});

test("C10, E9: a run that a fork closed lasted until its last known event, not until the fork", () => {
  const source = events(START, started("get", "deal.get"), ended("get", "deal.get"));
  const closed = events(...Array.from({ length: 60 }, () => START), ["run.cancelled", { reason: "Forked" }]).slice(-1);
  const fork = folded([...source, ...closed]);
  expect(fork.runs.get("run")?.reason).toBe("Forked");
  expect(totalsOf(fork, 0).duration).toBe(2_000);
});
