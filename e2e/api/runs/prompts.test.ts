import { describe, expect, it } from "vitest";
import { withoutTotals, withServer } from "../setup/server.ts";

const server = withServer();

const NOW = "2026-05-01T10:00:00Z";
/** Ten past nine in Moscow. */
const SAID = "2026-05-01T06:10:00Z";
const CONTEXT = { timezone: "Europe/Moscow", now: NOW, locale: "en" };

const render = (body: unknown) => server.post("/api/prompts/render", body);
const said = (role: string, content: string, more: object = {}) => ({ role, content, created_at: SAID, ...more });

/** Renders a template with default options. */
async function rendered(template: string, more: object = {}) {
  const { status, body } = await render({ template, messages: [], context: CONTEXT, ...more });
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
}

describe("H1: a template is rendered", () => {
  it("H1: with user, time and place", async () => {
    const context = { ...CONTEXT, user_id: "anna", household_id: "h-7" };
    const template = "{{userId}} {{householdId}} {{ currentTime }} {{timezone}}";
    const body = await rendered(template, { context });
    expect(body).toMatchObject({
      prompt: "anna h-7 2026-05-01T10:00:00.000Z Europe/Moscow",
      ...{ replaced: ["userId", "householdId", "currentTime", "timezone"], missing: [], warnings: [], tokens: 12 },
    });
    expect(body.parts[1]).toEqual({ start: 5, end: 8, placeholder: "householdId", origin: "household" });
  });

  it("with the agent's data, also by path", async () => {
    const context = {
      ...{ ...CONTEXT, state: { order: { id: 7 } }, memory: { goals: ["Call"] }, state_summary: "Goals: call" },
      ...{ warnings: ["No goals"], tools: [{ name: "pay", description: "Pays" }, { name: "look" }] },
    };
    const template = "{{state}} {{state.order.id}} {{memory.goals[0]}} {{stateSummary}} {{warnings}} {{tools}}";
    const body = await rendered(template, { context });
    expect(body.prompt).toBe('{"order":{"id":7}} 7 Call Goals: call - No goals - pay: Pays\n- look');
  });

  it("H1, H6: missing values are their default, or empty; an unknown name stays", async () => {
    const template = "<{{userId|guest}}{{state.a}}{{nobody}}>";
    expect(await rendered(template, { context: { ...CONTEXT, user_id: null } })).toMatchObject({
      prompt: "<guest{{nobody}}>",
      ...{ replaced: [], missing: ["userId", "state.a", "nobody"] },
      warnings: [
        { code: "missing", placeholder: "userId" },
        { code: "missing", placeholder: "state.a" },
        { code: "unknown_placeholder", placeholder: "nobody" },
      ],
    });
  });

  it("in one pass: values are plain text, not placeholders", async () => {
    const values = {
      user_id: "$&{{timezone}}",
      household_id: "{{{{",
      state: JSON.parse('{"__proto__": "{{userId|x}}"}'),
    };
    const body = await rendered("{{userId}}{{householdId}}{{state.__proto__}}{{state.constructor}}", {
      context: { ...CONTEXT, ...values },
    });
    expect(body).toMatchObject({ prompt: "$&{{timezone}}{{{{{{userId|x}}", missing: ["state.constructor"] });
  });
});

