import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createModel } from "../model/model-client.ts";
import { type ResponsesServer, startResponsesServer } from "../model/testing/responses-server.ts";
import type { JsonObject } from "../session/json/json.ts";
import { session } from "../session/testing/events.ts";
import { fillPrompt, type Judge, type Judgement, judge, readAnswer } from "./judge.ts";
import { createJudging, isChosen } from "./judging.ts";
import type { NewScore } from "./score.ts";
import { transcriptOf } from "./transcript.ts";

const KEY = ["sk-proj", "abcdefghijklmnopqrstuvwxyz0123456789ABCD"].join("-");

const TURN = session(
  ["run.started", {}],
  ["call.started", { call_id: "a", tool: "orders.get", params: { password: "hunter2-long", order: 7 } }],
  ["call.succeeded", { call_id: "a", output: { status: "paid" } }],
  ["message.created", { message_id: "m2", role: "assistant", content: `Order 7 is paid; your key is ${KEY}` }],
  ["run.finished", {}],
);
const BEFORE = session(["message.created", { message_id: "m1", role: "user", content: "Is order 7 paid? {{rubric}}" }]);

const judgeOf = (more: Partial<Judge> = {}) =>
  judge.parse({
    name: "careful",
    score: "faithful",
    prompt: "Judge:\n{{transcript}}",
    scale: { kind: "boolean" },
    ...more,
  });

describe("what a judge reads", () => {
  it("is the turn with the question before it, without secrets", () => {
    const { transcript, question, answer } = transcriptOf(BEFORE, TURN);
    expect(transcript).toContain("user: Is order 7 paid?");
    expect(transcript).toContain("calls orders.get: ");
    expect(transcript).toContain('"order":7');
    expect(transcript + answer).not.toMatch(/hunter2|sk-proj-abc/);
    expect(question).toBe("Is order 7 paid? {{rubric}}");
  });

  it("is bounded, with a note of what was cut", () => {
    const long = session(
      ...Array.from({ length: 100 }, (_, index): [string, JsonObject] => [
        "message.created",
        { message_id: `m${index}`, role: "assistant", content: "word ".repeat(1_000) },
      ]),
    );
    const { transcript } = transcriptOf([], long);
    expect(transcript.length).toBeLessThan(25_000);
    expect(transcript).toMatch(/more characters were cut/);
    expect(transcript).toMatch(/\[\d+ entries were left out\]/);
  });

  it("is filled in once: what the conversation says is no template", () => {
    const filled = fillPrompt({ prompt: "{{question}} / {{answer}}", rubric: "1 is bad" }, transcriptOf(BEFORE, TURN));
    expect(filled).toContain("Is order 7 paid? {{rubric}} / Order 7");
    expect(filled.endsWith("1 is bad")).toBe(true);
  });
});

it.each<[string, object]>([
  ["a placeholder that nothing fills in", { prompt: "{{transkript}} {{answer}}" }],
  ["no text of the turn", { prompt: "{{rubric}}" }],
  ["U+0000", { prompt: "{{answer}}\0" }],
  ["a blank agent", { agent: "  " }],
  ["categories that are the same", { scale: { kind: "category", values: ["a", "a"] } }],
  ["a scale that nobody can read", { scale: { kind: "number", min: -1e308, max: 1e308 } }],
])("a judge with %s is refused", (_, more) => {
  expect(judge.safeParse({ ...judgeOf(), ...more }).success).toBe(false);
});

describe("the answer of a judge", () => {
  it.each([
    [{ kind: "boolean" as const }, true, "yes"],
    [{ kind: "number" as const, min: 1, max: 5 }, 4, 6],
    [{ kind: "category" as const, values: ["good", "bad"] }, "bad", "odd"],
  ])("is of the scale %j", (scale, good, bad) => {
    expect(readAnswer({ scale }, JSON.stringify({ reason: " so ", value: good }))).toEqual({
      value: good,
      reason: "so",
    });
    expect(readAnswer({ scale }, JSON.stringify({ reason: "so", value: bad }))).toBeNull();
    expect(readAnswer({ scale }, "true")).toBeNull();
  });
});

