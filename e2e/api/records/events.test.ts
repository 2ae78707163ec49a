import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { logEvent, withServer } from "../setup/server.ts";

const server = withServer();

async function eventsOf(conversationId: string) {
  const { status, body } = await server.get(`/api/conversations/${conversationId}/events?limit=1000`);
  return status === 404 ? [] : body.items;
}

describe("E2: events are appended to the log", () => {
  it("returns id, conversation, seq and position in order, and creates an unknown conversation", async () => {
    const { status, body } = await server.post("/api/events", [logEvent("order", 1), logEvent("order", 2)]);
    expect(status).toBe(201);
    const [first, second] = body.events;
    expect(first).toEqual({
      id: "order-e1",
      conversation_id: "order",
      seq: 1,
      position: first.position,
      duplicate: false,
    });
    expect(second).toMatchObject({ id: "order-e2", seq: 2, position: first.position + 1 });
    expect((await server.get("/api/conversations/order")).body).toMatchObject({
      id: "order",
      event_count: 2,
      last_seq: 2,
    });
  });

  it("accepts a single event and assigns id and time", async () => {
    const { status, body } = await server.post("/api/events", {
      conversation_id: "single",
      type: "log",
      payload: "hello",
    });
    expect(status).toBe(201);
    expect(body.events).toHaveLength(1);
    const [event] = await eventsOf("single");
    expect(event).toMatchObject({
      id: body.events[0].id,
      seq: 1,
      type: "log",
      payload: "hello",
      actor: null,
      run_id: null,
    });
    expect(event.occurred_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("accepts NDJSON", async () => {
    const lines = `${JSON.stringify(logEvent("lines", 1))}\n${JSON.stringify(logEvent("lines", 2))}\r\n\n`;
    const { status, body } = await server.postRaw("/api/events", lines, "application/x-ndjson");
    expect(status).toBe(201);
    expect(body.events.map((event: { seq: number }) => event.seq)).toEqual([1, 2]);
  });

  it("accepts a repeated event as a duplicate, also within a batch, and changes nothing", async () => {
    const first = await server.post("/api/events", logEvent("twice", 1));
    const again = await server.post("/api/events", [logEvent("twice", 1), logEvent("twice", 2), logEvent("twice", 2)]);
    expect(again.status).toBe(201);
    expect(again.body.events.map((event: { seq: number; duplicate: boolean }) => [event.seq, event.duplicate])).toEqual(
      [
        [1, true],
        [2, false],
        [2, true],
      ],
    );
    expect(again.body.events[0].position).toBe(first.body.events[0].position);
    expect(await eventsOf("twice")).toHaveLength(2);
  });

  it("refuses an id of another conversation, names it, and stores nothing of the batch", async () => {
    await server.post("/api/events", logEvent("owner", 1));
    const stolen = { ...logEvent("owner", 1), conversation_id: "thief" };
    const { status, body } = await server.post("/api/events", [logEvent("thief", 1), stolen]);
    expect(status).toBe(409);
    expect(body).toMatchObject({ code: "conflict", status: 409, errors: [{ path: "/1" }] });
    expect(body.detail).toContain("owner-e1");
    expect(await eventsOf("thief")).toEqual([]);
  });

  it("keeps payloads unchanged, keys such as __proto__ included", async () => {
    const payload =
      '{"__proto__":{"polluted":true},"constructor":1,"text":"\\u0000 \\ud83d\\ude00 ﷽","deep":[[[{"a":[]}]]]}';
    const event = `{"conversation_id":"whole","type":"custom.thing","payload":${payload}}`;
    const { status } = await server.postRaw("/api/events", event, "application/json");
    expect(status).toBe(201);
    const response = await fetch(`${server.url}/api/conversations/whole/events`);
    expect(await response.text()).toContain('"payload":{"__proto__":{"polluted":true},"constructor":1,');
    expect((await server.get("/api/health")).body).toEqual({ status: "ok" });
  });

  it("E11: takes events and messages that are compressed", async () => {
    const postGzip = (path: string, value: unknown) =>
      fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", "content-encoding": "gzip" },
        body: gzipSync(JSON.stringify(value)),
      });
    expect((await postGzip("/api/events", [logEvent("gzipped", 1), logEvent("gzipped", 2)])).status).toBe(201);
    const message = { conversation_id: "gzipped", role: "user", content: "Where is it?" };
    expect((await postGzip("/api/messages", message)).status).toBe(201);
    const events = await eventsOf("gzipped");
    expect(events.map(({ type }: { type: string }) => type)).toEqual(["log", "log", "message.created"]);
  });

  it("keeps an event's time, in UTC", async () => {
    await server.post("/api/events", { ...logEvent("time", 1), occurred_at: "2026-03-01T12:00:00+03:00" });
    expect((await eventsOf("time"))[0].occurred_at).toBe("2026-03-01T09:00:00.000Z");
  });

  it("numbers concurrent events without gaps", async () => {
    const write = async (writer: string) => {
      for (let batch = 0; batch < 10; batch++) {
        const events = Array.from({ length: 20 }, (_, n) => ({
          ...logEvent("race", n),
          id: `${writer}-${batch}-${n}`,
        }));
        expect((await server.post("/api/events", events)).status).toBe(201);
      }
    };
    await Promise.all([write("a"), write("b")]);
    const events = await eventsOf("race");
    expect(events.map((event: { seq: number }) => event.seq)).toEqual(
      Array.from({ length: 400 }, (_, index) => index + 1),
    );
    const ofA = events.filter((event: { id: string }) => event.id.startsWith("a-"));
    expect(ofA.map((event: { id: string }) => event.id)).toEqual(
      Array.from({ length: 200 }, (_, index) => `a-${Math.floor(index / 20)}-${index % 20}`),
    );
  });

  it("isolates conflicts between requests", async () => {
    await server.post("/api/events", logEvent("held", 1));
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        server.post(
          "/api/events",
          n % 2 ? { ...logEvent("held", 1), conversation_id: "other" } : logEvent(`apart-${n}`, 1),
        ),
      ),
    );
    expect(replies.map((reply) => reply.status)).toEqual(Array.from({ length: 20 }, (_, n) => (n % 2 ? 409 : 201)));
  });
});

