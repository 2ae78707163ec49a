import { createReadStream, existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readImport } from "../../intake/read-import.ts";
import { stored } from "../../intake/testing/stored.ts";
import { recordedSteps, type SuiteCase } from "../case.ts";
import { saveCase } from "../save-case.ts";
import { AGENT, ports, recordedModel, type Whim } from "../testing/stand-in.ts";
import type { TryResult } from "../try-result.ts";
import { runTry } from "./run-try.ts";

const SHARED = new URL("../../../../shared/data/airline-conversations.jsonl", import.meta.url);
const CANCELS = "cancel_reservation";

async function savedCases(): Promise<SuiteCase[]> {
  const cases: SuiteCase[] = [];
  for await (const { conversation_id, events } of readImport(createReadStream(SHARED))) {
    const saved = saveCase({
      ...{ id: conversation_id, title: conversation_id, tags: [], conversation_id, seq: 0, expected: null },
      events: stored(events),
    });
    if (!saved.ok) throw new Error(saved.reason);
    cases.push(saved.case);
  }
  return cases;
}

function tryOf(one: SuiteCase, whim?: Whim, agent = AGENT): Promise<TryResult> {
  const settings = { conversation_id: `try:${one.id}`, rule: "stop", time_ms: 60_000 } as const;
  return runTry(one, agent, { ...settings, signal: new AbortController().signal }, ports(recordedModel(one, whim)));
}

// Additional to the tests with conversations of this project: skipped where ../shared/data is absent.
describe.skipIf(!existsSync(SHARED))("the 50 recorded airline conversations as a suite", async () => {
  const cases = existsSync(SHARED) ? await savedCases() : [];

  it("replays each of them exactly from recorded answers, call by call", async () => {
    expect(cases).toHaveLength(50);
    const results = await Promise.all(cases.map((one) => tryOf(one)));
    expect(results.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    const calls = cases.flatMap(recordedSteps).filter(({ kind }) => kind === "call");
    const answers = results.flatMap((result) => result.answers);
    expect(answers.filter(({ from }) => from !== "recorded")).toEqual([]);
    expect(answers).toHaveLength(calls.length);
    // Each tool, its parameters and its result, and each word.
    expect(results.filter(({ difference }) => difference.first !== null)).toEqual([]);
  });

  it("shows exactly the conversations that a changed refund policy touches", async () => {
    const policy = "Never cancel a reservation: no fare is refunded.";
    const changed = { ...AGENT, instructions: `${AGENT.instructions} ${policy}` };
    // The stand-in does as its instructions say.
    const obeys: Whim = (step, { instructions }) =>
      instructions?.includes(policy) && step.kind === "call" && step.tool === CANCELS ? "No fare is refunded." : null;
    const results = await Promise.all(cases.map((one) => tryOf(one, obeys, changed)));
    const touched = cases.filter((one) =>
      recordedSteps(one).some((step) => step.kind === "call" && step.tool === CANCELS),
    );
    expect(touched.length).toBeGreaterThan(0);
    const differing = cases.filter((_, index) => results[index]?.difference.first !== null);
    expect(differing.map(({ id }) => id)).toEqual(touched.map(({ id }) => id));
    for (const [index, one] of cases.entries()) {
      const { difference, outcome } = results[index] ?? { difference: null, outcome: null };
      expect(outcome).toBe(touched.includes(one) ? "failed" : "passed");
      const first = difference?.steps.find(({ kind, recorded }) => kind !== "same" && recorded?.kind === "call");
      if (touched.includes(one))
        expect(first).toMatchObject({ kind: "removed", recorded: { tool: CANCELS }, now: null });
    }
  });
});
