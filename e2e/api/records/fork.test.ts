import { beforeAll, describe, expect, it } from "vitest";
import { withOutside } from "../setup/outside.ts";
import { logEvent, withServer } from "../setup/server.ts";

const asked: { path: string; params: Record<string, unknown> }[] = [];
const outside = withOutside(async ({ path, call }) => {
  asked.push({ path, params: call });
  return { body: path === "get" ? { name: `user ${call.id}` } : { sent: true } };
});
const server = withServer({ OBELUS_HTTP_TOOL_HOSTS: "127.0.0.1" });

const object = { type: "object" };
function tool(name: string, properties: object, requires_confirmation = false) {
  return {
    name,
    schema: { type: "object", properties: { ...properties, _output: object } },
    activity: { type: "http", url: `http://${outside.host}/${name}`, retries: 0 },
    requires_confirmation,
  };
}

const get = { _tool: "get", _id: "get", id: "†input.id", _outputPath: "†state.user" };
const refund = { _tool: "refund", _id: "refund", to: "†state.user", sum: 20, _outputPath: "†state.receipt" };

interface Step {
  seq: number;
  type: string;
  payload: unknown;
  run_id: string | null;
  occurred_at: string | null;
}

const viewOf = async (id: string, at = "") => (await server.get(`/api/conversations/${id}/view${at}`)).body;
const eventsOf = async (id: string): Promise<Step[]> =>
  (await server.get(`/api/conversations/${id}/events?limit=1000`)).body.items;
const fork = (id: string, body: object) => server.post(`/api/conversations/${id}/fork`, body);

/** Waits, following the stream, for an event of the conversation. */
async function until(conversationId: string, type: string) {
  const response = await fetch(`${server.url}/api/stream?conversation_id=${conversationId}&after=0`);
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!text.includes(`event: ${type}\n`)) text += (await reader.read()).value;
  await reader.cancel();
}

/** A run that has read a user and waits for the approval of a refund. */
let source: string;
let last: number;
beforeAll(async () => {
  for (const one of [tool("get", { id: { type: "string" } }), tool("refund", { sum: { type: "number" } }, true)])
    await server.post("/api/tools", one);
  const { body } = await server.post("/api/plans/run", { plan: [get, refund], context: [{ type: "input", id: "u1" }] });
  source = body.conversation_id;
  await until(source, "run.waiting");
  last = (await viewOf(source)).last;
  asked.length = 0;
});

