import { describe, expect, it } from "vitest";
import { logEvent, withoutTotals, withServer } from "../setup/server.ts";

const server = withServer();
const idsOf = (body: { items: { id: string }[] }) => body.items.map(({ id }) => id);

describe("E14: conversations are created and listed", () => {
  it("creates one; repeating it changes nothing", async () => {
    const input = {
      id: "c/1",
      title: "Refund",
      channel: "web",
      user_id: "alice",
      agent_id: "admin",
      metadata: { vip: true },
    };
    const created = await server.post("/api/conversations", input);
    expect(created.status).toBe(201);
    expect(created.headers.get("location")).toBe("/api/conversations/c%2F1");
    expect(created.body).toMatchObject({
      id: "c/1",
      title: "Refund",
      channel: "web",
      user_id: "alice",
      agent_id: "admin",
      stage: null,
      status: "idle",
      message_count: 0,
      event_count: 1,
      last_seq: 1,
      forked_from: null,
    });
    const again = await server.post("/api/conversations", { ...input, title: "Another" });
    expect(again.status).toBe(200);
    expect(withoutTotals(again.body)).toEqual(withoutTotals(created.body));
    expect(withoutTotals((await server.get("/api/conversations/c%2F1")).body)).toEqual(withoutTotals(created.body));
    const [event] = (await server.get("/api/conversations/c%2F1/events")).body.items;
    expect(event).toMatchObject({
      type: "conversation.created",
      payload: { title: "Refund", metadata: { vip: true } },
    });
  });

  it("creates one with a generated id, and only one of concurrent requests creates it", async () => {
    const { status, body } = await server.post("/api/conversations", {});
    expect([status, typeof body.id]).toEqual([201, "string"]);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => server.post("/api/conversations", { id: "at-once" })),
    );
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1);
    expect((await server.get("/api/conversations/at-once")).body.event_count).toBe(1);
  });

  it("lists them by last activity, paged in both directions, filtered", async () => {
    for (let n = 1; n <= 5; n++) await server.post("/api/conversations", { id: `page-${n}`, channel: "pages" });
    await server.post("/api/events", logEvent("page-2", 1));
    const expected = ["page-2", "page-5", "page-4", "page-3", "page-1"];
    const first = (await server.get("/api/conversations?channel=pages&limit=2")).body;
    const second = (await server.get(`/api/conversations?channel=pages&limit=2&cursor=${first.next}`)).body;
    const third = (await server.get(`/api/conversations?channel=pages&limit=2&cursor=${second.next}`)).body;
    expect([...idsOf(first), ...idsOf(second), ...idsOf(third)]).toEqual(expected);
    expect([first.prev, third.next]).toEqual([null, null]);
    const back = (await server.get(`/api/conversations?channel=pages&limit=2&cursor=${third.prev}`)).body;
    expect(idsOf(back)).toEqual(idsOf(second));
    expect((await server.get("/api/facets")).body.channels).toContain("pages");
  });

  it("finds words in messages, with their places", async () => {
    await server.post("/api/messages", { conversation_id: "found", role: "user", content: "Where is my Middlemarch?" });
    let { body } = await server.get("/api/conversations?q=middlemarch");
    while (body.behind !== undefined) ({ body } = await server.get("/api/conversations?q=middlemarch"));
    expect(idsOf(body)).toEqual(["found"]);
    expect(body.items[0].hit).toMatchObject({ seq: 1, role: "user" });
    expect(body.items[0].hit.parts).toContainEqual({ text: "Middlemarch", marked: true });
    expect((await server.get("/api/conversations?q=casaubon")).body.items).toEqual([]);
  });

  it("filters by status", async () => {
    await server.post("/api/events", { conversation_id: "busy", type: "run.started", run_id: "busy-run" });
    expect(idsOf((await server.get("/api/conversations?status=running")).body)).toEqual(["busy"]);
  });
});

