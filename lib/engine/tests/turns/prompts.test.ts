import { describe, expect, test } from "vitest";
import { eventProblems } from "../../../intake/new-event.ts";
import { withoutTimeLine } from "../../../prompt/time-line.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import type { RunRequest, Turn } from "../../engine.ts";
import { ModelError } from "../../model.ts";
import { MemoryJournal } from "../../testing/memory-journal.ts";
import { dialog, setupRemembering, storeDocument, toldMessage } from "../../testing/remembering.ts";
import { type Said, scripted } from "../../testing/scripted.ts";
import { AGENT, type Bench, echo, type SetupOptions, setup } from "../../testing/setup.ts";

const anything = { type: "object" };
const tools = { echo: { activity: echo, schema: anything, description: "Says it again" } };
const EMPTY: JsonObject = {
  ...{ goals: [], done: [], in_progress: [], next_planned_actions: [], confirmations: {}, event_bindings: [] },
  objects: { current_deal_id: null, current_contact_id: null, current_company_id: null, current_task_id: null },
};

const LINES = ["Can you help?", "Yes.", "Show deal 5"];
const talk = {
  ...dialog,
  before: async () =>
    LINES.map((content, n) =>
      toldMessage({ id: `m${n}`, role: n % 2 ? "assistant" : "user", content, created_at: "2026-01-01T00:00:00Z" }),
    ),
};
const IN_PROMPT: Partial<Turn> = {
  instructions: "Be kind to {{userId}}.\n{{messageHistory}}",
  history: { ...AGENT.history, source: "prompt" },
};

function turn(more: Partial<Turn> = {}): Partial<RunRequest> {
  return {
    ...{ user_id: "ann", agent_id: "crm", conversation_id: "c" },
    turn: { ...AGENT, run_id: "r", message: { id: "m2", content: "Show deal 5" }, ...more },
  };
}

function bench(sayings: Said[], options: SetupOptions = {}) {
  const { model, asked } = scripted(...sayings);
  return { bench: setupRemembering({ tools, model, dialog: talk, ...options }), asked };
}

const native = (params: JsonObject, call_id = "c1") => ({ call_id, name: "echo", arguments: JSON.stringify(params) });
/** The events of the requests to models, in order. */
const asks = ({ types }: Bench) => types.filter((type) => /^(prompt|history|placeholder|model)\./.test(type));
/** What the input of a request says in words, and the kinds of data in it. */
function inputOf(input: readonly JsonObject[] = []): { said: Json[]; kinds: Json[] } {
  const data = input.map(({ content }) => readData(content));
  return {
    said: input.flatMap(({ content = null }, at) =>
      data[at] ? [] : [typeof content === "string" ? withoutTimeLine(content) : content],
    ),
    kinds: data.flatMap((each) => (each?.kind === undefined ? [] : [each.kind])),
  };
}
function readData(content: Json | undefined): JsonObject | null {
  if (typeof content !== "string" || !content.startsWith("{")) return null;
  const value: Json = JSON.parse(content);
  return isJsonObject(value) ? value : null;
}

