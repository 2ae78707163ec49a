import { EventSourceParserStream } from "eventsource-parser/stream";
import { afterEach, describe, expect, it } from "vitest";
import { type EventReader, readEvents } from "../setup/event-source.ts";
import { logEvent, withServer } from "../setup/server.ts";

const server = withServer();
const open: EventReader[] = [];

async function follow(path: string, headers?: Record<string, string>) {
  const reader = await readEvents(server.url, path, headers);
  open.push(reader);
  return reader;
}

afterEach(() => {
  for (const reader of open.splice(0)) reader.close();
});

async function append(conversationId: string, from: number, count: number) {
  const events = Array.from({ length: count }, (_, index) => logEvent(conversationId, from + index));
  const { status, body } = await server.post("/api/events", events);
  expect(status).toBe(201);
  return body.events.map((event: { position: number }) => event.position);
}

const ids = (events: { data: { id: string } }[]) => events.map(({ data }) => data.id);
const named = (conversationId: string, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `${conversationId}-e${from + index}`);

describe("E13: the stream follows the log", () => {
  it("sends new events, as the API returns them", async () => {
    await append("before", 1, 3);
    const reader = await follow("/api/stream");
    const [position] = await append("now", 1, 1);
    const [event] = await reader.take(1);
    const [stored] = (await server.get("/api/conversations/now/events")).body.items;
    expect(event).toEqual({ id: position, type: "log", data: stored });
  });

  it("sends one conversation, whatever happens in others", async () => {
    await append("mine", 1, 1);
    const reader = await follow("/api/stream?conversation_id=mine");
    await append("noise", 1, 300);
    await append("mine", 2, 2);
    await append("noise", 301, 300);
    await append("mine", 4, 1);
    expect(ids(await reader.take(3))).toEqual(named("mine", 2, 3));
  });

  it("resumes after a position; Last-Event-ID has priority over after", async () => {
    const positions = await append("resume", 1, 5);
    const after = await follow(`/api/stream?conversation_id=resume&after=${positions[1]}`);
    expect(ids(await after.take(3))).toEqual(named("resume", 3, 3));
    const resumed = await follow("/api/stream?conversation_id=resume&after=0", {
      "last-event-id": String(positions[3]),
    });
    expect(ids(await resumed.take(1))).toEqual(named("resume", 5, 1));
  });

  it("sends a long log in pages, without loss or repetition, while it grows", async () => {
    for (let batch = 0; batch < 3; batch++) await append("long", batch * 1_000 + 1, 1_000);
    const reader = await follow("/api/stream?conversation_id=long&after=0");
    await append("long", 3_001, 200);
    expect(ids(await reader.take(3_200))).toEqual(named("long", 1, 3_200));
  });

  it("refuses invalid positions", async () => {
    expect(await server.get("/api/stream?conversation_id=nobody")).toMatchObject({ status: 404 });
    expect(await server.get("/api/stream", { "last-event-id": "x" })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "/Last-Event-ID", message: "must be a whole number" }] },
    });
    expect(await server.get("/api/stream?after=99999999")).toMatchObject({
      status: 400,
      body: { code: "out_of_range" },
    });
  });

  it("applies backpressure to a slow client, which misses nothing", async () => {
    await append("slow", 1, 1);
    const response = await fetch(`${server.url}/api/stream?conversation_id=slow&after=0`);
    // More than the sockets between them buffer.
    const payload = "x".repeat(50_000);
    for (let batch = 0; batch < 10; batch++) {
      const events = Array.from({ length: 20 }, (_, n) => ({ ...logEvent("slow", 2 + batch * 20 + n), payload }));
      expect((await server.post("/api/events", events)).status).toBe(201);
    }
    const events = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()) ?? [];
    const received: string[] = [];
    for await (const { data } of events) if (received.push(JSON.parse(data).id) === 201) break;
    expect(received).toEqual(named("slow", 1, 201));
  });
});

describe("E13, E11: nothing acknowledged is lost when the server is killed", () => {
  it("resumes across kill -9 and restart, each event once and in order", async () => {
    const acknowledged: string[] = [];
    let writing = true;
    const write = async () => {
      for (let n = 1; writing; n += 5) {
        const events = Array.from({ length: 5 }, (_, index) => logEvent("killed", n + index));
        const reply = await server.post("/api/events", events).catch(() => null);
        if (reply?.status === 201) acknowledged.push(...events.map(({ id }) => id));
        else writing = false;
      }
    };
    const first = await follow("/api/stream");
    const writer = write();
    await first.take(50);
    await server.restart("SIGKILL");
    await Promise.all([writer, first.ended]);

    const last = first.received.at(-1);
    const second = await follow("/api/stream", { "last-event-id": String(last?.id) });
    await append("after", 1, 1);
    const { body } = await server.get("/api/conversations/killed");
    await second.take(body.event_count - first.received.length + 1);

    const streamed = ids([...first.received, ...second.received]);
    expect(streamed).toEqual([...named("killed", 1, body.event_count), "after-e1"]);
    expect(streamed).toEqual(expect.arrayContaining(acknowledged));
  });
});
