import { readFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { withServer } from "./server.ts";

const source = withServer();
const target = withServer();
const NDJSON = "application/x-ndjson";
const chats = () => readFile(new URL("../fixtures/support-chats.jsonl", import.meta.url), "utf8");

const story = (id: string) => [
  { id: `${id}-1`, conversation_id: id, type: "conversation.created", payload: { title: "Ünïcode ✓", channel: "web" } },
  { id: `${id}-2`, conversation_id: id, type: "run.started", run_id: `${id}-run`, caused_by: `${id}-3` },
  {
    id: `${id}-3`,
    conversation_id: id,
    type: "message.created",
    run_id: `${id}-run`,
    payload: { message_id: `${id}-m`, role: "user", content: "Привет" },
  },
  {
    id: `${id}-4`,
    conversation_id: id,
    type: "state.written",
    run_id: `${id}-run`,
    payload: { path: "†state.a", value: [1, { b: null }] },
  },
  { id: `${id}-5`, conversation_id: id, type: "weather.changed", payload: { __: "anything" } },
];

async function exported(server: typeof source, id: string) {
  const response = await fetch(`${server.url}/api/conversations/${id}/export`);
  expect(response.headers.get("content-type")).toBe("application/x-ndjson");
  expect(response.headers.get("content-disposition")).toContain(".ndjson");
  return response.text();
}

describe("E14: what is exported is imported as it was", () => {
  it("gives the same events, messages and state on another server", async () => {
    await source.post("/api/events", story("moved"));
    const file = await exported(source, "moved");
    expect(JSON.parse(file.slice(0, file.indexOf("\n")))).toMatchObject({ format: "obelus.conversation", version: 1 });

    const { status, body } = await target.postRaw("/api/import", file, NDJSON);
    expect(status).toBe(201);
    expect(body.conversations).toEqual([{ conversation_id: "moved", created: true, events: 5 }]);
    expect(await exported(target, "moved")).toBe(file);
    for (const path of ["messages", "view", "timeline"]) {
      const there = await target.get(`/api/conversations/moved/${path}`);
      expect(there.body).toEqual((await source.get(`/api/conversations/moved/${path}`)).body);
    }
  });

  it("changes nothing when it is imported onto what exists", async () => {
    await source.post("/api/events", story("stays"));
    const file = await exported(source, "stays");
    const { status, body } = await source.postRaw("/api/import", file, NDJSON);
    expect([status, body.conversations[0]]).toEqual([
      200,
      expect.objectContaining({ conversation_id: "stays", created: false }),
    ]);
    expect(await exported(source, "stays")).toBe(file);
  });

  it("imports a copy beside it under new ids, which names its origin", async () => {
    await source.post("/api/events", story("twin"));
    const { status, body } = await source.postRaw("/api/import?as=copy", await exported(source, "twin"), NDJSON);
    const [{ conversation_id: id }] = body.conversations;
    expect(status).toBe(201);
    expect(id).not.toBe("twin");
    const events = (await source.get(`/api/conversations/${id}/events`)).body.items;
    expect(events[0].payload.origin).toEqual({ conversation_id: "twin" });
    const copied = await source.get(`/api/conversations/${id}/view`);
    expect(copied.body.state).toEqual((await source.get("/api/conversations/twin/view")).body.state);
  });

  it("exports a session of several pages whole", async () => {
    for (let batch = 0; batch < 3; batch++) {
      const events = Array.from({ length: 500 }, (_, n) => ({
        conversation_id: "long",
        type: "log",
        payload: batch * 500 + n,
      }));
      await source.post("/api/events", events);
    }
    const lines = (await exported(source, "long")).trimEnd().split("\n");
    expect(lines.slice(1).map((line) => JSON.parse(line).payload)).toEqual(Array.from({ length: 1_500 }, (_, n) => n));
  });
});

describe("E11: import streams in, is checked, and is all or nothing", () => {
  it("takes chats in OpenAI's format, twice without doubling", async () => {
    const first = await target.postRaw("/api/import", await chats(), NDJSON);
    expect(first.status).toBe(201);
    expect(first.body.conversations).toHaveLength(8);
    const { total } = (await target.get("/api/facets")).body;
    const again = await target.postRaw("/api/import", await chats(), "application/octet-stream");
    expect(again.status).toBe(200);
    expect((await target.get("/api/facets")).body.total).toBe(total);
  });

  it("refuses a file that was cut off, names the line, and keeps nothing", async () => {
    await source.post("/api/events", story("cut"));
    const lines = (await exported(source, "cut")).split("\n");
    const { status, body } = await target.postRaw("/api/import", lines.slice(0, 3).join("\n"), NDJSON);
    expect([status, body.code]).toEqual([400, "invalid_input"]);
    expect(body.detail).toContain("cut off");
    const broken = await target.postRaw("/api/import", lines.with(2, '{"id":').join("\n"), NDJSON);
    expect([broken.status, broken.body.errors[0].path]).toEqual([400, "/2"]);
    expect((await target.get("/api/conversations/cut")).status).toBe(404);
  });

  it("keeps nothing of an import whose client goes away", async () => {
    await source.post("/api/events", story("left"));
    const lines = (await exported(source, "left")).split("\n");
    const { hostname, port } = new URL(target.url);
    const request = httpRequest({
      hostname,
      port,
      method: "POST",
      path: "/api/import",
      headers: { "content-type": NDJSON },
    });
    const gone = new Promise((resolve) => request.on("error", resolve));
    request.write(`${lines.slice(0, 4).join("\n")}\n`, () => request.destroy());
    await gone;
    expect((await target.get("/api/conversations/left")).status).toBe(404);
    const whole = await target.postRaw("/api/import", lines.join("\n"), NDJSON);
    expect(whole.status).toBe(201);
  });

  it("refuses a media type that is no file of conversations", async () => {
    expect((await target.postRaw("/api/import", "x", "text/html")).status).toBe(415);
  });
});