describe("H6: before each request its prompt is in the log", () => {
  test("H1: of a turn with what was filled in, the whole text as the model gets it, and once", async () => {
    const { bench: made, asked } = bench([{ native: [], text: "Here it is" }]);
    await made.run(null, turn(IN_PROMPT));
    const [rendered] = made.events("prompt.rendered");
    const [requested] = made.events("model.requested");
    expect(rendered?.payload.prompt).toBe(asked[0]?.instructions);
    expect(rendered?.payload.prompt).toMatch(/^Be kind to ann\.\n\[00:00\] User: Can you help\?\n/);
    expect(rendered?.payload).toMatchObject({
      ...{ iteration: 1, replaced: ["userId", "messageHistory"], missing: [] },
      history: { source: "prompt", total: 2, shown: 2, truncated: false },
      parts: [{ placeholder: "userId" }, { placeholder: "messageHistory", messages: [{ id: "m0" }, { id: "m1" }] }],
    });
    expect(requested?.caused_by).toBe(rendered?.id);
    expect(requested?.payload.input).not.toHaveProperty("instructions");
    expect(JSON.stringify(requested)).not.toContain("Be kind");
    expect(asks(made)).toEqual(["prompt.rendered", "model.requested", "model.responded"]);
    expect(made.journal.events.flatMap(eventProblems)).toEqual([]);
  });

  test("H6: what is missing and what was cut is told between the two, and comes of the prompt", async () => {
    const { bench: made } = bench([{ native: [], text: "Here it is" }]);
    const history = { ...AGENT.history, source: "prompt" as const, max_messages: 1 };
    await made.run(null, turn({ ...IN_PROMPT, instructions: "{{householdId|none}} {{messageHistory}}", history }));
    const order = ["prompt.rendered", "history.truncated", "placeholder.missing", "model.requested", "model.responded"];
    expect(asks(made)).toEqual(order);
    const [rendered] = made.events("prompt.rendered");
    // There may be thousands: they are told once.
    expect(rendered?.payload.history).not.toHaveProperty("left_out");
    const [cut] = made.events("history.truncated");
    const [missing] = made.events("placeholder.missing");
    expect(missing).toMatchObject({ caused_by: rendered?.id, payload: { names: ["householdId"], iteration: 1 } });
    expect(cut).toMatchObject({
      caused_by: rendered?.id,
      payload: {
        ...{ iteration: 1, left_out: ["m0"], shortened: [] },
        ...{ before: { messages: 2 }, after: { messages: 1 }, limits: { max_tokens: 4_000, max_messages: 1 } },
      },
    });
    expect(made.journal.events.flatMap(eventProblems)).toEqual([]);
  });

  test("of a plan and of a latent tool's result there is one, too, which names the call", async () => {
    const colour = { schema: { properties: { of: {}, _output: { type: "string" } } } };
    const plan = { calls: [{ _tool: "colour", _id: "c", of: "the sky", _outputPath: "†state.c" }], output: "†state.c" };
    const { model, asked } = scripted(plan, { result: "blue" } as Said);
    const made = setup({ tools: { colour }, model });
    await made.run(null);
    expect(made.events("prompt.rendered").map(({ payload }) => [payload.prompt, payload.call_id])).toEqual([
      [asked[0]?.instructions, undefined],
      [asked[1]?.instructions, "c"],
    ]);
    for (const { payload } of made.events("prompt.rendered")) {
      expect(payload.budget?.tools).toBeGreaterThan(0);
      expect(payload).not.toHaveProperty("history");
    }
    expect(made.events("run.finished")[0]?.payload.output).toBe("blue");
    expect(made.journal.events.flatMap(eventProblems)).toEqual([]);
  });
});

describe("H4: what was said goes one way", () => {
  test("in the prompt, and the input holds the message that is answered alone", async () => {
    const { bench: made, asked } = bench([{ native: [], text: "Here it is" }]);
    await made.run(null, turn(IN_PROMPT));
    expect(inputOf(asked[0]?.input).said).toEqual(["Show deal 5"]);
  });

  test("or in the input, and the prompt holds nothing of it", async () => {
    const { bench: made, asked } = bench([{ native: [], text: "Here it is" }]);
    await made.run(null, turn());
    expect(inputOf(asked[0]?.input).said).toEqual(LINES);
    expect(asked[0]?.instructions).not.toContain("Can you help?");
    expect(made.events("prompt.rendered")[0]?.payload.history).toMatchObject({ source: "provider", shown: 3 });
  });
});

test("H3: the history is told in the agent's language, whatever its user speaks", async () => {
  const { bench: made, asked } = bench([{ native: [], text: "Here it is" }]);
  const history = { ...AGENT.history, source: "prompt" as const, locale: "ru" as const };
  await made.run(null, turn({ ...IN_PROMPT, history, locale: "en" }));
  expect(asked[0]?.instructions).toContain("[00:00] Пользователь: Can you help?\n[00:00] Ассистент: Yes.");
});