describe("judging", () => {
  let model: ResponsesServer;
  beforeEach(async () => {
    model = await startResponsesServer();
  });
  afterEach(() => model.close());

  /** Judges the turn over the wire; waits pass at once. */
  function judging(judges: Judge[], { spent = 0, paid = 0, now = Date.parse(TURN.at(-1)?.recorded_at ?? "") } = {}) {
    const given: { score: NewScore; judgement: Judgement | undefined }[] = [];
    const warned: object[] = [];
    const run = createJudging({
      judges: { list: () => judges },
      modelOf: (name) => createModel({ baseUrl: model.baseUrl, apiKey: null, folder: null, model: name ?? "judge-1" }),
      prices: { "judge-1": { input: 10, output: 20, currency: "EUR" } },
      events: { list: async () => BEFORE },
      scores: {
        list: async () => given.map(({ score }) => ({ ...score, id: "s", at: new Date(now).toISOString() })),
        async put(_, score, judgement) {
          given.push({ score, judgement });
          return null;
        },
        spent: async () => ({ scores: 0, tokens: spent, cost: paid }),
      },
      clock: {
        now: () => now,
        later(ms, task) {
          const timer = ms > 20_000 ? null : setImmediate(task);
          return () => timer && clearImmediate(timer);
        },
      },
      logger: { warn: (fields) => void warned.push(fields) },
      stopping: new AbortController().signal,
    });
    return { given, warned, judge: () => run("c", TURN) };
  }

  const says = (value: unknown) => ({ items: [{ text: JSON.stringify({ reason: "It checked.", value }) }] });

  it("keeps what was asked and answered with the score, and its cost", async () => {
    model.queue(says(true));
    const { given, judge: run } = judging([judgeOf({ rubric: "yes: it checked first" })]);
    await run();
    expect(given).toMatchObject([
      {
        score: { name: "faithful", value: true, comment: "It checked.", by: "judge:careful", run_id: "run" },
        judgement: { model: "judge-1", prompt: expect.stringContaining("yes: it checked first") },
      },
    ]);
    const { judgement } = given[0] ?? {};
    const { input_tokens = 0, output_tokens = 0 } = judgement ?? {};
    expect(judgement?.cost).toEqual([
      { currency: "EUR", amount: expect.closeTo((input_tokens * 10 + output_tokens * 20) / 1e6, 9) },
    ]);
    expect(JSON.stringify(model.requests[0])).not.toMatch(/hunter2|sk-proj-abc/);
  });

  it("is not asked again about a turn that it has judged since its end", async () => {
    model.queue(says(true), says(false));
    const { given, judge: run } = judging([judgeOf()]);
    await run();
    await run();
    expect([given.length, model.requests.length]).toEqual([1, 1]);
  });

  it("is asked again twice about an answer that is none, then passed over", async () => {
    model.queue(says("perhaps"), says("perhaps"), says("perhaps"));
    const { given, warned, judge: run } = judging([judgeOf()]);
    await run();
    expect([given.length, model.requests.length, warned.length]).toEqual([0, 3, 1]);
    model.queue(says("perhaps"), says(false));
    const second = judging([judgeOf()]);
    await second.judge();
    expect(second.given).toMatchObject([{ score: { value: false } }]);
  });

  it("asks nobody beyond the day's budget, outside of the sample, for another agent, or too late", async () => {
    const now = Date.parse(TURN.at(-1)?.recorded_at ?? "");
    const none = [judgeOf({ enabled: false }), judgeOf({ agent: "else" }), judgeOf({ share: 1e-9 })];
    await judging(none).judge();
    await judging([judgeOf({ daily_tokens: 1_000 })], { spent: 990 }).judge();
    await judging([judgeOf({ daily_cost: 2 })], { paid: 2 }).judge();
    // Without a price nobody knows what it costs.
    await judging([judgeOf({ daily_cost: 2, model: "unpriced" })]).judge();
    await judging([judgeOf()], { now: now + 2 * 3_600_000 }).judge();
    expect(model.requests).toEqual([]);
  });

  it("samples by the run's id: about the share, and the same runs each time", () => {
    const runs = Array.from({ length: 2_000 }, (_, index) => `run-${index}`);
    const chosen = runs.filter((run) => isChosen({ name: "careful", share: 0.2 }, run));
    expect(chosen.length).toBeGreaterThan(330);
    expect(chosen.length).toBeLessThan(470);
    expect(runs.filter((run) => isChosen({ name: "careful", share: 0.2 }, run))).toEqual(chosen);
  });
});
