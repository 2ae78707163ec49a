import { describe, expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../../session/json/json.ts";
import type { RunRequest, Turn } from "../../engine.ts";
import { type Model, ModelError, type ModelPart, type ModelRequest } from "../../model.ts";
import { MemoryJournal } from "../../testing/memory-journal.ts";
import { dialog, setupRemembering, toldMessage } from "../../testing/remembering.ts";
import { streamed } from "../../testing/scripted.ts";
import { AGENT, type Bench, echo, type SetupOptions } from "../../testing/setup.ts";
import type { Dialog, StoredChain } from "../../turn.ts";

const anything = { type: "object" };
const PEOPLE = { echo: { activity: echo, schema: anything }, risky: { activity: echo, requires_confirmation: true } };

/** What a model says to one request: words, calls, or why it cannot. */
type Saying = { text?: string; calls?: [name: string, params: JsonObject][] } | ModelError;

/** A model whose responses have ids of their own, `resp_1` and on; as its calls have, `c1`, `c1b` and on. */
function model(...sayings: Saying[]): { model: Model; asked: ModelRequest[] } {
  const asked: ModelRequest[] = [];
  async function* respond(request: ModelRequest): AsyncIterable<ModelPart> {
    asked.push(structuredClone(request));
    const saying = sayings[asked.length - 1] ?? new ModelError("unscripted", "nothing is left to say");
    if (saying instanceof ModelError) throw saying;
    const native = (saying.calls ?? []).map(([name, params], at) => ({
      ...{ call_id: `c${asked.length}${at === 0 ? "" : "abc"[at]}`, name },
      arguments: JSON.stringify(params),
    }));
    for await (const part of streamed(saying.text ?? "", native)) {
      if (part.type === "done") part.answer.response_id = `resp_${asked.length}`;
      yield part;
    }
  }
  return { model: { model: "m", provider: "p", respond }, asked };
}

/** A dialog that reads the journal, as the server's reads its tables. */
function reading(journal: MemoryJournal): Dialog {
  return {
    ...dialog,
    async before(conversationId, messageId, runId) {
      const said = journal.events.flatMap(({ type, payload, conversation_id, run_id, seq }) => {
        if (type !== "message.created" || conversation_id !== conversationId || !isJsonObject(payload)) return [];
        const { message_id, role, content } = payload;
        return [toldMessage({ id: `${message_id}`, role: `${role}`, content: `${content}`, run_id, seq })];
      });
      const own = said.find(({ id }) => id === messageId);
      const others = said.filter(({ id, role, seq, run_id }) => {
        if (id === messageId || run_id === runId) return false;
        return seq < (own?.seq ?? 0) || role !== "user";
      });
      return own ? [...others, own] : others;
    },
    async recall() {
      const written = journal.events.findLast(
        ({ type, payload }) => type === "agent_state.written" && isJsonObject(payload) && payload.key === "response_id",
      );
      return storedIn(written?.payload);
    },
  };
}

function storedIn(payload: unknown): StoredChain | null {
  const { value = null } = Object(payload);
  return value;
}

function turn(n: number, more: Partial<Turn> = {}): Partial<RunRequest> {
  const message = { id: `m${n}`, content: `say ${n}` };
  const about = { user_id: "ann", agent_id: "crm", conversation_id: "c" };
  return { ...about, turn: { ...AGENT, timezone: "UTC", run_id: `r${n}`, message, ...more } };
}

function bench(sayings: Saying[], options: SetupOptions = {}) {
  const { model: made, asked } = model(...sayings);
  const journal = options.journal ?? new MemoryJournal();
  const talk = reading(journal);
  return { bench: setupRemembering({ tools: PEOPLE, model: made, dialog: talk, ...options, journal }), asked };
}

/** What a request goes on from, and what of words and calls it says; data is left out. */
function sentIn({ previous_response_id, input }: ModelRequest) {
  const items = input.filter(({ content }) => typeof content !== "string" || !content.startsWith("{"));
  const told = items.map(({ type, content, call_id }) =>
    type === undefined
      ? String(content).split("\n").at(-1)
      : `${String(type).replace("function_call", "call")} ${call_id}`,
  );
  return [previous_response_id, ...told];
}

/** The kinds of data that a request says. */
function kindsIn({ input }: ModelRequest): string[] {
  return input.flatMap(({ content }) => /^\{"type":"data","kind":"(\w+)"/.exec(String(content))?.[1] ?? []);
}

const stored = ({ journal }: Bench) =>
  journal.events.flatMap(({ type, payload }) => (type === "agent_state.written" ? [storedIn(payload)] : []));

describe("D7: the requests of a turn", () => {
  test("each goes on from the one before, and says what came of its calls; the last is stored", async () => {
    const { bench: made, asked } = bench([
      {
        text: "One moment.",
        calls: [
          ["echo", { value: 1 }],
          ["echo", { value: 2 }],
        ],
      },
      { calls: [["echo", { value: 3 }]] },
      { text: "Done" },
    ]);
    await made.run(null, turn(1));
    expect(asked.map(sentIn)).toEqual([
      [null, "say 1"],
      ["resp_1", "call_output c1", "call_output c1b"],
      ["resp_2", "call_output c2"],
    ]);
    expect(asked.every(({ store }) => store)).toBe(true);
    expect(stored(made)).toEqual([{ response_id: "resp_3", agent_id: "crm", run_id: "r1", answers: 1, until: 1 }]);
  });

  test("D6: an answer that holds both text and calls loses neither", async () => {
    const { bench: made } = bench([{ text: "One moment.", calls: [["echo", { value: 1 }]] }, { text: "Done" }]);
    await made.run(null, turn(1));
    expect(made.session().messages.map(({ content }) => content)).toEqual(["say 1", "One moment.", "Done"]);
    expect(made.statuses("r1")).toEqual({ c1: "succeeded" });
  });

  test("D6: after ten iterations it is over, and nobody goes on from there", async () => {
    const calling: Saying = { calls: [["echo", { value: 1 }]] };
    const { bench: made, asked } = bench([{ text: "Hello" }, ...Array.from({ length: 12 }, () => calling)]);
    await made.run(null, turn(1));
    await made.run(null, turn(2));
    expect(asked).toHaveLength(11);
    expect(made.runOf("r2").error).toMatchObject({ code: "iteration_limit" });
    expect(stored(made).at(-1)).toBeNull();
  });

  test("P19a: calls that cannot be run get an output, too: those of a plan that does not hold, and unreadable ones", async () => {
    const { bench: made, asked } = bench([
      {
        calls: [
          ["nothing", {}],
          ["echo", { value: 1 }],
        ],
      },
      { calls: [["echo", { value: 2 }]] },
      { text: "Done" },
    ]);
    await made.run(null, turn(1));
    expect(asked.map(sentIn).slice(1)).toEqual([
      ["resp_1", "call_output c1", "call_output c1b"],
      ["resp_2", "call_output c2"],
    ]);
    const outputs = asked[1]?.input.map(({ output }) => output).filter((output) => output !== undefined) ?? [];
    expect(outputs.every((output) => String(output).includes('"error"'))).toBe(true);
  });

  test("of the data, what the model has read is not sent again, and what has changed is", async () => {
    const { bench: made, asked } = bench([
      { calls: [["echo", { value: 1, _outputPath: "†state.seen" }]] },
      { calls: [["echo", { value: 2 }]] },
      { calls: [["echo", { value: 3, _outputPath: "†state.too" }]] },
      { text: "Done" },
    ]);
    await made.run(null, turn(1));
    const kinds = asked.map(kindsIn);
    expect(kinds).toEqual([["memory"], ["memory", "state"], ["memory"], ["memory", "state"]]);
  });

  test("H4: an agent whose history stands in its prompt says everything, every time", async () => {
    const { bench: made, asked } = bench([{ calls: [["echo", { value: 1 }]] }, { text: "Done" }]);
    const history = { ...AGENT.history, source: "prompt" as const };
    await made.run(null, turn(1, { instructions: "{{messageHistory}}", history }));
    expect(asked.map(sentIn)).toEqual([
      [null, "say 1"],
      [null, "say 1", "call c1", "call_output c1"],
    ]);
    expect(asked.some(({ store }) => store)).toBe(false);
    expect(stored(made)).toEqual([]);
  });
});

describe("D7: the next turn", () => {
  test("begins anew while another run of the conversation waits for a person", async () => {
    const sayings: Saying[] = [{ text: "One" }, { calls: [["risky", {}]] }, { text: "Three" }, { text: "Four" }];
    const { bench: made, asked } = bench(sayings);
    for (const n of [1, 2, 3, 4]) await made.run(null, turn(n));
    expect(made.runOf("r2").status).toBe("waiting");
    // Also where one that ended since has stored a response to go on from.
    expect(stored(made).at(-1)).toMatchObject({ run_id: "r4" });
    expect(asked.map((request) => request.previous_response_id)).toEqual([null, "resp_1", null, null]);
  });

  test("begins anew after a response whose calls were not answered", async () => {
    const { bench: made, asked } = bench([
      { text: JSON.stringify({ calls: [], output: "Done" }), calls: [["echo", { value: 1 }]] },
      { text: "Two" },
    ]);
    for (const n of [1, 2]) await made.run(null, turn(n));
    expect([asked.length, made.runOf("r1").status]).toEqual([2, "finished"]);
    expect(asked[1]?.previous_response_id).toBeNull();
  });

  test("goes on from the answer, with what was said since", async () => {
    const { bench: made, asked } = bench([{ text: "One" }, { text: "Two" }, { text: "Three" }]);
    for (const n of [1, 2, 3]) await made.run(null, turn(n));
    expect(asked.map(sentIn)).toEqual([
      [null, "say 1"],
      ["resp_1", "say 2"],
      ["resp_2", "say 3"],
    ]);
  });

  test("takes messages in line one by one, each told once", async () => {
    const { bench: made, asked } = bench([{ text: "One" }, { text: "Two" }, { text: "Three" }]);
    for (const n of [1, 2, 3]) await made.start(null, turn(n));
    for (const n of [1, 2, 3]) await made.settle(`r${n}`);
    expect(asked.map(sentIn)).toEqual([
      [null, "say 1"],
      ["resp_1", "say 2"],
      ["resp_2", "say 3"],
    ]);
  });

  test("of another agent begins anew, and so does the one after it", async () => {
    const { bench: made, asked } = bench([{ text: "One" }, { text: "Two" }, { text: "Three" }]);
    await made.run(null, turn(1));
    await made.run(null, { ...turn(2), agent_id: "other" });
    await made.run(null, turn(3));
    expect(asked.map(sentIn)).toEqual([
      [null, "say 1"],
      [null, "say 1", "One", "say 2"],
      [null, "say 1", "One", "say 2", "Two", "say 3"],
    ]);
  });

  test("begins anew where another agent's turn has failed in between: of that one the chain knows nothing", async () => {
    const { bench: made, asked } = bench([{ text: "One" }, new ModelError("quota", "Nothing left"), { text: "Three" }]);
    await made.run(null, turn(1));
    await made.run(null, { ...turn(2), agent_id: "other" });
    await made.run(null, turn(3));
    expect(asked.at(-1)?.previous_response_id).toBeNull();
  });

  test("begins anew while another run of the conversation waits, and only then", async () => {
    const { bench: made, asked } = bench([
      { text: "One" },
      ...[{ calls: [["risky", { value: 1 }] as [string, JsonObject]] }, { text: "Three" }, { text: "Two" }],
      { text: "Four" },
    ]);
    await made.run(null, turn(1));
    await made.run(null, turn(2));
    await made.run(null, turn(3));
    await made.decide({ decision: "approve" });
    await made.settle("r2");
    await made.run(null, turn(4));
    const [, second, third, later, fourth] = asked.map(sentIn);
    expect(second).toEqual(["resp_1", "say 2"]);
    expect(third?.[0]).toBeNull();
    // The one that waited goes on from its own response, and hears what was answered meanwhile.
    expect(later).toEqual(["resp_2", "call_output c2", "Three"]);
    // And of what its user has said meanwhile it is told with the next message.
    expect(fourth).toEqual(["resp_4", "say 3", "say 4"]);
  });

  test("M13: a turn that was only played leaves nothing to go on from: its calls were answered nothing", async () => {
    const { bench: made, asked } = bench([{ calls: [["echo", { value: 1 }]] }, { text: "Two" }]);
    await made.run(null, { ...turn(1), mode: "shadow" });
    await made.run(null, turn(2));
    expect(stored(made).filter((chain) => chain?.run_id === "r1")).toEqual([]);
    expect(asked[1]?.previous_response_id).toBeNull();
  });

  test("D11: an answer that nobody gets leaves nothing to go on from", async () => {
    const sayings: Saying[] = [{ text: "One" }, { text: "Two" }];
    const { model: made, asked } = model(...sayings);
    const journal = new MemoryJournal();
    const taking: Model = {
      ...made,
      async *respond(request, signal) {
        if (asked.length === 1) await journal.append([handOver("taken_over")]);
        yield* made.respond(request, signal);
      },
    };
    const { bench: held } = bench([], { journal, model: taking });
    await held.run(null, turn(1));
    await held.run(null, turn(2));
    expect(held.runOf("r2")).toMatchObject({ status: "finished", reason: expect.stringContaining("Taken over") });
    expect(stored(held).at(-1)).toBeNull();
  });

  test("begins anew where what it would go on from was told of a message that is not there", async () => {
    const { bench: made, asked } = bench([{ text: "One" }], {
      dialog: {
        ...reading(new MemoryJournal()),
        before: async () => [toldMessage({ id: "m1", role: "user", content: "say 1", seq: 9 })],
        recall: async () => ({ response_id: "resp_x", agent_id: "crm", run_id: "r0", answers: 4, until: 4 }),
      },
    });
    await made.run(null, turn(1));
    expect(asked.map(sentIn)).toEqual([[null, "say 1"]]);
  });
});

describe("D7: a response that cannot be gone on from", () => {
  const GONE = new ModelError("unknown_response", "It is gone");

  test("is dropped, and the same is asked with everything, in the same iteration", async () => {
    const { bench: made, asked } = bench([
      { text: "One" },
      GONE,
      { calls: [["echo", { value: 1 }]] },
      GONE,
      { text: "Two" },
      { text: "Three" },
    ]);
    for (const n of [1, 2, 3]) await made.run(null, turn(n));
    expect(asked.map(sentIn).slice(1)).toEqual([
      ["resp_1", "say 2"],
      [null, "say 1", "One", "say 2"],
      ["resp_3", "call_output c3"],
      [null, "say 1", "One", "say 2", "call c3", "call_output c3"],
      ["resp_5", "say 3"],
    ]);
    expect(made.runOf("r2")).toMatchObject({ status: "finished", iteration: 2 });
    expect(made.events("model.failed").map(({ payload }) => payload.iteration)).toEqual([1, 2]);
  });

  test("too long with all that was kept, it begins anew from the history", async () => {
    const { bench: made, asked } = bench([{ text: "One" }, new ModelError("too_long", "Too long"), { text: "Two" }]);
    for (const n of [1, 2]) await made.run(null, turn(n));
    expect(asked.map(sentIn).slice(1)).toEqual([
      ["resp_1", "say 2"],
      [null, "say 1", "One", "say 2"],
    ]);
  });

  test("a request that says everything, and is too long, fails the turn", async () => {
    const { bench: made, asked } = bench([new ModelError("too_long", "Too long"), { text: "never" }]);
    await made.run(null, turn(1));
    expect([asked.length, made.runOf("r1").status]).toEqual([1, "failed"]);
  });

  test("any other failure fails the turn, which drops what it had gone on from", async () => {
    const { bench: made, asked } = bench([{ text: "One" }, new ModelError("quota", "Nothing left"), { text: "Three" }]);
    for (const n of [1, 2, 3]) await made.run(null, turn(n));
    expect(made.runOf("r2").status).toBe("failed");
    expect(stored(made).map((chain) => chain?.response_id)).toEqual(["resp_1", undefined, "resp_3"]);
    expect(asked.map(sentIn).at(-1)).toEqual([
      ...[null, "say 1", "One", "say 2", expect.stringMatching(/^failed: /), "say 3"],
    ]);
  });
});

describe("P23: D7: after a crash", () => {
  test("wherever it comes, a turn goes on along the same chain", async () => {
    const sayings: Saying[] = [
      { text: "One moment.", calls: [["echo", { value: 1 }]] },
      { calls: [["echo", { value: 2 }]] },
      { text: "Done" },
    ];
    const whole = bench(sayings);
    await whole.bench.run(null, turn(1));
    for (let at = 2; at < whole.bench.journal.events.length; at++) {
      const journal = new MemoryJournal();
      journal.crashAfter(at);
      const before = bench(sayings, { journal });
      void before.bench.engine.start({ ...EMPTY, ...turn(1) }).catch(() => undefined);
      await before.bench.clock.until(crashed(journal));
      const answered = journal.events.filter(({ type }) => type === "model.responded").length;
      const disk = new MemoryJournal(journal.events, journal.documents);
      if (disk.events.length === 0) continue;
      const next = model(...Array.from({ length: answered }, () => GONE_ALREADY), ...sayings.slice(answered));
      // The provider goes on counting.
      next.asked.push(...before.asked.slice(0, answered));
      const made = setupRemembering({ tools: PEOPLE, model: next.model, dialog: reading(disk), journal: disk });
      await made.clock.until(made.engine.recover());
      await made.settle("r1");
      const again = next.asked.slice(answered).map(whatIsSent);
      const expected = whole.asked.slice(answered).map(whatIsSent);
      expect([at, again]).toEqual([at, expected.slice(0, again.length)]);
      expect([at, made.runOf("r1").status]).toEqual([at, "finished"]);
    }
  });
});

function whatIsSent(request: ModelRequest) {
  return { words: sentIn(request), data: kindsIn(request) };
}

const GONE_ALREADY = new ModelError("unscripted", "it was asked in the process before");
const EMPTY: RunRequest = {
  ...{ plan: null, tools: [], context: [], mode: "execute", confirm: [], conversation_id: null, user_id: null },
  ...{ agent_id: null, concurrency: null, max_iterations: null, budget: {}, output_schema: null, turn: null },
};

function crashed(journal: MemoryJournal): Promise<void> {
  return new Promise((resolve) => {
    const look = () => (journal.hasCrashed ? resolve() : setImmediate(look));
    look();
  });
}

function handOver(type: "taken_over") {
  return {
    ...{ id: "hand", conversation_id: "c", type: `conversation.${type}`, actor: "operator:anna", payload: {} },
    ...{ agent_id: null, run_id: null, parent_run_id: null, caused_by: null, occurred_at: null },
  };
}
