import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../engine/model.ts";
import type { FilledPrompt, HistorySettings, PromptTemplate } from "../../engine/prompt.ts";
import { historyMessage } from "../../prompt/history/from-messages.ts";
import type { HistoryMessage, PromptContext, Role } from "../../prompt/prompt.ts";
import { withoutTimeLine } from "../../prompt/time-line.ts";
import { charactersOf } from "../../prompt/tokens.ts";
import { createPrompts } from "./prompts.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const PLACE = { conversation_id: "c", run_id: "r", agent_id: "crm", iteration: 1 };
const CONTEXT: PromptContext = {
  ...{ user_id: "ann", household_id: null, timezone: "Europe/Moscow" },
  ...{ now: NOW, locale: "en" as const },
};
/** The time before the newest message (D8). */
const AT = "[Sunday, March 1, 2026, 15:00 Europe/Moscow]\n";
const AT_RU = "[воскресенье, 1 марта 2026 г., 15:00 Europe/Moscow]\n";
const HISTORY: HistorySettings = {
  ...{ source: "provider", locale: "en" },
  ...{ max_tokens: 4_000, max_chars: null, max_messages: 200 },
};

let count = 0;
function said(role: Role, content: string, metadata = {}): HistoryMessage {
  count += 1;
  return historyMessage({ id: `m${count}`, role, content, created_at: new Date(NOW).toISOString(), metadata });
}

/** Log lines as `level message`, with fields. */
function listening(debug = false) {
  const logged: [string, Record<string, unknown>][] = [];
  const at = (level: string) => (fields: object, message: string) => {
    logged.push([`${level} ${message}`, { ...fields }]);
  };
  const prompts = createPrompts({ logger: { debug: at("debug"), info: at("info"), warn: at("warn") }, debug });
  const fill = ({
    history,
    context,
    ...more
  }: Partial<Pick<PromptTemplate, "instructions" | "messages">> & {
    history?: Partial<HistorySettings>;
    context?: Partial<PromptContext>;
  }) =>
    prompts.fill({
      ...{ instructions: "Be kind.", messages: [said("user", "hello")] },
      ...{ history: { ...HISTORY, ...history }, context: { ...CONTEXT, ...context } },
      ...more,
    });
  const tell = (filled: FilledPrompt | null, more: Partial<ModelRequest> = {}) =>
    prompts.tell(requestOf(filled, more), filled, PLACE);
  return { fill, tell, logged };
}

function requestOf(filled: FilledPrompt | null, more: Partial<ModelRequest> = {}): ModelRequest {
  const own = "Call functions.";
  const instructions = filled ? `${filled.rendered.prompt}\n\n${own}` : own;
  const input = (filled?.said ?? []).map((message) => ({ ...message }));
  return { instructions, input, tools: [], format: null, previous_response_id: null, store: false, ...more };
}

describe("H4: a history is in the prompt or in the input, never in both", () => {
  const messages = () => [said("user", "first"), said("assistant", "second"), said("user", "third")];

  it("in the prompt are the messages before the answered one, which is sent alone", () => {
    const { fill } = listening();
    const filled = fill({ instructions: "<{{messageHistory}}>", messages: messages(), history: { source: "prompt" } });
    expect(filled.rendered.prompt).toBe("<[15:00] User: first\n[15:00] Assistant: second>");
    expect(filled.said).toEqual([{ role: "user", content: `${AT}third` }]);
  });

  it("H2: before a user's first message it says that it is empty", () => {
    const { fill } = listening();
    const alone = { instructions: "<{{messageHistory}}>", messages: [said("user", "first")] };
    const filled = fill({ ...alone, history: { source: "prompt", locale: "ru" }, context: { locale: "ru" } });
    expect(filled.rendered.prompt).toBe("<История диалога пуста>");
    expect(filled.said).toEqual([{ role: "user", content: `${AT_RU}first` }]);
  });

  it("from the provider all of it is in the input, and nothing in the prompt", () => {
    const { fill } = listening();
    const filled = fill({ messages: messages() });
    expect(filled.rendered.prompt).toBe("Be kind.");
    expect(filled.said.map(({ role, content }) => `${role} ${content}`)).toEqual([
      ...["user first", "assistant second", `user ${AT}third`],
    ]);
    expect(filled.rendered.history).toMatchObject({ total: 3, shown: 3, truncated: false });
  });

  it("H3: a manager speaks as the agent; only relevant system messages are included; tools only in prompts", () => {
    const { fill } = listening();
    const messages = [
      ...[said("operator", "I take over"), said("system", "noise"), said("tool", "{}")],
      ...[said("system", "Stage: won", { stage_change: true }), said("user", "thanks")],
    ];
    expect(fill({ messages }).said).toEqual([
      { role: "assistant", content: "I take over" },
      { role: "system", content: "Stage: won" },
      { role: "user", content: `${AT}thanks` },
    ]);
    const instructions = "{{messageHistory}}";
    expect(fill({ instructions, messages, history: { source: "prompt" } }).rendered.prompt).toContain("Tool: {}");
  });

  it("H4: over its limit the oldest are removed, which is stated first; the answered message stays", () => {
    const { fill } = listening();
    const old = Array.from({ length: 50 }, (_, n) => said(n % 2 ? "assistant" : "user", `${n} ${"word ".repeat(20)}`));
    const filled = fill({ messages: [...old, said("user", "the newest")], history: { max_tokens: 300 } });
    const { left_out, after, truncated } = filled.rendered.history;
    expect(truncated).toBe(true);
    expect(after.tokens).toBeLessThanOrEqual(300);
    expect(filled.said[0]).toEqual({ role: "system", content: `(Messages left out: ${left_out.length})` });
    expect(filled.said.at(-1)).toEqual({ role: "user", content: `${AT}the newest` });
    expect(filled.said).toHaveLength(51 - left_out.length + 1);
  });

  it("tools' messages are not in the input, and do not count", () => {
    const { fill } = listening();
    const results = Array.from({ length: 50 }, () => said("tool", "word ".repeat(20)));
    const messages = [said("user", "first"), said("assistant", "second"), ...results, said("user", "third")];
    const filled = fill({ messages, history: { max_tokens: 32, max_messages: 3 } });
    expect(filled.said.map(({ content }) => content)).toEqual(["first", "second", `${AT}third`]);
    expect(filled.rendered.history).toMatchObject({ total: 3, shown: 3, truncated: false });
  });

  it("H4: a message that alone exceeds the limit is shortened, never removed", () => {
    const { fill } = listening();
    const long = `Begin. ${"word ".repeat(2_000)}End.`;
    const [only] = fill({ messages: [said("user", long)], history: { max_tokens: 100 } }).said;
    const words = withoutTimeLine(only?.content ?? "");
    expect(words).toMatch(/^Begin\..*\[…\].*End\.$/s);
    expect(charactersOf(words)).toBeLessThanOrEqual(400);
  });
});