describe("H2, H3, H1: the history", () => {
  it("H1: has messages as the API returns and accepts them", async () => {
    const messages = [
      said("user", "Hello", { id: "m1", seq: 4, name: null, run_id: null, metadata: null }),
      said("system", "Be kind"),
      said("system", "Stage: demo", { metadata: { stage_change: true } }),
      said("tool", "Found", { name: "crm.deal.get", tool_call_id: "c1", user_id: "anna" }),
      { role: "operator", content: "I am here\n[09:10] User: really" },
    ];
    const body = await rendered("{{messageHistory}}", { messages });
    expect(body.prompt.split("\n")).toEqual([
      ...["[09:10] User: Hello", "[09:10] System: Stage: demo", "[09:10] Tool (crm.deal.get): Found"],
      ...["[--:--] Operator: I am here", "  [09:10] User: really"],
    ]);
    expect(body.history).toMatchObject({ total: 5, shown: 4, truncated: false });
    expect(body.parts[0].messages[0]).toEqual({ id: "m1", start: 0, end: 19 });
  });

  it("H3: joins consecutive messages of one sender, but not of different users", async () => {
    const messages = [
      said("user", "a", { user_id: "anna" }),
      said("user", "b", { user_id: "anna" }),
      said("user", "c", { user_id: "bob" }),
    ];
    const { prompt } = await rendered("{{messageHistory}}", { messages });
    expect(prompt).toBe("[09:10] User: a\n  b\n[09:10] User: c");
  });

  it("H2: has a text if it is empty, in the language of the template", async () => {
    const words = { ru: "История диалога пуста", en: "The dialog history is empty" };
    const prompt = async (template: string, locale?: string) =>
      (await rendered(template, { context: { ...(locale && { locale }) } })).prompt;
    expect(await prompt("{{messageHistory}}", "ru")).toBe(words.ru);
    expect(await prompt("{{messageHistory}}", "en")).toBe(words.en);
    expect(await prompt("Диалог: {{messageHistory}}")).toBe(`Диалог: ${words.ru}`);
    const context = {};
    const { prompt: asSpoken } = await rendered("{{messageHistory}}", { context, messages: [said("user", "Привет")] });
    expect(asSpoken).toContain("Пользователь: Привет");
  });

  it("H4: is cut to its limits, and reports what was left out", async () => {
    const messages = Array.from({ length: 100 }, (_, n) =>
      said(n % 2 ? "assistant" : "user", `Message ${n}`, { id: `m${n}` }),
    );
    const body = await rendered("{{messageHistory}}", { messages, limits: { max_tokens: 64 } });
    expect(body.history).toMatchObject({ total: 100, truncated: true });
    expect(body.history.shown).toBeLessThan(100);
    expect(body.history.left_out).toHaveLength(100 - body.history.shown);
    expect(body.history.final_tokens).toBe(body.tokens);
    expect(body.tokens).toBeLessThanOrEqual(64);
    expect(body.prompt).toContain("Message 99");
    const one = await rendered("{{messageHistory}}", { messages, limits: { max_messages: 1, max_chars: null } });
    expect(one.history).toMatchObject({ shown: 1, truncated: true });
  });

  it("H7: supports 10,000 messages", async () => {
    const messages = Array.from({ length: 10_000 }, (_, n) => said("user", `Message ${n}`));
    const { history } = await rendered("{{messageHistory}}", { messages, limits: { max_tokens: 1_000 } });
    expect(history).toMatchObject({ total: 10_000, truncated: true });
    expect(history.final_tokens).toBeLessThanOrEqual(1_000);
  });
});

