import { describe, expect, it } from "vitest";
import { demoConversations } from "../../demo/sessions/demo.ts";
import { newEvent } from "../intake/new-event.ts";
import { stored } from "../intake/testing/stored.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import { recordedSteps, suiteCase } from "./case.ts";
import { checkExpectations } from "./expectations.ts";
import { saveCase } from "./save-case.ts";

const about = { id: "case", title: "A case", tags: ["money"], expected: null };
const says = (id: string, role: "user" | "assistant", content: string) =>
  newEvent("message.created", { message_id: id, role, content }, { id, conversation_id: "c", actor: role });
const started = (id: string, params: { [key: string]: string }) =>
  newEvent(
    "call.started",
    { call_id: id, tool: "send", params },
    { id: `${id}-s`, conversation_id: "c", actor: "agent", run_id: "r" },
  );
const ended = (id: string, output: Json) =>
  newEvent(
    "call.succeeded",
    { call_id: id, tool: "send", output },
    { id: `${id}-e`, conversation_id: "c", actor: "tool:send", run_id: "r" },
  );

describe("a case from a recorded session", () => {
  it("has what users said from a step on, what was done about it, and what was said before", () => {
    const events = stored([
      ...[says("1", "user", "Hello"), says("2", "assistant", "Hi"), says("3", "user", "Write to Anna")],
      ...[started("a", { to: "Anna" }), ended("a", "sent"), says("4", "assistant", "Done"), says("5", "user", "Bye")],
    ]);
    const saved = saveCase({ ...about, conversation_id: "c", events, seq: 2 });
    expect(saved).toMatchObject({
      ok: true,
      case: {
        source: { conversation_id: "c", seq: 2 },
        before: {
          messages: [
            { role: "user", content: "Hello" },
            { role: "assistant", content: "Hi" },
          ],
        },
        // What got no answer is left out.
        turns: [
          {
            message: "Write to Anna",
            steps: [
              { kind: "call", tool: "send", params: { to: "Anna" }, result: { ok: true, output: "sent" } },
              { kind: "says", content: "Done" },
            ],
          },
        ],
        expected: [{ kind: "same_calls" }],
      },
    });
  });

  it("has no secrets and no addresses of people, and what is replaced still matches", () => {
    const secret = ["sk", "live", "4eC39HqLyjWDarjtT1zdp7dc"].join("_");
    const events = stored([
      says("1", "user", `Write to anna@example.com, my key is ${secret}`),
      ...[started("a", { to: "anna@example.com", password: "hunter2hunter2" }), ended("a", "+7 903 123-45-67")],
    ]);
    const saved = saveCase({ ...about, conversation_id: "c", events, seq: 0 });
    const text = JSON.stringify(saved);
    for (const one of ["anna@example.com", secret, "hunter2hunter2", "903 123"]) expect(text).not.toContain(one);
    const [turn] = saved.ok ? saved.case.turns : [];
    const [call] = turn?.steps ?? [];
    expect(turn?.message).toContain("[redacted:email]");
    expect(call).toMatchObject({ params: { to: "[redacted:email]" } });
  });

  it("keeps parameters and fields named __proto__, which are plain data", () => {
    const named: JsonObject = JSON.parse('{"__proto__": {"to": "Anna"}, "n": 1}');
    const about = { conversation_id: "c", run_id: "r" };
    const call = { call_id: "a", tool: "send" };
    const events = stored([
      says("1", "user", "Write"),
      newEvent("state.written", { path: "†state", value: named }, { ...about, id: "w", actor: "agent" }),
      newEvent("call.started", { ...call, params: named }, { ...about, id: "s", actor: "agent" }),
      newEvent("call.succeeded", { ...call, output: named }, { ...about, id: "e", actor: "tool:send" }),
    ]);
    const expected = [{ kind: "called" as const, tool: "send", params: named }];
    const saved = saveCase({ ...about, ...{ id: "case", title: null, tags: [], expected, events, seq: 0 } });
    if (!saved.ok) throw new Error(saved.reason);
    const read = suiteCase.parse(JSON.parse(JSON.stringify(saved.case)));
    expect(read).toMatchObject({ turns: [{ steps: [{ kind: "call" }] }] });
    const text = JSON.stringify(named);
    expect(JSON.stringify(recordedSteps(read))).toContain(`"params":${text},"result":{"ok":true,"output":${text}}`);
    expect(JSON.stringify([read.state, read.expected])).toBe(
      `[{"":${text}},[{"kind":"called","tool":"send","params":${text}}]]`,
    );
  });

  it("Security: has no personal data in names of fields, numbers and dotted cards either", () => {
    const key = ["sk-", "a1b2c3d4"].join("");
    const output = {
      "anna@example.com": { balance: 5 },
      "anna.orlova@example.com": { balance: 6 },
      phone: 79031234567,
      card: "4111.1111.1111.1111",
      note: `the key is ${key}`,
    };
    const events = stored([says("1", "user", "Hello"), started("a", {}), ended("a", output)]);
    const saved = saveCase({ ...about, conversation_id: "c", events, seq: 0 });
    const text = JSON.stringify(saved);
    for (const one of ["example.com", "79031234567", "4111.1111", key]) expect(text).not.toContain(one);
    const [call] = (saved.ok ? saved.case.turns : [])[0]?.steps ?? [];
    expect(call).toMatchObject({
      result: {
        output: { "[redacted:email]": { balance: 5 }, "[redacted:email] 2": { balance: 6 }, phone: "[redacted:phone]" },
      },
    });
  });

  it("Security: the beginning of the first message is its title, cut after it was redacted", () => {
    const message = `${"x".repeat(100)} 4111-1111-1111-1111 anna.long.address@example.com`;
    const events = stored([says("1", "user", message), says("2", "assistant", "Done")]);
    const saved = saveCase({ ...about, title: null, conversation_id: "c", events, seq: 0 });
    if (!saved.ok) throw new Error(saved.reason);
    expect(saved.case.title.length).toBeLessThanOrEqual(120);
    expect(saved.case.title).toMatch(/^x{100}/);
    expect(saved.case.title).not.toMatch(/4111|anna/);
  });

  it("a title is not cut within a character", () => {
    const message = `${"x".repeat(118)}😀😀`;
    const events = stored([says("1", "user", message), says("2", "assistant", "Done")]);
    const saved = saveCase({ ...about, title: null, conversation_id: "c", events, seq: 0 });
    if (!saved.ok) throw new Error(saved.reason);
    expect(saved.case.title).toBe(`${"x".repeat(118)}…`);
  });

  it("says why a session is none", () => {
    const saved = saveCase({ ...about, conversation_id: "c", events: stored([says("1", "user", "Hello")]), seq: 0 });
    expect(saved).toEqual({
      ok: false,
      reason: "No user's message after this step was answered; choose an earlier step",
    });
  });

  it("can be saved of the demo's sessions, and holds for what was recorded", () => {
    const now = new Date("2026-11-21T15:12:20.000Z");
    const saved = demoConversations(now, "en").map(({ conversation_id, events }) =>
      saveCase({ ...about, conversation_id, events: stored(events), seq: 0 }),
    );
    const cases = saved.flatMap((one) => (one.ok ? [one.case] : []));
    expect(cases.length).toBeGreaterThan(5);
    for (const one of cases) {
      const steps = recordedSteps(one);
      const checked = checkExpectations(one.expected, { steps, state: one.state, tokens: null, scores: [] }, steps);
      expect(checked.every(({ holds }) => holds)).toBe(true);
    }
  });
});

