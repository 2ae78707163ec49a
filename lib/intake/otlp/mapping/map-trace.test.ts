import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NewEvent, ToldEvent } from "../../../../db/repositories.ts";
import type { Json } from "../../../session/json/json.ts";
import { emptySession, fold } from "../../../session/reducer/reducer.ts";
import { eventProblems } from "../../new-event.ts";
import type { Span } from "../span.ts";
import { asked, responded, span, stored, TRACE, text, twoToolAgent, understood } from "../testing/spans.ts";
import { mapTrace } from "./map-trace.ts";
import { readMappedState } from "./mapped-state.ts";
import { type Said, saidIn } from "./thread.ts";
import { traceOf } from "./trace.ts";

/** A log that spans are told to, as the store has it. */
class Log {
  readonly events: NewEvent[] = [];

  tell(spans: readonly Span[]): NewEvent[] {
    const known = new Set(this.events.map(({ id }) => id));
    const trace = traceOf(TRACE, spans.map(understood), readMappedState(this.events.map(asTold)));
    const news = [...mapTrace(trace, this.said())].filter(({ id }) => !known.has(id));
    this.events.push(...news);
    return news;
  }

  private said(): Map<string, Said[]> {
    const said = new Map<string, Said[]>();
    for (const { type, conversation_id, payload } of this.events) {
      if (conversation_id !== null && !said.has(conversation_id)) said.set(conversation_id, []);
      if (type === "message.created") said.get(conversation_id ?? "")?.push(saidOf(payload));
    }
    return said;
  }
}

function saidOf(payload: NewEvent["payload"]): Said {
  const { role, content } = payload as { role: Said["role"]; content: string };
  return { role, text: content };
}

function asTold({ id, type, conversation_id, run_id, payload }: NewEvent): ToldEvent {
  const { call_id = null, iteration = null } = payload as { call_id?: string; iteration?: number };
  return { id, type, conversation_id: conversation_id ?? "", run_id, call_id, iteration, payload };
}

function told(spans: readonly Span[], said = new Map<string, Said[] | null>([["trip", null]])): NewEvent[] {
  return [...mapTrace(traceOf(TRACE, spans.map(understood), readMappedState([])), said)];
}

/** What an agent's session is in the end, whatever the order in which it was told. */
function sessionOf(events: readonly NewEvent[]) {
  const session = fold(
    emptySession("trip"),
    stored(events.filter(({ conversation_id }) => conversation_id === "trip")),
  );
  return {
    runs: [...session.runs.values()].map(({ id, status, parent_run_id, agent_id }) => ({
      id,
      status,
      parent_run_id,
      agent_id,
    })),
    calls: [...session.calls.values()].map(({ id, run_id, iteration, tool, status, params, output }) => ({
      ...{ id, run_id, iteration, tool, status, params },
      output: typeof output === "object" && output !== null && "value" in output ? output.value : output,
    })),
    messages: session.messages.map(({ role, content, name }) => ({ role, content, name })),
    tokens: session.usage.reduce((sum, { input_tokens, output_tokens }) => sum + input_tokens + output_tokens, 0),
    warnings: session.warnings,
  };
}