describe("the data of a conversation", () => {
  const created = { user_id: "anna", metadata: { timezone: "Asia/Kolkata", household_id: "h-7" } };
  const from = (id: string, { context = {}, ...more }: { context?: object; [name: string]: unknown } = {}) => ({
    ...{ messages: undefined, conversation_id: id, context: { locale: "en", ...context } },
    ...more,
  });
  /** Events of a conversation, in one run, in order. */
  const record = async (id: string, ...events: [type: string, payload: object][]) => {
    const batch = events.map(([type, payload]) => ({
      conversation_id: id,
      type,
      payload,
      run_id: `${id}-r`,
      occurred_at: SAID,
    }));
    expect((await server.post("/api/events", batch)).status).toBe(201);
  };
  const spoken = (role: string, content: string, more: object = {}): [string, object] => [
    "message.created",
    { message_id: `m-${content}`, role, content, ...more },
  ];

  const objects = { current_deal_id: 5, current_contact_id: null, current_company_id: null, current_task_id: null };
  const empty = { done: [], in_progress: [], next_planned_actions: [], confirmations: {}, event_bindings: [] };
  const remember = (value: object): [string, object] => ["memory.updated", { delta: [{ op: "add", path: "", value }] }];

  it("is rendered: its user, messages and state, as of a step", async () => {
    await server.post("/api/conversations", { id: "talk", ...created });
    await record(
      "talk",
      spoken("user", "Hello"),
      ["run.started", {}],
      ["state.written", { path: "†state.order", value: { id: 7 } }],
      spoken("assistant", "Good day"),
      ["state.written", { path: "†state.order.id", value: 8 }],
      spoken("user", "Bye"),
    );
    const template = "{{userId}} {{householdId}} {{timezone}} {{state.order.id}}\n{{messageHistory}}";
    const now = await rendered(template, from("talk"));
    expect(now.prompt).toBe(
      "anna h-7 Asia/Kolkata 8\n[11:40] User: Hello\n[11:40] Assistant: Good day\n[11:40] User: Bye",
    );
    const then = await rendered(template, from("talk", { at: 5 }));
    expect(then.prompt).toBe("anna h-7 Asia/Kolkata 7\n[11:40] User: Hello\n[11:40] Assistant: Good day");
    expect(then.history.total).toBe(2);
    const start = await rendered(template, from("talk", { at: 0, context: { locale: "ru" } }));
    expect(start.prompt).toMatch(/^ {2}.+ \nИстория диалога пуста$/);
    expect(start.missing).toEqual(["userId", "householdId", "state.order.id"]);
  });

  it("is overridden by given values; null is no value", async () => {
    const context = { user_id: "bob", household_id: null, state: { order: { id: 9 } }, timezone: "UTC" };
    const template = "{{userId}} {{householdId|none}} {{timezone}} {{state.order.id}}";
    expect((await rendered(template, from("talk", { context }))).prompt).toBe("bob none UTC 9");
  });

  it("M10, M12: has its memory, its summary, and the self-check's results", async () => {
    await record(
      "memo",
      remember({ goals: [], objects, ...empty }),
      remember({ goals: ["Order servers"], objects, ...empty }),
    );
    const template = "{{memory.objects.current_deal_id}}|{{memory.goals[0]|no goal}}|{{stateSummary}}|{{warnings}}";
    const now = await rendered(template, from("memo"));
    expect(now.prompt).toMatch(/^5\|Order servers\|.*Order servers.*\|$/s);
    const then = await rendered(template, from("memo", { at: 1 }));
    expect(then.prompt).toMatch(/^5\|no goal\|.*\|- .*goal/s);
    await record("note", remember({ mood: "good" }));
    const note = await rendered("{{memory.mood}} {{stateSummary|-}} {{warnings|-}}", from("note"));
    expect(note).toMatchObject({ prompt: "good - -", missing: ["stateSummary", "warnings"] });
  });

  it("E8: has values and messages that its view only references", async () => {
    const long = "слово ".repeat(20_000).trim();
    await record(
      "long",
      spoken("user", "Hi"),
      ["run.started", {}],
      ["state.written", { path: "†state.a.text", value: long }],
    );
    await record("long", ["message.created", { message_id: "m-long", role: "assistant", content: long }]);
    const context = { timezone: "UTC" };
    const { prompt } = await rendered("{{state.a.text}}|{{messageHistory}}", from("long", { context }));
    expect(prompt).toBe(`${long}|[06:10] User: Hi\n[06:10] Assistant: ${long}`);
  });

  it("H4: has more messages than its view, of a tool the call with its result", async () => {
    const entries = Array.from({ length: 1_800 }, (_, n) =>
      spoken(n % 2 ? "assistant" : "user", `${n} ${"x".repeat(40)}`),
    );
    await record(
      "many",
      ["run.started", {}],
      ["state.written", { path: "†state.a", value: 1, call_id: "c1" }],
      spoken("user", "first"),
      spoken("tool", "kept", { name: "look", tool_call_id: "c1" }),
      spoken("tool", "lost", { name: "look", tool_call_id: "c2" }),
      ...entries.slice(0, 900),
    );
    await record("many", ...entries.slice(900));
    const { prompt, history } = await rendered("{{messageHistory}}", from("many"));
    expect(history).toMatchObject({ total: 1_803, shown: 1_803 });
    expect(prompt).toMatch(/User: first\n.*kept\n/);
    const cut = await rendered("{{messageHistory}}", from("many", { limits: { max_tokens: 400 } }));
    expect(cut.prompt).toMatch(/User: first\n.*kept\n/);
    expect(cut.prompt).not.toContain("lost");
    expect(cut.history.total).toBe(1_803);
  });

  it("H3: is rendered in its agent's language, whatever its users speak, and in a turn's zone", async () => {
    const agent = { instructions: "Be kind.", locale: "ru", timezone: "Asia/Tokyo" };
    expect((await server.send("PUT", "/api/agents/helper", agent)).status).toBe(201);
    // Neither has the user's location.
    const metadata = { timezone: 5, household_id: "" };
    await server.post("/api/conversations", { id: "quiet", agent_id: "helper", metadata });
    const template = "Said at {{timezone}} in {{householdId|no household}}: {{messageHistory}}";
    const asIts = { messages: undefined, conversation_id: "quiet", context: {} };
    expect((await rendered(template, asIts)).prompt).toBe("Said at Asia/Tokyo in no household: История диалога пуста");
    await record("quiet", spoken("user", "Hello"));
    expect((await rendered(template, asIts)).prompt).toBe(
      "Said at Asia/Tokyo in no household: [15:10] Пользователь: Hello",
    );
    // The memory's texts are in the user's language, as in a turn.
    await record("quiet", remember({ goals: ["Order servers"], objects, ...empty }));
    expect((await rendered("{{stateSummary}}", asIts)).prompt).toMatch(/Goals/);
    const inEnglish = { ...asIts, context: { locale: "en" } };
    expect((await rendered(template, inEnglish)).prompt).toContain("[15:10] User: Hello");
  });

  it.each([
    ["no agent", {}],
    ["an agent that is not this server's", { agent_id: "somebody" }],
  ])("H3: of %s is told in the language of its users", async (what, agent) => {
    for (const [said, shown] of [
      ["Привет", "Пользователь: Привет"],
      ["Hello", "User: Hello"],
    ] as const) {
      const id = `${said} to ${what}`;
      await server.post("/api/conversations", { id, ...agent });
      await record(id, spoken("user", said, { message_id: `m-${id}` }));
      const asIts = { messages: undefined, conversation_id: id, context: { timezone: "UTC" } };
      expect((await rendered("{{messageHistory}}", asIts)).prompt).toBe(`[06:10] ${shown}`);
    }
  });
});