describe("E9: POST /api/conversations/:id/fork", () => {
  it("creates a separate conversation with the source up to the step; open runs and calls are closed in it", async () => {
    const { status, body, headers } = await fork(source, { at: last, title: "What if" });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({
        title: "What if",
        status: "idle",
        forked_from: { conversation_id: source, seq: last },
      }),
    ]);
    expect(headers.get("location")).toBe(`/api/conversations/${body.id}`);
    const [ours, theirs] = [await eventsOf(body.id), await eventsOf(source)];
    expect(ours.slice(0, last).map(({ seq, type, occurred_at }) => ({ seq, type, occurred_at }))).toEqual(
      theirs.map(({ seq, type, occurred_at }) => ({ seq, type, occurred_at })),
    );
    expect(ours.slice(last).map(({ type }) => type)).toEqual([
      "conversation.created",
      "confirmation.denied",
      "call.cancelled",
      "run.cancelled",
    ]);
    const { calls, runs, confirmations, state } = await viewOf(body.id);
    expect(state).toEqual((await viewOf(source)).state);
    expect(calls).toMatchObject([{ status: "succeeded" }, { status: "cancelled", reason: "Forked" }]);
    expect(runs).toMatchObject([{ status: "cancelled", reason: "Forked" }]);
    expect(confirmations).toMatchObject([{ status: "denied", decided_by: "system" }]);
  });

  it("does not change the source, which still waits, and runs nothing", async () => {
    const { body } = await fork(source, { at: last });
    expect(await viewOf(source)).toMatchObject({ last, status: "waiting" });
    const waiting = (await server.get(`/api/confirmations?status=requested&conversation_id=${source}`)).body.items;
    expect(waiting).toHaveLength(1);
    expect((await server.get(`/api/confirmations?status=requested&conversation_id=${body.id}`)).body.items).toEqual([]);
    expect(asked).toEqual([]);
  });

  it("is linked in both directions: forks of a conversation are listed in pages", async () => {
    await server.post("/api/events", logEvent("parent", 1));
    for (const title of ["one", "two", "three"]) await fork("parent", { at: 1, title });
    const first = (await server.get("/api/conversations?forked_from=parent&limit=2")).body;
    const second = (await server.get(`/api/conversations?forked_from=parent&limit=2&cursor=${first.next}`)).body;
    const titles = [...first.items, ...second.items].map(({ title }: { title: string }) => title);
    expect(titles.sort()).toEqual(["one", "three", "two"]);
    expect(second.next).toBeNull();
  });

  it("is exported and imported like any other", async () => {
    const { body } = await fork(source, { at: last });
    const text = await (await fetch(`${server.url}/api/conversations/${body.id}/export`)).text();
    const copied = await server.postRaw("/api/import?as=copy", text, "application/x-ndjson");
    expect(copied.status).toBe(201);
    const [{ conversation_id: copy }] = copied.body.conversations;
    expect((await eventsOf(copy)).map(({ type }) => type)).toEqual((await eventsOf(body.id)).map(({ type }) => type));
  });

  const refusals: [title: string, body: object, status: number, path: string, says: string][] = [
    ["a step beyond the last", { at: 100_000 }, 400, "/at", "steps 0 to"],
    ["a step before the first", { at: -1 }, 400, "/at", "steps 0 to"],
    ["no step", {}, 400, "/at", "at"],
    ["a path that is none", { at: 1, edits: [{ path: "user", value: 1 }] }, 400, "/edits/0/path", "path"],
    ["a path of the input", { at: 1, edits: [{ path: "†input.id", value: 1 }] }, 400, "/edits/0/path", "state"],
    [
      "an instance that is none",
      { at: 1, edits: [{ instance: "①", path: "†state.a", value: 1 }] },
      400,
      "/edits/0/instance",
      "instance",
    ],
    ["an unknown field", { at: 1, run: true }, 400, "/run", "known"],
  ];
  it.each(refusals)("refuses %s, and makes nothing", async (_title, body, status, path, says) => {
    const before = (await server.get("/api/conversations?limit=200")).body.items.length;
    const answer = await fork(source, body);
    expect([answer.status, answer.body.errors?.[0]?.path]).toEqual([status, path]);
    expect(answer.body.detail).toContain(says);
    expect((await server.get("/api/conversations?limit=200")).body.items).toHaveLength(before);
  });

  it("refuses an invalid plan with all its problems, and an unknown conversation", async () => {
    const { status, body } = await fork(source, {
      at: last,
      plan: [{ _tool: "nothing" }, { ...refund, to: "†state.none" }],
    });
    expect([status, body.code]).toEqual([422, "invalid_plan"]);
    expect(body.problems.map(({ code }: { code: string }) => code)).toEqual(
      expect.arrayContaining(["unknown_tool", "unbound"]),
    );
    expect((await fork("nobody", { at: 0 })).status).toBe(404);
    expect((await server.post("/api/conversations/nobody/fork/run", {})).status).toBe(404);
  });
});

describe("E9: POST /api/conversations/:id/fork/run", () => {
  it("runs only what is left, on the edited state; with approvals, it waits before any call", async () => {
    const { body } = await fork(source, {
      at: last,
      edits: [{ path: "†state.user.name", value: "Anna" }],
      plan: [get, { ...refund, sum: 5 }],
    });
    expect(await viewOf(body.id)).toMatchObject({
      status: "idle",
      state: { "": { user: { name: "Anna" } } },
      plan: { calls: [{ _id: "get" }, { _id: "refund", sum: 5 }] },
    });
    asked.length = 0;
    const run = await server.post(`/api/conversations/${body.id}/fork/run`, { mode: "confirm" });
    expect([run.status, run.body.conversation_id]).toEqual([202, body.id]);
    await until(body.id, "run.waiting");
    expect(asked).toEqual([]);
    const { items } = (await server.get(`/api/confirmations?status=requested&conversation_id=${body.id}`)).body;
    await server.post(`/api/confirmations/${items[0].id}/decision`, { decision: "approve" });
    await until(body.id, "run.finished");
    expect(asked).toMatchObject([{ path: "refund", params: { to: { name: "Anna" }, sum: 5 } }]);
    expect((await viewOf(body.id)).state).toEqual({ "": { user: { name: "Anna" }, receipt: { sent: true } } });
  });

  it("runs once: a fork that has continued has to be forked again", async () => {
    const { body } = await fork(source, { at: last });
    const answers = await Promise.all(
      [1, 2, 3].map(() => server.post(`/api/conversations/${body.id}/fork/run`, { mode: "shadow" })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    expect((await server.post(`/api/conversations/${body.id}/fork/run`, {})).status).toBe(409);
    expect((await server.post(`/api/conversations/${source}/fork/run`, {})).status).toBe(409);
  });
});
