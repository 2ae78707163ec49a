import { readFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { readEvents } from "../setup/event-source.ts";
import { withServer } from "../setup/server.ts";

const source = withServer();
const target = withServer();
const NDJSON = "application/x-ndjson";
const chats = () => readFile(new URL("../../fixtures/support-chats.jsonl", import.meta.url), "utf8");

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

describe("E14: an export can be imported unchanged", () => {
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

  it("raises no alerts and has nothing pending, unless requested; everything is shown", async () => {
    const asked = (id: string) => [
      { conversation_id: id, type: "manager.alerted", payload: { text: id } },
      {
        conversation_id: id,
        type: "confirmation.requested",
        payload: { confirmation_id: id, key: "k", action: { method: "m", params: {} } },
      },
    ];
    await source.post("/api/events", asked("calling"));
    const file = await exported(source, "calling");
    const facets = async () => (await target.get("/api/facets")).body;
    const before = await facets();
    for (const query of ["", "?as=copy"])
      expect((await target.postRaw(`/api/import${query}`, file, NDJSON)).status).toBe(201);
    expect(await facets()).toMatchObject({ alerts: before.alerts, awaiting: before.awaiting });
    expect((await target.get("/api/alerts?status=all")).body.items).toEqual([]);
    expect((await target.get("/api/confirmations?status=requested")).body.items).toEqual([]);
    expect((await target.get("/api/conversations/calling")).body.status).toBe("escalated");
    expect((await target.get("/api/conversations/calling/view")).body).toMatchObject({
      ...{ status: "escalated", confirmations: [{ id: "calling", status: "requested" }] },
    });
    expect((await target.postRaw("/api/import?as=copy&alerts=open", file, NDJSON)).status).toBe(201);
    expect(await facets()).toMatchObject({ alerts: before.alerts + 1, awaiting: before.awaiting + 1 });
    expect((await target.postRaw("/api/import?alerts=all", file, NDJSON)).status).toBe(400);
  });

  it("changes nothing when imported over existing data", async () => {
    await source.post("/api/events", story("stays"));
    const file = await exported(source, "stays");
    const { status, body } = await source.postRaw("/api/import", file, NDJSON);
    expect([status, body.conversations[0]]).toEqual([
      200,
      expect.objectContaining({ conversation_id: "stays", created: false }),
    ]);
    expect(await exported(source, "stays")).toBe(file);
  });

  it("imports a copy with new ids, which names its origin", async () => {
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

  it("exports a session of several pages completely", async () => {
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

describe("E11: an import is streamed, validated, and all or nothing", () => {
  it("imports chats in OpenAI's format, twice without duplicates", async () => {
    const first = await target.postRaw("/api/import", await chats(), NDJSON);
    expect(first.status).toBe(201);
    expect(first.body.conversations).toHaveLength(8);
    const { total } = (await target.get("/api/facets")).body;
    const again = await target.postRaw("/api/import", await chats(), "application/octet-stream");
    expect(again.status).toBe(200);
    expect((await target.get("/api/facets")).body.total).toBe(total);
  });

  it("refuses a truncated file, names the line, and keeps nothing", async () => {
    await source.post("/api/events", story("cut"));
    const lines = (await exported(source, "cut")).split("\n");
    const { status, body } = await target.postRaw("/api/import", lines.slice(0, 3).join("\n"), NDJSON);
    expect([status, body.code]).toEqual([400, "invalid_input"]);
    expect(body.detail).toContain("it is incomplete");
    const broken = await target.postRaw("/api/import", lines.with(2, '{"id":').join("\n"), NDJSON);
    expect([broken.status, broken.body.errors[0].path]).toEqual([400, "/2"]);
    expect((await target.get("/api/conversations/cut")).status).toBe(404);
  });

  it("keeps nothing if the client disconnects", async () => {
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

  it("supports gzip, and has a remedy for truncated files", async () => {
    const packed = gzipSync(chatLines("packed", 3));
    const cut = await target.postRaw("/api/import", packed.subarray(0, packed.length - 20), "application/octet-stream");
    expect([cut.status, cut.body.detail]).toEqual([400, expect.stringContaining("incomplete; compress it again")]);
    expect((await target.get("/api/conversations/packed-0")).status).toBe(404);
    const whole = await target.postRaw("/api/import", packed, "application/octet-stream");
    expect([whole.status, whole.body.conversations.length]).toEqual([201, 3]);
  });

  it("names an error on line 90,000 of a file, and keeps nothing", async () => {
    const file = `${chatLines("many", 89_999)}{"id": "broken"\n`;
    const { status, body } = await target.postRaw("/api/import", file, NDJSON);
    expect([status, body.errors[0].path]).toEqual([400, "/89999"]);
    expect(body.detail).toContain("Line 90000: this is not JSON");
    expect((await target.get("/api/conversations/many-0")).status).toBe(404);
  });

  it("refuses other media types", async () => {
    expect((await target.postRaw("/api/import", "x", "text/html")).status).toBe(415);
  });
});

describe("E11: a large import does not block others", () => {
  const server = withServer();
  const COUNT = 20_000;
  const file = (id: string) => exportLines(id, COUNT);

  /** Waits until the import has stored this many events, by its own progress. */
  async function storing(id: string): Promise<void> {
    const isStoring = async () => {
      const { body } = await server.get(`/api/import/${id}`);
      return body.phase === "storing" && body.stored > 0;
    };
    await expect.poll(isStoring, { interval: 1, timeout: 60_000 }).toBe(true);
  }

  it("others write meanwhile, progress is reported, and it becomes visible at once", async () => {
    await server.post("/api/events", [{ id: "before", conversation_id: "others", type: "log" }]);
    const imported = server.postRaw("/api/import?id=mine", file("large"), NDJSON);
    await storing("mine");
    const again = await server.postRaw("/api/import?id=mine", file("other"), NDJSON);
    expect([again.status, again.body.code]).toEqual([409, "conflict"]);
    const posted = await server.post("/api/events", [{ id: "meanwhile", conversation_id: "others", type: "log" }]);
    expect(posted.body.events[0]).toMatchObject({ seq: 2, position: 2 });
    // On a slow machine everything is stored before the last of these requests.
    const hidden = ["", "/view", "/events", "/messages", "/timeline", "/export"].map(
      async (part) => (await server.get(`/api/conversations/large${part}`)).status,
    );
    const answers = await Promise.all(hidden);
    const isStillHidden = (await server.get("/api/import/mine")).status === 200;
    if (isStillHidden) expect(new Set(answers)).toEqual(new Set([404]));
    expect((await imported).body.conversations).toEqual([{ conversation_id: "large", created: true, events: COUNT }]);
    expect((await server.get("/api/import/mine")).status).toBe(404);
    expect((await server.get("/api/conversations/large/view")).body.at).toBe(COUNT);
  });

  it("live readers get all of it, after concurrent events", async () => {
    const stream = await readEvents(server.url, "/api/stream");
    const imported = server.postRaw("/api/import?id=told", file("told"), NDJSON);
    await storing("told");
    await server.post("/api/events", [{ id: "beside-told", conversation_id: "others", type: "log" }]);
    await imported;
    await server.post("/api/events", [{ id: "after-told", conversation_id: "others", type: "log" }]);
    await stream.find(({ data }) => data.id === "after-told");
    stream.close();
    const ids = stream.received.map(({ data }) => data.id);
    expect(ids).toHaveLength(COUNT + 2);
    expect([ids[0], ids[1], ids.at(-2), ids.at(-1)]).toEqual(["beside-told", "told-1", `told-${COUNT}`, "after-told"]);
  });

  it("stores a file once that is sent twice concurrently", async () => {
    const both = await Promise.all([1, 2].map(() => server.postRaw("/api/import", file("twice"), NDJSON)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect((await server.get("/api/conversations/twice")).body.event_count).toBe(COUNT);
  });

  it("works during a fork, and both are complete", async () => {
    await server.postRaw("/api/import", file("source"), NDJSON);
    const imported = server.postRaw("/api/import?id=beside", file("beside"), NDJSON);
    await storing("beside");
    const forked = await server.post("/api/conversations/source/fork", { at: 5_000 });
    expect(forked.status).toBe(201);
    expect((await imported).status).toBe(201);
    expect((await server.get(`/api/conversations/${forked.body.id}`)).body.event_count).toBeGreaterThan(5_000);
    expect((await server.get("/api/conversations/beside")).body.event_count).toBe(COUNT);
  });

  it("leaves nothing if the client disconnects while it is stored", async () => {
    const gone = new AbortController();
    const sent = fetch(`${server.url}/api/import?id=gone`, {
      method: "POST",
      headers: { "content-type": NDJSON },
      body: file("gone"),
      signal: gone.signal,
    });
    await storing("gone");
    gone.abort();
    await expect(sent).rejects.toThrow();
    await expect.poll(async () => (await server.get("/api/import/gone")).status, { timeout: 60_000 }).toBe(404);
    const [mine] = (await server.post("/api/events", [{ id: "gone-1", conversation_id: "gone", type: "log" }])).body
      .events;
    expect(mine).toMatchObject({ seq: 1, duplicate: false });
  });

  it("leaves nothing if the process is killed while it is stored", async () => {
    const sent = server.postRaw("/api/import?id=killed", file("killed"), NDJSON).catch(() => "broken off");
    await storing("killed");
    await server.restart("SIGKILL");
    expect(await sent).toBe("broken off");
    expect((await server.get("/api/conversations/killed")).status).toBe(404);
    const again = await server.postRaw("/api/import", file("killed"), NDJSON);
    expect(again.body.conversations).toEqual([{ conversation_id: "killed", created: true, events: COUNT }]);
  });

  it("has only whole conversations if the process is killed while they become visible, and the file again adds the rest", async () => {
    const file = chatLines("part", 3_000);
    const sent = server.postRaw("/api/import", file, NDJSON).catch(() => "broken off");
    await expect.poll(async () => (await visible("part")).size, { interval: 5 }).toBeGreaterThan(0);
    await server.restart("SIGKILL");
    await sent;
    const left = await visible("part", Number.POSITIVE_INFINITY);
    const { status, body } = await server.postRaw("/api/import", file, NDJSON);
    expect(status).toBe(left.size < 3_000 ? 201 : 200);
    const added = body.conversations.filter(({ created }: { created: boolean }) => created);
    expect(added).toHaveLength(3_000 - left.size);
    const all = await visible("part", Number.POSITIVE_INFINITY);
    expect(all.size).toBe(3_000);
    expect(new Set([...left.values(), ...all.values()]).size, "Events a conversation").toBe(1);
  });

  /** The events of each conversation in the list whose id has the prefix, of so many pages. */
  async function visible(prefix: string, pages = 1): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    let next: string | null = "";
    for (let page = 0; next !== null && page < pages; page += 1) {
      const { body } = await server.get(`/api/conversations?limit=200${next && `&cursor=${next}`}`);
      for (const { id, event_count } of body.items) if (id.startsWith(`${prefix}-`)) found.set(id, event_count);
      next = body.next;
    }
    return found;
  }
});

describe("E14: all matching conversations are exported as one file", () => {
  it("can be imported, has only matching conversations, and their number", async () => {
    const title = (id: string, channel: string) => ({
      id: `${id}-1`,
      conversation_id: id,
      type: "conversation.created",
      payload: { title: id, channel },
    });
    await source.post("/api/events", [
      title("found-1", "export-test"),
      title("found-2", "export-test"),
      title("left-out", "other"),
    ]);
    const response = await fetch(`${source.url}/api/export?channel=export-test`);
    expect(response.headers.get("obelus-conversations")).toBe("2");
    expect(response.headers.get("content-disposition")).toMatch(/filename="obelus-\d{4}-\d\d-\d\d\.ndjson"/);
    const { status, body } = await target.postRaw("/api/import", await response.text(), NDJSON);
    expect(status).toBe(201);
    expect(body.conversations.map((one: { conversation_id: string }) => one.conversation_id).sort()).toEqual([
      "found-1",
      "found-2",
    ]);
  });

  it("has all pages of the list, also before indexing has caught up", async () => {
    const chats = chatLines("paged", 2_000);
    await source.postRaw("/api/import", chats, NDJSON);
    const file = await (await fetch(`${source.url}/api/export?q=paged`)).text();
    const headers = file.split("\n").filter((line) => line.startsWith('{"format"'));
    expect(new Set(headers).size).toBe(2_000);
  });

  it("refuses unknown filters, and is empty without matches", async () => {
    expect((await source.get("/api/export?limit=5")).status).toBe(400);
    const nothing = await fetch(`${source.url}/api/export?channel=nobody`);
    expect([nothing.status, await nothing.text()]).toEqual([200, ""]);
  });
});

/** Chats in OpenAI's format, one per line. */
function chatLines(prefix: string, count: number): string {
  const chat = (n: number) => ({ id: `${prefix}-${n}`, messages: [{ role: "user", content: `${prefix} ${n}` }] });
  return Array.from({ length: count }, (_, n) => `${JSON.stringify(chat(n))}\n`).join("");
}

/** An export of one conversation with this many events. */
function exportLines(id: string, count: number): string {
  const recorded_at = "2026-01-01T00:00:00.000Z";
  const nobody = { actor: null, agent_id: null, run_id: null, parent_run_id: null, caused_by: null };
  const event = (seq: number) => ({
    id: `${id}-${seq}`,
    conversation_id: id,
    seq,
    type: "log",
    ...nobody,
    payload: { n: seq, text: "x".repeat(200) },
    occurred_at: recorded_at,
    recorded_at,
  });
  const header = { format: "obelus.conversation", version: 1, conversation: { id, last_seq: count } };
  return [header, ...Array.from({ length: count }, (_, n) => event(n + 1))]
    .map((one) => `${JSON.stringify(one)}\n`)
    .join("");
}