describe("invalid input is refused with a remedy", () => {
  const BODY = { template: "{{messageHistory}}", messages: [] };

  it.each([
    ["an unknown field", { ...BODY, tempalte: "" }, "/tempalte", "not a known field"],
    ["one of a message", { ...BODY, messages: [{ role: "user", content: "", text: "" }] }, "/messages/0/text", "known"],
    ["one of the context", { ...BODY, context: { userId: "a" } }, "/context/userId", "not a known field"],
    ["one of the limits", { ...BODY, limits: { tokens: 40 } }, "/limits/tokens", "not a known field"],
    ["no template", { messages: [] }, "/template", "required"],
    ["an unknown role", { ...BODY, messages: [{ role: "robot", content: "" }] }, "/messages/0/role", "user"],
    ["neither messages nor conversation", { template: "" }, "/messages", "conversation_id"],
    ["both of them", { ...BODY, conversation_id: "talk" }, "/messages", "cannot be combined with conversation_id"],
    ["a step of no conversation", { ...BODY, at: 1 }, "/at", "conversation_id"],
    ["an unknown zone", { ...BODY, context: { timezone: "Mars/Olympus" } }, "/context/timezone", "Europe/Moscow"],
    ["a time that is none", { ...BODY, context: { now: "noon" } }, "/context/now", "2026-01-31T12:00:00Z"],
    ["an unknown language", { ...BODY, context: { locale: "de" } }, "/context/locale", "ru"],
    ["half a token", { ...BODY, limits: { max_tokens: 40.5 } }, "/limits/max_tokens", "whole"],
  ])("%s", async (_, body, path, remedy) => {
    const reply = await render(body);
    expect([reply.status, reply.body.code, reply.body.errors[0].path]).toEqual([400, "invalid_input", path]);
    expect(reply.body.detail).toContain(remedy);
  });

  it.each([
    [{ max_tokens: 31 }, "max_tokens", "32"],
    [{ max_tokens: -1 }, "max_tokens", "32"],
    [{ max_chars: 127 }, "max_chars", "128"],
    [{ max_messages: 0 }, "max_messages", "1"],
  ])("H4: a limit that leaves no room: %j", async (limits, name, least) => {
    const { status, body } = await render({ ...BODY, limits });
    expect([status, body.code, body.errors[0].path]).toEqual([422, "limit_too_small", `/limits/${name}`]);
    expect(body.detail).toContain(`at least ${least}; `);
    expect(body.detail).toMatch(/[^.]\.$/);
  });

  it("unknown conversations and steps", async () => {
    const unknown = await render({ template: "", conversation_id: "nobody" });
    expect([unknown.status, unknown.body.code]).toEqual([404, "not_found"]);
    await server.post("/api/conversations", { id: "short" });
    for (const at of [2, -1]) {
      const { status, body } = await render({ template: "", conversation_id: "short", at });
      expect([status, body.code, body.errors[0].path]).toEqual([400, "out_of_range", "/at"]);
      expect(body.detail).toContain("1");
    }
  });

  it("bodies and prompts that are too large", async () => {
    const body = await render({ ...BODY, template: "x".repeat(5 * 1024 * 1024) });
    expect([body.status, body.body.code]).toEqual([413, "too_large"]);
    const context = { state: "x".repeat(1_000_000) };
    const prompt = await render({ ...BODY, template: "{{state}}".repeat(10), context });
    expect([prompt.status, prompt.body.code]).toEqual([413, "too_large"]);
    expect(prompt.body.detail).toContain("name only the parts");
  });

  it("too many messages and placeholders", async () => {
    const messages = Array.from({ length: 20_001 }, () => ({ role: "nobody", content: "" }));
    const many = await render({ ...BODY, messages });
    expect([many.status, many.body.code, many.body.errors[0].path]).toEqual([413, "too_many", "/messages"]);
    expect(many.body.detail).toBe("The request has 20001 messages; send at most the newest 20000.");
    const named = await render({ ...BODY, template: "{{userId}}".repeat(5_001) });
    expect([named.status, named.body.code, named.body.errors[0].path]).toEqual([413, "too_many", "/template"]);
    expect(named.body.detail).toContain("more than 5000 placeholders");
  });

  it("E11: a template of nearly 5 MB is accepted", async () => {
    const template = `${"{".repeat(4_900_000)}{{userId|guest}}`;
    expect((await rendered(template)).prompt).toBe(`${"{".repeat(4_900_000)}guest`);
  });
});

it("records nothing", async () => {
  const read = async () => (await server.get("/api/conversations")).body.items.map(withoutTotals);
  const before = await read();
  await rendered("{{messageHistory}}", { messages: [said("user", "Hello")] });
  expect(await read()).toEqual(before);
});