describe("E15: spans are told as a session", () => {
  test("E15: a two-tool agent is a conversation with its run, models, calls, state and messages, in the order of time", () => {
    const events = told(twoToolAgent());
    expect(events.map(({ type }) => type)).toEqual([
      ...["conversation.created", "message.created", "run.started"],
      ...["run.iteration", "prompt.rendered", "model.requested", "model.responded"],
      ...["call.started", "call.started", "log", "call.succeeded", "state.written", "call.succeeded"],
      ...["run.iteration", "model.requested", "model.responded"],
      ...["message.created", "run.finished"],
    ]);
    expect(events.every(({ conversation_id }) => conversation_id === "trip")).toBe(true);
    expect(events.find(({ type }) => type === "message.created")?.actor).toBe("user:alice");
    const session = sessionOf(events);
    expect(session.warnings).toEqual([]);
    expect(session.messages).toEqual([
      { role: "user", content: "How do I get to Oslo?", name: null },
      { role: "assistant", content: "Take the 9:40.", name: "Planner" },
    ]);
    expect(session.runs).toEqual([
      { id: `otlp:${TRACE}`, status: "finished", parent_run_id: null, agent_id: "Planner" },
    ]);
    expect(session.calls).toEqual([
      expect.objectContaining({
        id: "c1",
        tool: "weather",
        iteration: 1,
        status: "succeeded",
        output: { sky: "clear" },
      }),
      expect.objectContaining({ id: "c2", tool: "train", iteration: 1, status: "succeeded", params: { to: "Oslo" } }),
    ]);
    expect(session.tokens).toBe(52);
  });

  test("E15: what caused what is told: results by their calls, calls by the model that asked", () => {
    const events = told(twoToolAgent());
    const byId = new Map(events.map((event) => [event.id, event]));
    for (const { type, caused_by } of events) {
      if (type === "call.succeeded") expect(byId.get(caused_by ?? "")?.type).toBe("call.started");
      if (type === "call.started") expect(byId.get(caused_by ?? "")?.type).toBe("model.responded");
    }
  });

  test("E15: any order of the spans gives the same events, and telling again changes nothing", () => {
    const whole = told(twoToolAgent());
    fc.assert(
      fc.property(fc.shuffledSubarray(twoToolAgent(), { minLength: 6 }), (spans) => {
        expect(told(spans)).toEqual(whole);
        const log = new Log();
        log.tell(spans);
        expect(log.tell(spans)).toEqual([]);
      }),
    );
  });

  test("E15: told in any parts, in any order, all calls, tokens and messages are there once and the run has ended", () => {
    const whole = sessionOf(told(twoToolAgent()));
    const parts = fc.tuple(
      fc.shuffledSubarray(twoToolAgent(), { minLength: 6 }),
      fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
    );
    fc.assert(
      fc.property(parts, ([spans, cuts]) => {
        const log = new Log();
        const places = [0, ...cuts.toSorted((a, b) => a - b), spans.length];
        for (const [index, from] of places.slice(0, -1).entries()) log.tell(spans.slice(from, places[index + 1]));
        const session = sessionOf(log.events.map((event) => ({ ...event, conversation_id: "trip" })));
        const ids = (calls: typeof session.calls) => calls.map(({ id, status, output }) => [id, status, output]).sort();
        expect(ids(session.calls)).toEqual(ids(whole.calls));
        expect(session.tokens).toBe(whole.tokens);
        expect(session.runs.every(({ status }) => status === "finished")).toBe(true);
        expect(session.warnings).toEqual([]);
        expect(new Set(log.events.map(({ id }) => id)).size).toBe(log.events.length);
      }),
    );
  });

  test("E15: an agent inside of an agent is a run below it, and says nothing to the user", () => {
    const events = told([
      ...twoToolAgent(),
      span("sub", "t2", [22, 38], "invoke_agent Timetable", {
        ...{ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "Timetable" },
        "gen_ai.input.messages": [text("user", "Which train?")],
        "gen_ai.output.messages": [text("assistant", "9:40")],
      }),
    ]);
    const session = sessionOf(events);
    expect(session.runs).toEqual([
      expect.objectContaining({ agent_id: "Planner" }),
      expect.objectContaining({ agent_id: "Timetable", parent_run_id: `otlp:${TRACE}`, status: "finished" }),
    ]);
    expect(session.messages.map(({ content }) => content)).toEqual(["How do I get to Oslo?", "Take the 9:40."]);
  });

  test("E15: without an agent the trace is the run, and without a name the trace is the conversation", () => {
    const chat = { "gen_ai.operation.name": "chat", "gen_ai.request.model": "m1" };
    const events = told(
      [
        span("root", null, [0, 50], "POST /ask"),
        span("m1", "root", [5, 40], "chat", {
          ...chat,
          "gen_ai.input.messages": [text("user", "Hi")],
          "gen_ai.output.messages": [text("assistant", "Hello")],
        }),
      ],
      new Map([[TRACE, null]]),
    );
    expect(new Set(events.map(({ conversation_id }) => conversation_id))).toEqual(new Set([TRACE]));
    expect(events.map(({ type }) => type)).toEqual([
      ...["conversation.created", "message.created", "run.started", "run.iteration", "model.requested"],
      ...["model.responded", "message.created", "run.finished"],
    ]);
  });

  describe("the conversation of a span", () => {
    const agent = (id: string, parent: string | null, conversation?: string) =>
      span(id, parent, [0, 100], `invoke_agent ${id}`, {
        ...{ "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": id },
        ...(conversation !== undefined && { "gen_ai.conversation.id": conversation }),
      });
    const tool = (id: string, parent: string, conversation?: string) =>
      span(id, parent, [10, 20], `execute_tool ${id}`, {
        ...{ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": id },
        ...(conversation !== undefined && { "gen_ai.conversation.id": conversation }),
      });
    /** By tool or agent, the conversation in which it was told to begin. */
    const placesOf = (...spans: Span[]) =>
      Object.fromEntries(
        told(spans, new Map()).flatMap(({ type, payload, conversation_id }) => {
          if (type !== "call.started" && type !== "run.started") return [];
          const { span: of } = payload as { span?: { name: string } };
          return of ? [[of.name.split(" ")[1], conversation_id]] : [];
        }),
      );

    test("E15: is the one that it names, else the one that the nearest above it names", () => {
      expect(
        placesOf(
          agent("A", null, "trip"),
          tool("a", "A"),
          agent("B", "A", "side"),
          tool("b", "B"),
          tool("c", "B", "own"),
        ),
      ).toEqual({ A: "trip", a: "trip", B: "side", b: "side", c: "own" });
    });

    test("E15: is the only one that its trace names, where none above it does", () => {
      expect(placesOf(agent("A", null), tool("a", "A"), tool("b", "A", "trip"))).toEqual({
        ...{ A: "trip", a: "trip", b: "trip" },
      });
    });

    test("E15: is the trace where its spans name several, and none above it one", () => {
      expect(placesOf(agent("A", null), tool("a", "A", "one"), tool("b", "A", "two"), tool("c", "A"))).toEqual({
        ...{ A: TRACE, a: "one", b: "two", c: TRACE },
      });
    });
  });

  test("E15: the history that each request repeats is told once, over several traces of a conversation", () => {
    const turn = (trace: string, at: number, ...said: string[]): Span[] => {
      const input = said.slice(0, -1).map((each, index) => text(index % 2 === 0 ? "user" : "assistant", each));
      return [
        span(
          `m${at}`,
          null,
          [at, at + 10],
          "chat",
          {
            ...{ "gen_ai.operation.name": "chat", "gen_ai.request.model": "m1", "gen_ai.conversation.id": "trip" },
            "gen_ai.input.messages": input,
            "gen_ai.output.messages": [text("assistant", said.at(-1) ?? "")],
          },
          { trace_id: trace },
        ),
      ];
    };
    const log = new Log();
    log.tell(turn(TRACE, 0, "yes", "One?"));
    log.tell(turn(TRACE.replace("0", "1"), 100, "yes", "One?", "yes", "Two?"));
    // Here the application sends nothing but what the user says.
    log.tell(turn(TRACE.replace("0", "2"), 200, "yes", "Three?"));
    // And here it has cut its history.
    log.tell(turn(TRACE.replace("0", "3"), 300, "yes", "Three?", "no", "Bye"));
    expect(sessionOf(log.events).messages.map(({ content }) => content)).toEqual([
      ...["yes", "One?", "yes", "Two?", "yes", "Three?", "no", "Bye"],
    ]);
  });

  test("E15: a call that no tool's span tells of is told from the next request, which has its result", () => {
    const [agent, m1, , , , m2] = twoToolAgent();
    if (!agent || !m1 || !m2) throw new Error("The agent has six spans");
    const events = told([agent, m1, m2]);
    const calls = events.filter(({ type }) => type.startsWith("call."));
    expect(calls.map(({ type, occurred_at }) => [type, occurred_at?.slice(20, 23)])).toEqual([
      ["call.started", "020"],
      ["call.started", "020"],
      ["call.succeeded", "041"],
      ["call.succeeded", "041"],
    ]);
    const session = sessionOf(events);
    expect(session.warnings).toEqual([]);
    expect(session.calls).toEqual([
      expect.objectContaining({ id: "c1", iteration: 1, output: { sky: "clear" } }),
      expect.objectContaining({ id: "c2", iteration: 1, output: { at: "9:40" } }),
    ]);
  });

  test("E15: what an agent's root has not told yet is a run by now, and the same run when it comes", () => {
    const [agent, ...inner] = twoToolAgent();
    if (!agent) throw new Error("The agent has six spans");
    const log = new Log();
    log.tell(inner);
    const first = log.events.map((event) => ({ ...event, conversation_id: "trip" }));
    expect(sessionOf(first)).toMatchObject({ runs: [{ id: `otlp:${TRACE}`, status: "finished" }], warnings: [] });
    expect(first.find(({ type }) => type === "run.finished")?.payload).toMatchObject({
      reason: expect.stringContaining(agent.span_id),
    });
    log.tell([agent]);
    // Nobody had named the conversation by then.
    expect(new Set(log.events.map(({ conversation_id }) => conversation_id))).toEqual(new Set([TRACE]));
    const session = sessionOf(log.events.map((event) => ({ ...event, conversation_id: "trip" })));
    expect(session.runs).toEqual([
      { id: `otlp:${TRACE}`, status: "finished", parent_run_id: null, agent_id: "Planner" },
    ]);
    expect(session.messages.map(({ content }) => content)).toEqual(["How do I get to Oslo?", "Take the 9:40."]);
    expect(session.warnings).toEqual([]);
  });

  test("E15: what failed says so", () => {
    const failed = { status: { code: "error", message: "no answer" } as const };
    const [agent, m1] = twoToolAgent();
    if (!agent || !m1) throw new Error("The agent has six spans");
    const events = told([
      { ...agent, ...failed, attributes: { ...agent.attributes, "error.type": "timeout" } },
      { ...m1, ...failed },
      span(
        "t9",
        "agent",
        [30, 31],
        "execute_tool pay",
        { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "pay" },
        failed,
      ),
    ]);
    expect(events.filter(({ type }) => type.endsWith(".failed")).map(({ type, payload }) => [type, payload])).toEqual([
      ["model.failed", expect.objectContaining({ error: { code: "error", message: "no answer" } })],
      ["call.failed", expect.objectContaining({ tool: "pay", error: { code: "error", message: "no answer" } })],
      ["run.failed", expect.objectContaining({ error: { code: "timeout", message: "no answer" } })],
    ]);
  });

  test("E15: an agent's own words on its state are written: an output path, a JSON Patch, or paths and values", () => {
    const tool = (id: string, at: number, attributes: Span["attributes"]) =>
      span(id, "agent", [at, at + 1], "execute_tool note", {
        ...{ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "note", "gen_ai.tool.call.result": "ok" },
        ...attributes,
      });
    const [agent] = twoToolAgent();
    if (!agent) throw new Error("The agent has six spans");
    const events = told([
      agent,
      tool("a", 1, { "obelus.output_path": "deal.note", "obelus.reads": ["†state.deal"] }),
      tool("b", 3, {
        "obelus.state.delta": [
          { op: "add", path: "/deal/my~1sum", value: 90 },
          { op: "remove", path: "/old" },
        ],
      }),
      tool("c", 5, { "obelus.state.delta": { "†state.step": 3 } }),
    ]);
    expect(events.filter(({ type }) => type === "state.written").map(({ payload }) => payload)).toEqual([
      expect.objectContaining({ path: "†state.deal.note", value: "ok" }),
      expect.objectContaining({ path: '†state.deal["my/sum"]', value: 90 }),
      expect.objectContaining({ path: "†state.old", value: null }),
      expect.objectContaining({ path: "†state.step", value: 3 }),
    ]);
    expect(events.find(({ type }) => type === "call.started")?.payload).toMatchObject({ reads: ["†state.deal"] });
  });

  test("E15: what a JSON Patch does to the state and no write can say is a log event; nothing of it is lost", () => {
    const [agent] = twoToolAgent();
    if (!agent) throw new Error("The agent has six spans");
    const move = { op: "move", from: "/old", path: "/new" };
    const copy = { op: "copy", from: "/deal", path: "/draft" };
    const append = { op: "add", path: "/list/-", value: 1 };
    const events = told([
      agent,
      span("a", "agent", [1, 2], "execute_tool note", {
        ...{ "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "note", "gen_ai.tool.call.id": "c" },
        "obelus.state.delta": [{ op: "test", path: "/deal", value: 1 }, move, copy, append, "?"],
      }),
    ]);
    expect(events.some(({ type }) => type === "state.written")).toBe(false);
    expect(events.filter(({ type }) => type === "log").map(({ payload }) => payload)).toEqual([
      expect.objectContaining({ changes: [move, copy, append, "?"], call_id: "c" }),
    ]);
  });

  test("E15: whatever spans say and however they hang together, their events fit the catalogue and each is told", () => {
    const names = ["a", "b", "c", "d", "e", "f"];
    const odd = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.constant("\u0000\n"),
      fc.constant(".."),
      fc.constant(""),
    );
    const json = fc.json({ maxDepth: 3 }).map((value): Json => JSON.parse(value));
    const arbitrary = fc.record({
      id: fc.constantFrom(...names),
      parent: fc.option(fc.constantFrom(...names)),
      start: fc.nat(50),
      length: fc.nat(50),
      name: odd,
      kind: fc.constantFrom("invoke_agent", "invoke_workflow", "chat", "execute_tool", "embeddings"),
      conversation: fc.option(odd, { nil: undefined }),
      tool: odd,
      call: fc.option(odd, { nil: undefined }),
      value: json,
      fails: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.uniqueArray(arbitrary, { selector: ({ id }) => id, minLength: 1 }), (records) => {
        const spans = records.map(({ id, parent, start, length, name, kind, conversation, tool, call, value, fails }) =>
          span(
            ...([id, parent === id ? null : parent, [start, start + length], name] as const),
            JSON.parse(
              JSON.stringify({
                ...{ "gen_ai.operation.name": kind, "gen_ai.conversation.id": conversation, "gen_ai.agent.name": tool },
                ...{ "gen_ai.tool.name": tool, "gen_ai.tool.call.id": call, "gen_ai.tool.call.arguments": value },
                ...{
                  "obelus.state.delta": value,
                  "obelus.output_path": tool,
                  "user.id": tool,
                  "error.type": fails ? name : undefined,
                },
                "gen_ai.input.messages": [text("user", tool), responded(call ?? "", value)],
                "gen_ai.output.messages": [
                  asked({ id: call ?? "", name: tool, arguments: value }),
                  text("assistant", name),
                ],
              }),
            ),
          ),
        );
        const events = [...mapTrace(traceOf(TRACE, spans.map(understood), readMappedState([])), new Map())];
        expect(events.flatMap((event) => eventProblems(event).map((problem) => [event.type, problem]))).toEqual([]);
        expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
        for (const { span_id } of spans)
          expect(events.some(({ id }) => id.startsWith(`otlp:${TRACE}:${span_id}:`))).toBe(true);
        for (const { conversation_id, run_id } of events)
          expect([conversation_id ?? "", run_id ?? ""].every((id) => id.length <= 200)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("E15: ten thousand spans one below the other are told", () => {
    const chain = Array.from({ length: 10_000 }, (_, depth) =>
      span(`s${depth}`, depth === 0 ? null : `s${depth - 1}`, [depth, 20_000 - depth], "step", {
        "session.id": "trip",
      }),
    );
    expect(told(chain.toReversed(), new Map()).filter(({ type }) => type === "log")).toHaveLength(10_000);
  });
});

test("E15: messages of calls alone say nothing", () => {
  expect(
    saidIn([{ role: "assistant", name: null, parts: [{ type: "tool_call", id: "a", name: "b", arguments: null }] }]),
  ).toEqual([]);
});
