import { describe, expect, it } from "vitest";
import type { NewEvent } from "../../../db/repositories.ts";
import type { Model, ModelRequest } from "../../engine/model.ts";
import type { Handler, RegisteredTool } from "../../engine/tools/tools.ts";
import { judge } from "../../scores/judge.ts";
import { type CallStep, type SuiteCase, suiteCase } from "../case.ts";
import type { Expectation } from "../expectations.ts";
import { AGENT, ports, recordedModel, type Whim } from "../testing/stand-in.ts";
import { tryBrief } from "../try-brief.ts";
import { briefOf } from "../try-result.ts";
import { runTry, TRY_CHANNEL } from "./run-try.ts";

/** A tool of this server; what it would do outside is counted. */
function toolOf(name: string, more: Partial<RegisteredTool> & { done?: () => void } = {}): RegisteredTool {
  const { done = () => undefined, ...others } = more;
  const handler: Handler = {
    activity: async () => {
      done();
      return { from: "outside" };
    },
    ...{ idempotent: true, timeout_ms: 1_000, retries: 3 },
  };
  const plain = { description: "", schema: { type: "object" }, has_activity: true, requires_confirmation: false };
  return { name, ...plain, effect: "change", guard: null, handler, ...others };
}

function callOf(tool: string, params: CallStep["params"], result: CallStep["result"]): CallStep {
  return { kind: "call", seq: 1, call_id: `${tool}_1`, tool, params, result, branch: null };
}

const order = { id: "88213", total: 84 };
const refund: SuiteCase = suiteCase.parse({
  ...{ id: "double-charge", title: "Double charge", agent_id: "support", source: { conversation_id: "c", seq: 0 } },
  before: {
    messages: [
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hi, how can I help?" },
    ],
    state: {},
    memory: null,
  },
  turns: [
    {
      message: "Refund order 88213",
      steps: [
        callOf("order", { id: "88213" }, { ok: true, output: order }),
        callOf(
          "refund",
          { order: "88213", amount: 84 },
          { ok: false, error: { code: "closed", message: "The card is closed" } },
        ),
        { kind: "says", seq: 3, content: "The card is closed." },
      ],
    },
    { message: "Thanks", steps: [{ kind: "says", seq: 5, content: "You are welcome." }] },
  ],
  state: {},
  expected: [{ kind: "same_calls" }, { kind: "says", text: "card is closed" }],
});

async function tryOf(
  whim?: Whim,
  {
    tools = [],
    rule = "stop" as const,
    signal = new AbortController().signal,
  }: { tools?: RegisteredTool[]; rule?: Parameters<typeof runTry>[2]["rule"]; signal?: AbortSignal } = {},
) {
  const kept: NewEvent[] = [];
  const result = await runTry(
    refund,
    AGENT,
    { conversation_id: "try-1", rule, time_ms: 60_000, signal },
    { ...ports(recordedModel(refund, whim), tools), keep: async (events) => void kept.push(...events) },
  );
  return { result, kept };
}