describe("E14: the events and messages of a conversation are listed, the oldest first", () => {
  it("pages events by seq in both directions and filters by type", async () => {
    const events = Array.from({ length: 7 }, (_, n) => ({
      ...logEvent("paged", n + 1),
      type: n % 2 ? "odd.one" : "log",
    }));
    await server.post("/api/events", events);
    const list = async (query: string) => (await server.get(`/api/conversations/paged/events?${query}`)).body;
    const first = await list("limit=3");
    expect(first.items.map((event: { seq: number }) => event.seq)).toEqual([1, 2, 3]);
    const second = await list(`limit=3&cursor=${first.next}`);
    expect(second.items.map((event: { seq: number }) => event.seq)).toEqual([4, 5, 6]);
    expect((await list(`limit=3&cursor=${second.prev}`)).items).toEqual(first.items);
    const rest = await list("after=6");
    expect([rest.items.length, rest.next]).toEqual([1, null]);
    expect((await list("type=odd.one")).items.map((event: { seq: number }) => event.seq)).toEqual([2, 4, 6]);
  });

  it("pages messages both ways", async () => {
    const messages = Array.from({ length: 5 }, (_, n) => ({
      conversation_id: "said",
      role: "user",
      content: `text ${n}`,
    }));
    await server.post("/api/messages", messages);
    const list = async (query: string) => (await server.get(`/api/conversations/said/messages?${query}`)).body;
    const texts = (body: { items: { content: string }[] }) => body.items.map(({ content }) => content);
    const first = await list("limit=2");
    const second = await list(`limit=2&cursor=${first.next}`);
    const third = await list(`limit=2&cursor=${second.next}`);
    expect([...texts(first), ...texts(second), ...texts(third)]).toEqual(messages.map(({ content }) => content));
    expect([first.prev, third.next]).toEqual([null, null]);
    expect(texts(await list(`limit=2&cursor=${third.prev}`))).toEqual(texts(second));
  });
});

describe("E6, E8: the view and the timeline", () => {
  it("returns the session at any step; 0 is empty, after the last is a 400 that names it", async () => {
    await server.post("/api/events", [
      { conversation_id: "seen", type: "run.started", run_id: "r1" },
      {
        conversation_id: "seen",
        type: "message.created",
        run_id: "r1",
        payload: { message_id: "m", role: "user", content: "Hi" },
      },
      {
        conversation_id: "seen",
        type: "state.written",
        run_id: "r1",
        payload: { path: "†state.deal", value: { id: 7 } },
      },
      { conversation_id: "seen", type: "run.finished", run_id: "r1" },
    ]);
    const view = async (query = "") => (await server.get(`/api/conversations/seen/view${query}`)).body;
    expect(await view()).toMatchObject({ at: 4, last: 4, status: "idle", state: { "": { deal: { id: 7 } } } });
    expect(await view("?at=0")).toMatchObject({ at: 0, last: 4, messages: [], runs: [], state: {} });
    expect(await view("?at=2")).toMatchObject({ at: 2, status: "running", messages: [{ content: "Hi" }] });
    for (const at of ["5", "-1"]) {
      const { status, body } = await server.get(`/api/conversations/seen/view?at=${at}`);
      expect([status, body.code, body.errors[0].path]).toEqual([400, "out_of_range", "/at"]);
      expect(body.detail).toContain("4");
    }
  });

  it("returns the timeline in columns of equal length, also from a step", async () => {
    const { body } = await server.get("/api/conversations/seen/timeline");
    expect(body).toMatchObject({ after: 0, last: 4, seq: [1, 2, 3, 4], error: [0, 0, 0, 0] });
    for (const column of ["time", "type", "actor", "agent", "run", "call", "cause"])
      expect(body[column]).toHaveLength(4);
    expect(body.type.map((index: number) => body.tables.type[index])).toEqual([
      "run.started",
      "message.created",
      "state.written",
      "run.finished",
    ]);
    expect((await server.get("/api/conversations/seen/timeline?after=2")).body.seq).toEqual([3, 4]);
  });
});
