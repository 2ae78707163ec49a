import { describe, expect, test } from "vitest";
import { costOf } from "../prices.ts";
import { emptySession, fold } from "../reducer/reducer.ts";
import { session } from "../testing/events.ts";
import { reporting, totalUsage, usageOfRun } from "./usage.ts";

const answered = (model: string, input_tokens: number, output_tokens: number) => ({
  model,
  provider: "p",
  input_tokens,
  output_tokens,
});

describe("C10: token usage", () => {
  const one = fold(
    emptySession("c"),
    session(
      ["run.started", {}],
      ["model.responded", answered("m1", 100, 10)],
      ["run.started", {}, { run_id: "child", parent_run_id: "run" }],
      ["model.responded", answered("m2", 40, 4), { run_id: "child", parent_run_id: "run" }],
      ["run.started", {}, { run_id: "next" }],
      ["model.responded", answered("m1", 1, 1), { run_id: "next" }],
      ["model.responded", { model: "m1", provider: "p" }, { run_id: null }],
    ),
  );

  test("is by model, for the session, and for a run with its delegates", () => {
    expect(one.usage).toEqual([
      { model: "m1", responses: 3, unreported: 1, input_tokens: 101, output_tokens: 11 },
      { model: "m2", responses: 1, unreported: 0, input_tokens: 40, output_tokens: 4 },
    ]);
    const run = one.runs.get("run");
    expect(run && totalUsage(usageOfRun(one, run))).toMatchObject({
      responses: 2,
      input_tokens: 140,
      output_tokens: 14,
    });
  });

  test("above the maximum of models, the others are added up", () => {
    const many = Array.from({ length: 30 }, (_, n): [string, ReturnType<typeof answered>] => [
      "model.responded",
      answered(`m${n}`, 1, 0),
    ]);
    const { usage } = fold(emptySession("c"), session(...many));
    expect(usage).toHaveLength(21);
    expect(totalUsage(usage).input_tokens).toBe(30);
    expect(usage.at(-1)).toEqual({ model: "", responses: 10, unreported: 0, input_tokens: 10, output_tokens: 0 });
  });

  test("says whether all responses told their tokens; a failure that told some counts", () => {
    const of = (...steps: Parameters<typeof session>) => totalUsage(fold(emptySession("c"), session(...steps)).usage);
    const silent: Parameters<typeof session>[number] = ["model.responded", { model: "m1", provider: "p" }];
    const failed = { model: "m1", provider: "p", error: { code: "filtered", message: "No" } };
    expect(reporting(of())).toBe("all");
    expect(reporting(of(silent, silent))).toBe("none");
    expect(reporting(of(silent, ["model.responded", answered("m1", 0, 0)]))).toBe("some");
    expect(of(["model.failed", { ...failed, input_tokens: 7 }])).toMatchObject({ responses: 1, input_tokens: 7 });
    expect(of(["model.failed", failed])).toMatchObject({ responses: 0, unreported: 0 });
  });

  test("has costs by currency; none if a price or a number of tokens is unknown", () => {
    const m1 = { input: 10, output: 100, currency: "EUR" };
    const m2 = { input: 1, output: 0, currency: "USD" };
    const told = one.usage.map((usage) => ({ ...usage, unreported: 0 }));
    expect(costOf(one.usage, { m1, m2 })).toBeNull();
    expect(costOf(told, { m1, m2 })).toEqual([
      { currency: "EUR", amount: (101 * 10 + 11 * 100) / 1e6 },
      { currency: "USD", amount: 40 / 1e6 },
    ]);
    expect(costOf(told, { m1 })).toBeNull();
    expect(costOf(told, {})).toBeNull();
  });
});