describe("a try of a case", () => {
  it("gives the agent what was said and answers its calls from the record, failures too", async () => {
    const { result, kept } = await tryOf();
    expect(result).toMatchObject({ outcome: "passed", reason: null, difference: { first: null } });
    expect(result.answers.map(({ tool, from }) => [tool, from])).toEqual([
      ["order", "recorded"],
      ["refund", "recorded"],
    ]);
    const said = kept.filter(({ type }) => type === "message.created").map(({ payload }) => payload);
    expect(said).toMatchObject([
      ...[{ content: "Hello" }, { content: "Hi, how can I help?" }, { content: "Refund order 88213" }],
      ...[{ content: "The card is closed." }, { content: "Thanks" }, { content: "You are welcome." }],
    ]);
  });

  it("is a session of its own, marked as a try", async () => {
    const { kept } = await tryOf();
    expect(kept[0]).toMatchObject({
      ...{ conversation_id: "try-1", type: "conversation.created" },
      payload: { channel: TRY_CHANNEL, metadata: { suite_case: "double-charge" } },
    });
    expect(new Set(kept.map(({ conversation_id }) => conversation_id))).toEqual(new Set(["try-1"]));
  });

  it("calls nothing outside, also where this server has the tools", async () => {
    let outside = 0;
    const tools = ["order", "refund"].map((name) => toolOf(name, { done: () => outside++ }));
    const { result } = await tryOf(undefined, { tools });
    expect([result.outcome, outside]).toEqual(["passed", 0]);
  });

  it("asks for approval where a tool needs it, and is approved", async () => {
    const { result, kept } = await tryOf(undefined, { tools: [toolOf("refund", { requires_confirmation: true })] });
    expect(result.outcome).toBe("passed");
    expect(kept.filter(({ type }) => type === "confirmation.approved")).toMatchObject([{ actor: "operator:suite" }]);
  });

  it("fails where something else is done, and names the first step", async () => {
    const { result } = await tryOf((step) =>
      step.kind === "call" && step.tool === "refund" ? "I cannot do that." : null,
    );
    expect(result.outcome).toBe("failed");
    expect(result.checks.map(({ holds }) => holds)).toEqual([false, false]);
    expect(result.difference.steps[result.difference.first ?? -1]).toMatchObject({
      kind: "removed",
      recorded: { tool: "refund" },
    });
  });

  it("stops at a call that is not recorded, where the rule says so, and says no more", async () => {
    const other: SuiteCase = {
      ...refund,
      turns: refund.turns.map((turn) => ({
        ...turn,
        steps: turn.steps.map((step) => (step.kind === "call" ? { ...step, params: { id: "other" } } : step)),
      })),
    };
    const kept: NewEvent[] = [];
    const result = await runTry(
      refund,
      AGENT,
      { conversation_id: "t", rule: "stop", time_ms: 60_000, signal: new AbortController().signal },
      {
        ...ports(recordedModel(other)),
        keep: async (events) => void kept.push(...events),
      },
    );
    expect(result).toMatchObject({ outcome: "stopped", reason: "No answer of order is recorded for these parameters" });
    expect(kept.some(({ payload }) => JSON.stringify(payload).includes("Thanks"))).toBe(false);
  });

  it("answers by the nearest call where the rule says so, and the result says which", async () => {
    const other: SuiteCase = {
      ...refund,
      turns: refund.turns.map((turn) => ({
        ...turn,
        steps: turn.steps.map((step) =>
          step.kind === "call" ? { ...step, params: { ...step.params, more: 1 } } : step,
        ),
      })),
    };
    const result = await runTry(
      refund,
      AGENT,
      { conversation_id: "t", rule: "nearest", time_ms: 60_000, signal: new AbortController().signal },
      ports(recordedModel(other)),
    );
    expect(result.answers.map(({ from, differs }) => [from, differs])).toEqual([
      ["nearest", 1],
      ["nearest", 1],
    ]);
    expect(result.checks.map(({ holds }) => holds)).toEqual([false, true]);
  });

  const JUDGE = judge.parse({
    ...{ name: "critic", score: "polite", prompt: "{{transcript}}", scale: { kind: "number", min: 1, max: 5 } },
    share: 0.001,
  });

  /** Tries the case with a score to hold; the judge's model says these, one after the other. */
  async function scoredTry(expected: Extract<Expectation, { kind: "score" }>, ...said: string[]) {
    const whole = recordedModel(refund);
    const asked: ModelRequest[] = [];
    const model: Model = {
      ...whole,
      async *respond(request, signal) {
        if (request.format?.name !== "judgement") return yield* whole.respond(request, signal);
        asked.push(request);
        const text = said[asked.length - 1] ?? "";
        const base = { response_id: "j", output: [], calls: [], input_tokens: 100, output_tokens: 5 };
        yield { type: "done", answer: { ...base, text, finish_reason: "stop" } };
      },
    };
    const rules = [{ name: "looked first", rule: "called" as const, tool: "order", before: "refund" }];
    const offered = ports(model, [], { rules, judges: [JUDGE] });
    const result = await runTry(
      { ...refund, expected: [expected] },
      AGENT,
      { conversation_id: "t", rule: "stop", time_ms: 60_000, signal: new AbortController().signal },
      { ...offered, clock: { ...offered.clock, later: (_, act) => offered.clock.later(0, act) } },
    );
    return { result, asked };
  }
  const says = (value: number) => JSON.stringify({ reason: "So", value });

  it("is scored by the judge of a score that has to hold, for each turn, whatever the judge's share", async () => {
    const polite = { kind: "score" as const, name: "polite", at_least: 4 };
    const { result, asked } = await scoredTry(polite, says(5), says(3));
    expect(result.checks).toEqual([{ expectation: polite, holds: false, found: 3 }]);
    expect(asked.map(({ input }) => JSON.stringify(input))).toEqual([
      expect.stringMatching(/Refund order 88213.*calls refund/),
      expect.stringContaining("Thanks"),
    ]);
    expect([result.outcome, result.judged]).toMatchObject(["failed", [{ input_tokens: 200, output_tokens: 10 }]]);
    expect(result.taken.usage).not.toMatchObject([{ input_tokens: expect.toSatisfy((tokens) => tokens >= 200) }]);
    expect((await scoredTry(polite, says(5), says(4))).result.outcome).toBe("passed");
  });

  it("is scored by rules, and asks no judge of another score", async () => {
    const { result, asked } = await scoredTry({ kind: "score", name: "looked first", at_least: 1 });
    expect([result.outcome, asked]).toEqual(["passed", []]);
  });

  it("has a brief without long values, which the whole result has", async () => {
    const long = "x".repeat(10_000);
    const expected: Expectation[] = [
      { kind: "called", tool: "pay", params: { long } },
      { kind: "state", path: "†state.a", equals: { long } },
    ];
    const { signal } = new AbortController();
    const settings = { conversation_id: "t", rule: "stop" as const, time_ms: 60_000, signal };
    const result = await runTry({ ...refund, expected }, AGENT, settings, ports(recordedModel(refund)));
    expect(JSON.stringify(result).length).toBeGreaterThan(20_000);
    const brief = briefOf(result);
    expect([brief.checks.length, JSON.stringify(brief).length < 5_000]).toEqual([2, true]);
    expect(tryBrief.parse(JSON.parse(JSON.stringify(brief)))).toEqual(brief);
  });

  it("is stopped where a judge gives no score after three requests", async () => {
    const { result, asked } = await scoredTry({ kind: "score", name: "polite", at_least: 1 }, "No", says(9), "");
    expect(result).toMatchObject({
      ...{ outcome: "stopped", judged: [{ responses: 3 }] },
      reason: "The judge critic gave no score: its answer is not of the scale",
    });
    expect(asked).toHaveLength(3);
  });

  it("ends when it is cancelled", async () => {
    const stop = new AbortController();
    stop.abort(new Error("Cancelled"));
    await expect(tryOf(undefined, { signal: stop.signal })).rejects.toThrow("Cancelled");
  });
});
