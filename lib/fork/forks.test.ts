import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type SqliteSubject, sqliteSubject } from "../../db/sqlite/testing/subject.ts";
import { deal1842 } from "../../demo/sessions/deal-1842.ts";
import type { Engine, RunRequest } from "../engine/engine.ts";
import { newEvent } from "../intake/new-event.ts";
import type { JsonObject } from "../session/json/json.ts";
import type { View } from "../session/session.ts";
import { anySession, inConversation, session as steps } from "../session/testing/events.ts";
import { createForks, type ForkRequest, type Forks } from "./forks.ts";

let subject: SqliteSubject;
let forks: Forks;
let started: RunRequest[];
beforeEach(async () => {
  subject = await sqliteSubject();
  started = [];
  const engine: Pick<Engine, "validate" | "reachable" | "start"> = {
    validate: async () => ({ ok: true, problems: [] }),
    reachable: async ({ plan }) => plan,
    async start(request) {
      started.push(request);
      return { conversation_id: request.conversation_id ?? "", run_id: "r" };
    },
  };
  forks = createForks({ ...subject.storage, engine });
});
afterEach(() => subject.dispose());

const asked = { actor: "operator:anna", admit: () => undefined };
const by = { actor: "operator:anna", signal: new AbortController().signal };

function fork(source: string, at: number, more: Partial<ForkRequest> = {}): Promise<string> {
  return forks.fork(source, { at, title: null, edits: [], plan: null, ...more }, by);
}

async function append(id: string, ...told: Parameters<typeof steps>): Promise<void> {
  await subject.storage.log.append(
    steps(...told).map((event) => ({ ...event, id: `${id}/${event.id}`, conversation_id: id })),
  );
}

async function viewOf(id: string, at: number | null = null): Promise<View> {
  return JSON.parse((await subject.storage.sessions.view(id, at)) ?? "null");
}

