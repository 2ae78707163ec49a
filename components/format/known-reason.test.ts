import { readdirSync, readFileSync } from "node:fs";
import { createTranslator } from "next-intl";
import { expect, test } from "vitest";
import { LOCALES } from "@/components/i18n/locales.ts";
import { messagesOf } from "@/components/i18n/messages.ts";
import { UnreadableMemory } from "@/lib/engine/memory.ts";
import { ESCALATED, REASONS } from "@/lib/engine/step/reasons.ts";
import { readCalls } from "@/lib/plan/call.ts";
import { parseReference } from "@/lib/plan/reference.ts";
import { prepare } from "@/lib/plan/schedule/prepare.ts";
import { Progress } from "@/lib/plan/schedule/progress.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { FORKED } from "@/lib/session/runs/run-reasons.ts";
import { knownReason } from "./known-reason.ts";

/** Every reason of the engine, with its possible values. */
const SAID: Record<keyof typeof REASONS, string[]> = {
  alreadyDone: [REASONS.alreadyDone()],
  alreadyThere: [REASONS.alreadyThere(["†state.a"]), REASONS.alreadyThere(["†state.a", "†state.b"])],
  cameLate: [REASONS.cameLate(["†state.a", "†state.b"])],
  plannedOnly: [REASONS.plannedOnly()],
  simulated: [REASONS.simulated()],
  notRecorded: [REASONS.notRecorded("deal.update")],
  sameAwaits: [REASONS.sameAwaits("deal_1842_opportunity")],
  replaced: [REASONS.replaced("Change the amount of deal 1842 to 5"), REASONS.replaced("Many\nlines")],
  deniedBy: [REASONS.deniedBy("operator:anna")],
  deniedBefore: [REASONS.deniedBefore("operator:anna")],
  cancelledBy: [REASONS.cancelledBy("operator:anna")],
  takenOverBy: [REASONS.takenOverBy("operator:anna")],
  delegateCancelled: [REASONS.delegateCancelled()],
  budgetSpent: ["1 calls", "20 calls", "5000 tokens", "60000 ms"].map(REASONS.budgetSpent),
  budgetUsedUp: ["1 calls", "20 calls", "5000 tokens", "60000 ms"].map(REASONS.budgetUsedUp),
  callsLost: [REASONS.callsLost(1, "pay: no money"), REASONS.callsLost(2, "pay: no money;\nask: nobody")],
  planCut: [REASONS.planCut()],
  noPlan: [REASONS.noPlan()],
  otherPlan: [REASONS.otherPlan()],
  awaitsDecisions: [REASONS.awaitsDecisions(1), REASONS.awaitsDecisions(3)],
  awaitsCaller: [REASONS.awaitsCaller(1), REASONS.awaitsCaller(3)],
  answered: [REASONS.answered()],
  decided: [REASONS.decided()],
  turnCame: [REASONS.turnCame()],
  resumedBy: [REASONS.resumedBy("operator:anna")],
  serverStarted: [REASONS.serverStarted()],
  escalated: [REASONS.escalated(), ESCALATED],
};

const UNREADABLE = new UnreadableMemory("anna", "/goals must be an array").message;

test.each([...Object.values(SAID).flat(), UNREADABLE, FORKED])(
  "P21, P24: the console translates into both languages: %s",
  (said) => {
    const known = knownReason(said);
    expect(known).not.toBeNull();
    for (const locale of LOCALES) {
      const onError = (error: Error): never => {
        throw error;
      };
      const t = createTranslator({ locale, messages: messagesOf(locale), namespace: "studio.reason", onError });
      const told = known === null ? "" : t(known.name, known.values);
      expect(/[а-я]/i.test(told)).toBe(locale === "ru");
      expect(told).not.toContain("NaN");
    }
  },
);

test("P21: the console knows all reasons of a plan's progress for calls that never start", () => {
  const reasonsOf = (calls: JsonObject[], ends: Parameters<Progress["end"]>[]) => {
    const progress = new Progress(
      prepare(readCalls(calls), () => false),
      () => undefined,
    );
    const first = progress.take();
    for (const end of ends) progress.end(...end);
    return [...first, ...progress.take()].flatMap(({ reason }) => (reason === null ? [] : [reason]));
  };
  const reader = { _tool: "t", _id: "r", x: "†state.a" };
  const writer = (output: string) => ({ _tool: "t", _id: "w", _outputPath: output });
  const said = [
    ...reasonsOf([reader], []),
    ...reasonsOf([writer("†state.a"), reader], [["w", "lost"]]),
    ...reasonsOf([writer("†state.a"), reader], [["w", "done"]]),
    ...reasonsOf([writer("†state.a"), reader], [["w", "planned"]]),
    ...reasonsOf([writer("†state.a || †state.b"), reader], [["w", "done"]]),
  ];
  const names = ["unwritten", "lost", "lost", "plannedFor", "untakenFor"];
  expect(said.map((reason) => knownReason(reason)?.name)).toEqual(names);
});

test("P21: the console knows all reasons of the engine", () => {
  const files = ["", "step", "step/state", "step/calls", "step/course", "runtime"].flatMap((part) => {
    const folder = `lib/engine/${part}`;
    return readdirSync(folder).map((name) => `${folder}/${name}`);
  });
  const texts = files
    .filter((file) => file.endsWith(".ts") && !/\.test\.ts$|\/reasons\.ts$/.test(file))
    .flatMap((file) => readFileSync(file, "utf8").match(/\breason(:| =)\s*["`][^"`]* [^"`]*["`]/g) ?? []);
  expect(texts).toEqual([]);
});

test("P21: missing inputs are recognized whatever names they contain", () => {
  const path = '†state["which a, b"].x';
  expect(parseReference(path)?.ok).toBe(true);
  expect(knownReason(`It needs ${path}, which refund did not produce`)).toEqual({
    name: "lost",
    values: { path, call: "refund" },
  });
  expect(knownReason(`It needs ${path}, which refund has only planned`)).toEqual({
    name: "plannedFor",
    values: { path, call: "refund" },
  });
  expect(knownReason("It needs †state.x, a branch that was not taken")).toEqual({
    name: "untakenFor",
    values: { path: "†state.x" },
  });
});

test("P24: who decided is shown without the kind of actor", () => {
  expect(knownReason("Denied by operator:anna")).toEqual({ name: "deniedBy", values: { who: "anna" } });
});

test("P21: free text stays as it is", () => {
  for (const words of ["It needs a look", "Already done, see ticket 5", "branch not taken yet"])
    expect(knownReason(words)).toBeNull();
});