test("H4: the result of a call that wrote to the turn's state stays longest in its history", async () => {
  const before = async () =>
    [
      { role: "tool", content: "result 1", tool_call_id: "c1" },
      { role: "assistant", content: "older 1" },
      { role: "assistant", content: "newer 1" },
      { role: "user", content: "Show deal 5" },
    ].map((row) => toldMessage(row));
  const writing = native({ value: 1, _outputPath: "†state.deal" });
  const sayings: Said[] = [{ native: [writing] }, { native: [], text: "Here it is" }];
  const { bench: made, asked } = bench(sayings, { dialog: { ...talk, before } });
  const history = { ...AGENT.history, source: "prompt" as const, max_messages: 2 };
  await made.run(null, turn({ ...IN_PROMPT, history }));
  const told = asked.map(({ instructions }) =>
    ["result 1", "older 1", "newer 1"].filter((word) => instructions?.includes(word)),
  );
  expect(told).toEqual([
    ["older 1", "newer 1"],
    ["result 1", "newer 1"],
  ]);
});

test("H4: a prompt that is too long for anything fails its turn and tells what helps; no model is asked", async () => {
  const long = "word ".repeat(20_000);
  const before = async () => ["m1", "m2"].map((id) => toldMessage({ id, role: "user", content: long }));
  const { bench: made, asked } = bench([], { dialog: { ...talk, before } });
  const history = { ...AGENT.history, source: "prompt" as const, max_tokens: 1_000_000 };
  await made.run(null, turn({ instructions: "{{messageHistory}}".repeat(100), history }));
  expect(made.events("run.failed")[0]?.payload.error).toEqual({
    code: "prompt_too_long",
    message: expect.stringMatching(/name only the parts .* in the agent's instructions; then send a new message$/),
  });
  expect([asked, asks(made)]).toEqual([[], []]);
});

describe("H5: an agent gets the parts of state and memory that its prompt names", () => {
  const steps: Said[] = [
    { native: [native({ value: { id: 7, secret: "s3cr3t" }, _outputPath: "†state.order" })] },
    { native: [], text: "Done" },
  ];
  const stored = { ...EMPTY, goals: ["sell"], note: "of no use here" };

  test("H5: named in the prompt, they do not go with the input, and what it does not name goes nowhere", async () => {
    const { bench: made, asked } = bench(steps);
    storeDocument(made.journal, "ann", stored);
    const instructions = "Order {{state.order.id|none yet}}; goal {{memory.goals[0]}}.";
    await made.run(null, turn({ instructions }));
    expect(asked.map(({ instructions }) => instructions?.split("\n")[0])).toEqual([
      "Order none yet; goal sell.",
      "Order 7; goal sell.",
    ]);
    expect(asked.map(({ input }) => inputOf(input).kinds)).toEqual([[], []]);
    expect(JSON.stringify([asked[0], made.events("prompt.rendered")])).not.toContain("of no use here");
    expect(asked[1]?.instructions).not.toContain("s3cr3t");
    // Calls can read what the model is not told.
    expect(asked[1]?.instructions).toContain("†memory");
  });

  test("not named, both go with the input as before", async () => {
    const { bench: made, asked } = bench(steps);
    storeDocument(made.journal, "ann", stored);
    await made.run(null, turn());
    expect(inputOf(asked[1]?.input).kinds.toSorted()).toEqual(["memory", "state"]);
  });

  test("the memory in short, its warnings and the tools can be named", async () => {
    const { bench: made, asked } = bench([{ native: [], text: "Hi" }]);
    storeDocument(made.journal, "ann", { ...stored, in_progress: [{ requested_at: "2026-01-01T00:00:00Z" }] });
    await made.run(null, turn({ instructions: "{{stateSummary}}\n--\n{{warnings}}\n--\n{{tools}}\n--" }));
    const [summary, warnings, named] = (asked[0]?.instructions ?? "").split("\n--\n");
    expect(summary).toContain("sell");
    expect(warnings).toBe(
      made
        .events("selfcheck.warned")[0]
        ?.payload.warnings.map((each) => `- ${each}`)
        .join("\n"),
    );
    expect(named).toBe("- echo: Says it again");
  });
});

describe("P23, H6: a run that goes on has its prompt filled in anew", () => {
  const instructions = "It is {{currentTime}} in {{timezone}}, household {{householdId}}.";
  const place = { instructions, timezone: "Asia/Kathmandu", household_id: "h1" };
  const promptsOf = (made: Bench) => made.events("prompt.rendered").map(({ payload }) => payload.prompt.split("\n")[0]);

  test("resumed after a model's failure, with the time as it is then; what was asked before stays told", async () => {
    const { bench: made, asked } = bench([
      new ModelError("overloaded", "The model is busy"),
      { native: [], text: "Hi" },
    ]);
    await made.run(null, turn(place));
    expect(made.runOf("r").status).toBe("failed");
    const failed = made.clock.now();
    await made.clock.until(made.clock.sleep(60_000));
    await made.clock.until(made.engine.resume("r", [], "operator:ann"));
    await made.settle("r");
    expect(made.runOf("r").status).toBe("finished");
    const times = [failed, failed + 60_000].map((time) => new Date(time).toISOString().slice(0, 16));
    expect(promptsOf(made).map((line) => line?.slice(6, 22))).toEqual(times);
    expect(asks(made)).toEqual([
      ...["prompt.rendered", "model.requested", "model.failed"],
      ...["prompt.rendered", "model.requested", "model.responded"],
    ]);
    expect(asked.map((each) => each.instructions?.split("\n")[0])).toEqual(promptsOf(made));
  });

  test("by the next process, which knows the user's zone, household and history's limits from the log", async () => {
    const journal = new MemoryJournal();
    const { bench: made } = bench([{ native: [native({ value: 1 })] }, { native: [], text: "Hi" }], { journal });
    const history = { ...AGENT.history, source: "prompt" as const, max_tokens: 64, max_chars: 200, max_messages: 1 };
    await made.run(null, turn({ ...place, instructions: `${instructions}\n{{messageHistory}}`, history }));
    const whole = made.journal.events;
    const [first] = made.events("prompt.rendered");
    const report = first?.payload.history ?? {};
    let anew = 0;
    for (const [index, { type }] of whole.entries()) {
      if (type === "run.finished") break;
      const left = new MemoryJournal(whole.slice(0, index + 1), made.journal.documents);
      const { bench: next } = bench([{ native: [], text: "Hi" }], { journal: left, clock: made.clock });
      const before = next.events("prompt.rendered").length;
      await next.engine.recover();
      if (!next.session().runs.has("r")) continue;
      await next.settle("r");
      expect(next.runOf("r").status).toBe("finished");
      const again = next.events("prompt.rendered").slice(before);
      expect(again.length).toBe(next.events("model.responded").length - responsesIn(whole.slice(0, index + 1)));
      for (const { payload } of again) {
        expect(payload.history).toMatchObject({ source: "prompt", total: 2, shown: 1, truncated: true });
        expect(payload.prompt.split("\n")[0]).toMatch(/^It is .* in Asia\/Kathmandu, household h1\.$/);
        anew += 1;
        expect(payload.budget?.left).toBe(50 - Number(report.final_tokens));
      }
    }
    expect(anew).toBeGreaterThan(3);
  });

  test("a turn that began before histories had limits goes on, its history from the provider", async () => {
    const { bench: made } = bench([new Error("gone")]);
    await made.run(null, turn());
    const [started] = made.events("run.started");
    expect(started?.payload.history).toMatchObject({ source: "provider", max_tokens: 4_000, max_messages: 200 });
    const old = made.journal.events.map((event) => {
      if (event.type !== "run.started" || !isJsonObject(event.payload)) return event;
      const { history: _, ...payload } = event.payload;
      return { ...event, payload };
    });
    const { bench: next, asked } = bench([{ native: [], text: "Hi" }], { journal: new MemoryJournal(old) });
    await next.clock.until(next.engine.resume("r", [], "operator:ann"));
    await next.settle("r");
    expect(inputOf(asked[0]?.input).said).toEqual(LINES);
    expect(next.events("prompt.rendered").at(-1)?.payload.budget).not.toHaveProperty("left");
  });
});

function responsesIn(events: readonly { type: string }[]): number {
  return events.filter(({ type }) => type === "model.responded").length;
}
