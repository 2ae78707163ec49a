import { describe, expect, it } from "vitest";
import type { Model } from "../../engine/model.ts";
import { type SuiteCase, suiteCase, TRIES_AT_ONCE } from "../case.ts";
import { junitReport, markdownReport } from "../report.ts";
import { reasonsOf } from "../result.ts";
import { AGENT, ports } from "../testing/stand-in.ts";
import { runSuite } from "./run-suite.ts";

function caseOf(id: string, title = id): SuiteCase {
  return suiteCase.parse({
    ...{ id, title, agent_id: null, source: { conversation_id: id, seq: 0 }, state: {} },
    before: { messages: [], state: {}, memory: null },
    turns: [{ message: `Go: ${id}`, steps: [{ kind: "says", seq: 1, content: "Done" }] }],
    expected: [{ kind: "says", text: "done" }],
  });
}

/** A model that answers each case as told, try by try; the last answer again for more. */
function modelOf(answers: Record<string, readonly string[]>) {
  const asked = new Map<string, number>();
  let [open, most] = [0, 0];
  const model: Model = {
    model: "stand-in",
    provider: "test",
    async *respond({ input }) {
      const [, id = ""] = /Go: (\S+)"?/.exec(JSON.stringify(input)) ?? [];
      const name = id.replace(/[^a-z].*$/, "");
      const count = asked.get(name) ?? 0;
      asked.set(name, count + 1);
      open += 1;
      most = Math.max(most, open);
      await new Promise(setImmediate);
      open -= 1;
      const said = answers[name] ?? ["Done"];
      const text = said[Math.min(count, said.length - 1)] ?? "";
      yield {
        type: "done",
        answer: {
          response_id: "r",
          text,
          calls: [],
          output: [],
          input_tokens: 7,
          output_tokens: 3,
          finish_reason: "stop",
        },
      };
    },
  };
  return { model, most: () => most };
}

async function run(
  answers: Record<string, readonly string[]>,
  { tries = 3, signal = new AbortController().signal } = {},
) {
  const cases = ["good", "bad", "flaky"].map((id) => caseOf(id));
  const { model, most } = modelOf(answers);
  const told: string[] = [];
  const settings = {
    tries,
    rule: "stop",
    time_ms: 60_000,
    signal,
    onTry: (done: number, of: number) => told.push(`${done}/${of}`),
  } as const;
  const result = await runSuite({ name: "refunds", cases }, AGENT, settings, ports(model));
  return { result, told, most: most() };
}

describe("a run of a suite", () => {
  it("tries each case, and tells failed, flaky and passed apart", async () => {
    const { result, told } = await run({ bad: ["No"], flaky: ["Done", "No", "Done"] });
    expect(result.cases.map(({ id, verdict, tries }) => [id, verdict, tries.map(({ outcome }) => outcome)])).toEqual([
      ["bad", "failed", ["failed", "failed", "failed"]],
      ["flaky", "flaky", expect.arrayContaining(["passed", "failed"])],
      ["good", "passed", ["passed", "passed", "passed"]],
    ]);
    expect(result).toMatchObject({ counts: { passed: 1, failed: 1, flaky: 1 }, passed: { share: 1 / 3 }, tokens: 90 });
    expect(told.at(-1)).toBe("9/9");
  });

  it("says why a case did not pass, and which step differs first", async () => {
    const { result } = await run({ bad: ["No"] }, { tries: 1 });
    const [bad] = result.cases;
    expect(bad && reasonsOf(bad)).toEqual(["The agent did not say “done”"]);
    expect(bad?.first).toMatchObject({ is: "changed", tool: null });
  });

  it("has few tries at once", async () => {
    expect((await run({}, { tries: 10 })).most).toBeLessThanOrEqual(TRIES_AT_ONCE);
  });

  it("ends when it is cancelled", async () => {
    await expect(run({}, { signal: AbortSignal.abort(new Error("Cancelled")) })).rejects.toThrow("Cancelled");
  });
});

describe("its reports", () => {
  it("JUnit: a case is a test, and a flaky one fails", async () => {
    const { result } = await run({ bad: ["No & <never>"], flaky: ["Done", "No", "Done"] });
    const xml = junitReport(result);
    expect(xml).toContain('<testsuites tests="3" failures="2"');
    expect(xml).toContain('<testcase classname="refunds" name="good"/>');
    expect(xml).toContain('<failure message="failed">The agent did not say “done”</failure>');
    expect(xml).toContain('<failure message="flaky: 2/3 passed">');
  });

  it("Markdown: a sentence, and the cases that did not pass", async () => {
    const { result } = await run({ bad: ["No"] });
    const text = markdownReport(result, "support");
    expect(text).toContain("### refunds: 2 of 3 cases passed");
    expect(text).toContain("| ✗ failed | bad | 0/3 | what it says changed | The agent did not say “done” |");
    expect(text).not.toContain("good");
  });

  it("do not let titles out of their places", async () => {
    const title = '</testcase> "x" | `code` <b>\u0001';
    const settings = {
      tries: 1,
      rule: "stop",
      time_ms: 60_000,
      signal: new AbortController().signal,
      onTry: () => undefined,
    } as const;
    const result = await runSuite(
      { name: "s", cases: [caseOf("bad", title)] },
      AGENT,
      settings,
      ports(modelOf({ bad: ["No"] }).model),
    );
    expect(junitReport(result)).toContain('name="&lt;/testcase&gt; &quot;x&quot; | `code` &lt;b&gt;�"');
    expect(markdownReport(result, "a")).toContain(String.raw`\</testcase\> "x" \| \`code\` \<b\>`);
  });
});