/** A view without ids and addresses. */
function nameless({ summary, runs, calls, plans, state, messages, memory, warnings, confirmations }: View): unknown {
  const told = {
    status: summary.open_runs ? Object.values(summary.open_runs) : [],
    runs: runs.map(({ status, iteration, state, started_seq, ended_seq }) => ({
      status,
      iteration,
      state,
      started_seq,
      ended_seq,
    })),
    calls: calls.map(({ run_id: _run, confirmation_id: _confirmation, ...call }) => call),
    plans: plans.map(({ run_id: _run, ...plan }) => plan),
    messages: messages.map(({ seq, role, content }) => ({ seq, role, content })),
    confirmations: confirmations.map(({ id: _id, run_id: _run, ...rest }) => rest),
    warnings: warnings.map(({ seq, code }) => ({ seq, code })),
    state,
    memory,
  };
  return JSON.parse(JSON.stringify(told).replaceAll(/\/api\/conversations\/[^/"]+\//g, "/api/conversations/…/"));
}

describe("E9: a fork is its source up to the step, and then independent", () => {
  test("E9: its steps equal those of its source; everything open is closed, without warnings", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(anySession, fc.nat(), async (events, somewhere) => {
        fc.pre(events.length > 0);
        count += 1;
        const source = `s${count}`;
        await subject.storage.log.append(inConversation(source, events));
        const at = somewhere % (events.length + 1);
        const id = await fork(source, at);
        expect(nameless(await viewOf(id, at))).toEqual(nameless(await viewOf(source, at)));
        const view = await viewOf(id);
        expect(view.summary).toMatchObject({
          open_runs: {},
          awaiting: [],
          forked_from: { conversation_id: source, seq: at },
        });
        expect(view.calls.filter(({ status }) => status === "running" || status === "parked")).toEqual([]);
        expect(view.warnings.filter(({ seq }) => seq > at)).toEqual([]);
        expect((await viewOf(source)).last).toBe(events.length);
      }),
      { numRuns: 40 },
    );
  });

  test("E9: causes are renamed, also later ones; those after the step keep their id", async () => {
    await append(
      "s",
      ["log", 1, { caused_by: "s/e2" }],
      ["log", 2, { caused_by: "s/e3" }],
      ["log", 3, { caused_by: "elsewhere" }],
    );
    const id = await fork("s", 2);
    const found = await subject.storage.events.list(id, { after: 0, limit: 9 });
    expect(found.map(({ caused_by }) => caused_by)).toEqual([`${id}:2`, "s/e3", null]);
  });

  test("E9: step 0 of a conversation is empty, and an unknown step is refused with the last one", async () => {
    await append("s", ["log", 1]);
    expect(await viewOf(await fork("s", 0))).toMatchObject({ last: 1, messages: [], runs: [] });
    await expect(fork("s", 2)).rejects.toMatchObject({
      code: "out_of_range",
      message: expect.stringContaining("0 to 1"),
    });
    await expect(fork("s", -1)).rejects.toMatchObject({ code: "out_of_range" });
    await expect(fork("nobody", 0)).rejects.toMatchObject({ code: "not_found" });
  });

  test("E9: alerts and takeovers of the source do not concern the fork", async () => {
    await append("s", ["manager.alerted", { text: "Help" }], ["conversation.taken_over", { by: "anna" }]);
    const id = await fork("s", 2);
    expect(await subject.storage.conversations.get(id)).toMatchObject({ status: "idle", taken_over: null });
    expect((await subject.storage.alerts.list({ status: "open", limit: 9 })).items).toHaveLength(1);
  });

  test("E9, D2: it keeps the dialog's state at the step, but not its responses", async () => {
    const kept = (key: string, value: string) => ({ agent_id: "dialog:s", key, value });
    await append(
      "s",
      ["agent_state.written", kept("stage", "demo")],
      ["agent_state.written", kept("response_id", "resp")],
      ["agent_state.written", kept("stage", "admin")],
    );
    const id = await fork("s", 2);
    const { agentStates } = subject.storage;
    expect(await agentStates.get(`dialog:${id}`, "stage")).toMatchObject({ value: "demo" });
    expect(await agentStates.get(`dialog:${id}`, "response_id")).toBeNull();
    expect(await agentStates.get("dialog:s", "stage")).toMatchObject({ value: "admin", version: 2 });
  });

  test("E9: a fork can be forked", async () => {
    await append("s", ["run.started", {}], ["log", 2]);
    const first = await fork("s", 2);
    const last = (await viewOf(first)).last;
    const second = await fork(first, last);
    const view = await viewOf(second);
    expect(view.summary.forked_from).toEqual({ conversation_id: first, seq: last });
    expect(view.runs).toMatchObject([{ id: `${second}:run:1`, status: "cancelled", reason: "Forked" }]);
  });
});

describe("E9: edits", () => {
  const state = (path: string, value: JsonObject[string]): Parameters<typeof steps>[number] => [
    "state.written",
    { path, value },
  ];

  test("E9: a person may overwrite values; the state at the step and its other values stay", async () => {
    await append("s", ["run.started", {}], state("†state.deal", { sum: 10, open: true }), state("†state.late", 1));
    const id = await fork("s", 2, { edits: [{ instance: "", path: "†state.deal.sum", value: 20 }] });
    expect((await viewOf(id)).state).toEqual({ "": { deal: { sum: 20, open: true } } });
    expect((await viewOf("s")).state).toEqual({ "": { deal: { sum: 10, open: true }, late: 1 } });
  });

  test("E9: each invalid edit is named by its place, and nothing is created", async () => {
    await append("s", ["run.started", {}], state("†state.sum", 10));
    const edits = [
      { instance: "", path: "†input.sum", value: 1 },
      { instance: "", path: "sum", value: 1 },
      { instance: "", path: "†state.sum.net", value: 1 },
      { instance: "①", path: "†state.sum", value: 1 },
      { instance: "", path: "†state", value: 1 },
    ];
    await expect(fork("s", 2, { edits })).rejects.toMatchObject({
      code: "invalid_input",
      faults: ["0/path", "1/path", "2/path", "3/instance", "4/value"].map((path) => ({
        path: `/edits/${path}`,
        message: expect.any(String),
      })),
    });
    expect((await subject.storage.conversations.list({ forked_from: "s", limit: 9 })).items).toEqual([]);
  });

  test("E9: without a run, a new run holds them", async () => {
    await append("s", ["log", 1]);
    const id = await fork("s", 1, { edits: [{ instance: "", path: "†state.sum", value: 1 }] });
    const view = await viewOf(id);
    expect(view.state).toEqual({ "": { sum: 1 } });
    expect(view.runs).toMatchObject([{ status: "finished", reason: "Forked" }]);
    expect(view.warnings).toEqual([]);
  });
});

describe("E9: running a fork", () => {
  const get = { _tool: "get", _id: "get", id: 1, _outputPath: "†state.user" };
  const greet = { _tool: "greet", _id: "hello", name: "†state.user.name", _outputPath: "†state.greeting" };
  const pay = { _tool: "pay", _id: "pay", sum: 5 };
  const context: JsonObject[] = [
    { type: "data", kind: "state", schema: { type: "object" } },
    { type: "input", question: "why" },
  ];

  beforeEach(() =>
    append(
      "s",
      ["run.started", { context, user_id: "u", concurrency: 3 }],
      ["plan.proposed", { iteration: 1, calls: [get, greet, pay] }],
      ["call.started", { call_id: "get", tool: "get" }],
      ["call.succeeded", { call_id: "get", tool: "get" }],
      ["state.written", { path: "†state.user", value: { name: "Ann" }, call_id: "get" }],
      ["call.started", { call_id: "hello", tool: "greet" }],
      ["call.succeeded", { call_id: "hello", tool: "greet" }],
      ["state.written", { path: "†state.greeting", value: "Hi", call_id: "hello" }],
    ),
  );

  const run = async (at: number, more: Partial<ForkRequest> = {}, source = "s") => {
    const id = await fork(source, at, more);
    await forks.run(id, { mode: "confirm", confirm: [], ...asked });
    const [request] = started.splice(0);
    return { id, ids: request?.plan?.map(({ _id }) => _id), state: stateOf(request), request };
  };
  const stateOf = (request: RunRequest | undefined) => request?.context.find(({ kind }) => kind === "state")?.data;

  test("E9: successful calls are left out; the run starts with the state, the input and the user of the original", async () => {
    const { id, ids, state, request } = await run(5);
    expect(ids).toEqual(["hello", "pay"]);
    expect(state).toEqual({ user: { name: "Ann" } });
    expect(request).toMatchObject({ conversation_id: id, user_id: "u", mode: "confirm", concurrency: 3, turn: null });
    expect(request?.context).toContainEqual({ type: "data", kind: "input", data: { question: "why" } });
    expect(request?.context).toContainEqual(expect.objectContaining({ kind: "state", schema: { type: "object" } }));
  });

  test("E9: the run reads edited values", async () => {
    const { state } = await run(5, { edits: [{ instance: "", path: "†state.user.name", value: "Bob" }] });
    expect(state).toEqual({ user: { name: "Bob" } });
  });

  test("E9: an edited call runs again with its readers, and their writes are removed", async () => {
    const { ids, state } = await run(8, { plan: [{ ...get, id: 2 }, greet, pay] });
    expect(ids).toEqual(["get", "hello", "pay"]);
    expect(state).toEqual({});
  });

  test("E9: a call with only another reasoning counts as done", async () => {
    const { ids } = await run(8, { plan: [{ ...get, _reasoningForCall: "because" }, greet, pay] });
    expect(ids).toEqual(["pay"]);
  });

  test("E9: what a person has overwritten is kept, not the earlier call's write", async () => {
    const edits = [{ instance: "", path: "†state.user", value: { name: "Bob" } }];
    const { state } = await run(8, { edits, plan: [{ ...get, id: 2 }, greet, pay] });
    expect(state).toEqual({ user: { name: "Bob" } });
  });

  test("E9: a large value of the state is resolved, also with an edit below it", async () => {
    const text = "x".repeat(20_000);
    await append(
      "large",
      ["run.started", {}],
      ["plan.proposed", { iteration: 1, calls: [pay] }],
      ["state.written", { path: "†state.deal", value: { text } }],
    );
    const id = await fork("large", 3, { edits: [{ instance: "", path: "†state.deal.sum", value: 1 }] });
    await forks.run(id, { mode: "shadow", confirm: [], ...asked });
    expect(stateOf(started[0])).toEqual({ deal: { text, sum: 1 } });
  });

  test("E9: a later turn with an answer only does not replace the one before, which waits with its plan", async () => {
    const { conversation_id: source, events } = deal1842(new Date("2026-03-04T12:00:00Z"), "en");
    await subject.storage.log.append(events);
    const { last } = await viewOf(source);
    const waiting = ["①", "②"];
    const { left } = await forks.preview(source, last);
    const { ids, request } = await run(last, {}, source);
    expect(ids).toEqual(["update", "refusal", "notify"]);
    const turns = (await viewOf(source)).runs.filter(({ parent_run_id }) => parent_run_id === null);
    const copied = (await viewOf(request?.conversation_id ?? "")).runs.find(({ id }) => id === request?.continues);
    expect(copied?.started_seq).toBe(turns[2]?.started_seq);
    expect(left).toBe(3);
    for (const kind of ["state", "input"])
      expect(request?.context.filter((message) => message.kind === kind).map(({ _instance }) => _instance)).toEqual(
        waiting,
      );
  });

  test("E9: the remaining calls are returned before", async () => {
    expect(await forks.preview("s", 5)).toEqual({ left: 2, unknown_tools: [] });
    expect(await forks.preview("s", 1)).toEqual({ left: 0, unknown_tools: [] });
    await append("done", ["run.started", {}], ["call.started", { call_id: "get", tool: "get" }]);
    expect(await forks.preview("done", 2)).toMatchObject({ left: 1 });
    await subject.storage.log.append([
      newEvent(
        "call.succeeded",
        { call_id: "get", tool: "get" },
        { id: "end", conversation_id: "done", run_id: "run", actor: null },
      ),
    ]);
    expect(await forks.preview("done", 3)).toMatchObject({ left: 0 });
  });

  test("E9: there must be something to run", async () => {
    const start = (id: string) => forks.run(id, { mode: "confirm", confirm: [], ...asked });
    await expect(start("s")).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("not a fork"),
    });
    await expect(start(await fork("s", 1))).rejects.toThrow("no plan to run");
    await expect(start(await fork("s", 8, { plan: [get] }))).rejects.toThrow("have ended");
    const gone = await fork("s", 5);
    const another = newEvent("run.started", {}, { id: "own", conversation_id: gone, run_id: "another" });
    // Programs cannot write to it: running the fork would run their plan.
    await expect(subject.storage.log.append([another], "program")).rejects.toThrow("which programs cannot write to");
    await subject.storage.log.append([another], "person");
    await expect(start(gone)).rejects.toThrow("has new events");
  });
});