describe("what must hold", () => {
  const call = (tool: string, params = {}) =>
    ({ kind: "call", seq: 1, call_id: tool, tool, params, result: null, branch: null }) as const;
  const outcome = {
    steps: [
      call("get", { id: 1 }),
      call("pay", { amount: 84, to: { card: "4471" } }),
      { kind: "says" as const, seq: 3, content: "I returned €84." },
    ],
    state: { "": { refund: { amount: 84 } } },
    tokens: 100,
    scores: [
      { name: "polite", value: 4 },
      { name: "polite", value: 3 },
      { name: "kept rules", value: true },
      { name: "tone", value: "warm" },
    ],
  };
  it.each([
    [{ kind: "state", path: "†state.refund.amount", equals: 84 }, true, 84],
    [{ kind: "state", path: "†state.refund", equals: { amount: 42 } }, false, { amount: 84 }],
    [{ kind: "state", path: "†state.note", equals: 1 }, false, null],
    [{ kind: "called", tool: "pay", params: { to: { card: "4471" } } }, true, 1],
    [{ kind: "called", tool: "pay", params: { amount: 42 } }, false, 0],
    [{ kind: "not_called", tool: "delete" }, true, 0],
    [{ kind: "not_called", tool: "pay" }, false, 1],
    [{ kind: "called_before", tool: "get", next: "pay" }, true, 0],
    [{ kind: "called_before", tool: "pay", next: "get" }, false, 1],
    [{ kind: "says", text: "RETURNED €84" }, true, "I returned €84."],
    [{ kind: "never_says", text: "sorry" }, true, null],
    [{ kind: "tokens_at_most", tokens: 99 }, false, 100],
    [{ kind: "same_calls" }, false, 2],
    [{ kind: "score", name: "polite", at_least: 3 }, true, 3],
    [{ kind: "score", name: "polite", at_least: 3.5 }, false, 3],
    [{ kind: "score", name: "kept rules", at_least: 1 }, true, 1],
    [{ kind: "score", name: "tone", at_least: 0 }, false, "warm"],
    [{ kind: "score", name: "brief", at_least: 0 }, false, null],
    [{ kind: "called", tool: "get", params: JSON.parse('{"__proto__": {}}') }, false, 0],
  ] as const)("%o: %s", (expected, holds, found) => {
    expect(checkExpectations([expected], outcome, [call("get", { id: 1 })])).toEqual([
      { expectation: expected, holds, found },
    ]);
  });
});