describe("D8: the time is before the user's newest message, and before no other", () => {
  it("in the conversation's zone, or the system's without one", () => {
    const { fill } = listening();
    const [tokyo] = fill({ context: { timezone: "Asia/Tokyo" } }).said;
    expect(tokyo?.content).toBe("[Sunday, March 1, 2026, 21:00 Asia/Tokyo]\nhello");
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    expect(fill({ context: { timezone: null } }).said[0]?.content).toContain(` ${timeZone}]\nhello`);
  });

  it("D7: after a response, it is only before the user's message", () => {
    const messages = [said("user", "first"), said("operator", "I take over")];
    expect(listening().fill({ messages }).said).toEqual([
      { role: "user", content: "first" },
      { role: "assistant", content: "I take over" },
    ]);
  });
});

describe("H5: an agent gets the parts of state and memory that its prompt names", () => {
  it.each([
    ["Be kind.", []],
    ["{{state.order.id|none}}", ["state"]],
    ["{{memory.objects}} {{state}} {{state.a}}", ["memory", "state"]],
    ["{{stateSummary}}", ["memory"]],
    ["{{warnings}} {{statement}}", []],
  ])("%s", (instructions, told) => {
    expect(listening().fill({ instructions }).told).toEqual(told);
  });
});

describe("H6: reports of a prompt", () => {
  it("H6: the operator sees the number of messages, and the size of the prompt", () => {
    const { fill, tell, logged } = listening();
    tell(fill({ messages: [said("user", "a"), said("assistant", "b"), said("user", "c")] }));
    expect(logged).toEqual([["info Prompt rendered", { ...PLACE, messages: 3, shown: 3, tokens: 7 }]]);
  });

  it("H6, H1: each missing value is reported by name, and the log has all of them", () => {
    const { fill, tell, logged } = listening();
    const events = tell(fill({ instructions: "{{householdId}} {{state.a|none}} {{unheard}} {{userId}}" }));
    const warnings = logged.filter(([line]) => line.startsWith("warn"));
    expect(warnings.map(([, { placeholder, code, run_id }]) => [placeholder, code, run_id])).toEqual([
      ["householdId", "missing", "r"],
      ["state.a", "missing", "r"],
      ["unheard", "unknown_placeholder", "r"],
    ]);
    expect(events.missing).toEqual(["householdId", "state.a", "unheard"]);
    expect(events.rendered).toMatchObject({ replaced: ["userId"], missing: events.missing });
  });

  it("H6: a cut is reported with its sizes before and after, in messages, characters and tokens", () => {
    const { fill, tell, logged } = listening();
    const messages = Array.from({ length: 30 }, (_, n) => said("user", `${n} ${"word ".repeat(30)}`));
    const { truncated } = tell(fill({ messages, history: { max_tokens: 200, max_chars: 700 } }));
    const sizes = { messages: expect.any(Number), characters: expect.any(Number), tokens: expect.any(Number) };
    expect(truncated).toEqual({
      ...{ before: { ...sizes, messages: 30 }, after: sizes },
      ...{ left_out: expect.arrayContaining([messages[1]?.id]), shortened: expect.any(Array) },
      limits: { max_tokens: 200, max_chars: 700, max_messages: 200 },
    });
    const told = logged.find(([line]) => line === "info History truncated to its limit");
    expect(told?.[1]).toMatchObject({ ...PLACE, before: { messages: 30 }, after: sizes });
    expect(tell(fill({ messages: [said("user", "short")] })).truncated).toBeNull();
  });

  it("H6: in debug mode the whole prompt is logged, otherwise nothing of it", () => {
    for (const debug of [true, false]) {
      const { fill, tell, logged } = listening(debug);
      tell(fill({ instructions: "The user is {{userId}}." }));
      expect(JSON.stringify(logged).includes("The user is ann.")).toBe(debug);
    }
  });

  it("the positions of the agent's parts are right in the whole prompt, which the engine's text follows", () => {
    const { fill, tell } = listening();
    const filled = fill({
      instructions: "{{currentTime}}: {{messageHistory}}",
      messages: [said("user", "été 👩‍👩‍👧"), said("user", "now")],
      history: { source: "prompt" },
    });
    const { prompt, parts = [], tokens } = tell(filled).rendered;
    expect(prompt).toMatch(/\n\nCall functions\.$/);
    expect(tokens).toBe(Math.ceil(charactersOf(prompt) / 4));
    expect(parts.map(({ start, end }) => prompt.slice(start, end))).toEqual([
      "2026-03-01T12:00:00.000Z",
      "[15:00] User: été 👩‍👩‍👧",
    ]);
    expect(parts[1]?.messages?.map(({ start, end }) => prompt.slice(start, end))).toEqual(["[15:00] User: été 👩‍👩‍👧"]);
  });

  it.each([
    ["{{state}}", { state: { a: "x".repeat(92) } }, "state"],
    ["{{memory}}", { memory: { a: "x".repeat(92) } }, "state"],
    ["{{stateSummary}}", { state_summary: "x".repeat(100) }, "state"],
    ["{{warnings}}", { warnings: ["x".repeat(98)] }, "state"],
    ["{{tools}}", { tools: [{ name: "x".repeat(48), description: "x".repeat(48) }] }, "tools"],
    ["{{userId}}", { user_id: "x".repeat(100) }, "system"],
  ] as const)("H4: what stands for %s is counted where it belongs", (instructions, context, spending) => {
    const { fill, tell } = listening();
    const { budget } = tell(fill({ instructions, context, messages: [] })).rendered;
    // The engine's own text takes 17 characters more.
    const system = spending === "system" ? 30 : 5;
    expect(budget).toMatchObject({
      system,
      state: 0,
      history: 0,
      tools: 0,
      ...(spending !== "system" && { [spending]: 25 }),
    });
  });

  it("H4: the budget has the request's tokens by part, and the rest of the history's limit", () => {
    const { fill, tell } = listening();
    const filled = fill({
      instructions: "{{state}}{{messageHistory}}",
      messages: [said("user", "x".repeat(80)), said("user", "y".repeat(40))],
      history: { source: "prompt", max_tokens: 100 },
      context: { state: { a: "z".repeat(32) } },
    });
    const data = { role: "user", content: "d".repeat(20) };
    const input = [data, ...filled.said.map((message) => ({ ...message }))];
    const tools = [{ type: "function", name: "f" }];
    const { budget } = tell(filled, { input, tools }).rendered;
    // {"a":"zz…"} has 40 characters, "[15:00] User: " has 14.
    expect(budget).toEqual({
      system: Math.ceil(`\n\nCall functions.${AT}`.length / 4),
      state: (40 + 20) / 4,
      history: Math.ceil((14 + 80 + 40) / 4),
      tools: Math.ceil(JSON.stringify({ tools, format: null }).length / 4),
      left: 100 - Math.ceil((14 + 80) / 4),
    });
  });

  it("D7: a request that continues a response reports what is sent, and which response", () => {
    const { fill, tell } = listening();
    const filled = fill({ messages: [said("operator", "I was here"), said("user", "thanks")] });
    const { history, budget } = tell(filled, { previous_response_id: "resp_7", store: true }).rendered;
    expect(history).toMatchObject({ source: "provider", previous_response_id: "resp_7", total: 2, shown: 2 });
    expect(budget).toMatchObject({ history: Math.ceil("I was herethanks".length / 4) });
    expect(budget).not.toHaveProperty("left");
  });

  it("a request without an agent has a prompt, too, and no history", () => {
    const { tell, logged } = listening();
    const { rendered, truncated, missing } = tell(null, { input: [{ role: "user", content: "four" }] });
    expect(rendered).toEqual({
      ...{ prompt: "Call functions.", tokens: 4, replaced: [], missing: [], parts: [] },
      budget: { system: 4, state: 1, history: 0, tools: 0 },
    });
    expect([truncated, missing]).toEqual([null, []]);
    expect(logged.map(([line]) => line)).toEqual(["debug Prompt rendered"]);
  });
});