describe("E10: the payload of a known type is validated against the catalogue", () => {
  it.each([
    [
      "a wrong type",
      { type: "call.started", payload: { call_id: "a", tool: 7 } },
      "/0/payload/tool",
      "must be a string",
    ],
    ["a missing field", { type: "call.started", payload: { call_id: "a" } }, "/0/payload/tool", "is required"],
    [
      "an unknown field",
      { type: "stage.changed", payload: { from: null, to: "b", why: 1 } },
      "/0/payload/why",
      "is not a known field",
    ],
    [
      "a wrong choice",
      { type: "message.created", payload: { message_id: "m", role: "boss", content: "" } },
      "/0/payload/role",
      'must be one of "user", "assistant", "system", "tool", "operator"',
    ],
    ["a run without its id", { type: "run.started", payload: {} }, "/0/run_id", "is required for run.started"],
    ["a missing payload", { type: "conversation.titled" }, "/0/payload/title", "is required"],
    [
      "a bad patch",
      { type: "memory.updated", payload: { delta: [{ op: "add", path: "x", value: 1 }] } },
      "/0/payload/delta/0/path",
      "must be a JSON Pointer",
    ],
  ])("refuses %s and names its place", async (_name, event, path, message) => {
    const { status, body } = await server.post("/api/events", [{ conversation_id: "checked", ...event }]);
    expect(status).toBe(400);
    expect(body.errors).toEqual([{ path, message }]);
    expect(body.detail).toBe(`${path} ${message}.`);
    expect(await eventsOf("checked")).toEqual([]);
  });

  it("stores an event of an unknown type unchanged", async () => {
    const payload = { anything: ["at", { all: null }] };
    expect(
      (await server.post("/api/events", { conversation_id: "unknown", type: "weather.changed", payload })).status,
    ).toBe(201);
    expect((await eventsOf("unknown"))[0].payload).toEqual(payload);
  });

  it("stores an inconsistent sequence, and the view warns of it", async () => {
    const started = { conversation_id: "odd", type: "run.started", run_id: "r" };
    const ended = {
      conversation_id: "odd",
      type: "call.succeeded",
      run_id: "r",
      payload: { call_id: "never", tool: "t" },
    };
    expect((await server.post("/api/events", [started, ended])).status).toBe(201);
    const { body } = await server.get("/api/conversations/odd/view");
    expect(body.warnings).toMatchObject([{ seq: 2, code: "call_not_started" }]);
  });
});
