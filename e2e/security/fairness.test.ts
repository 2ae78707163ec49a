import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { rawSend, wireOf } from "../api/setup/raw-http.ts";
import { type Reply, withServer } from "../api/setup/server.ts";

const REQUESTS = 6;
const server = withServer({ OBELUS_REQUESTS_PER_CLIENT: String(REQUESTS), OBELUS_BODY_SECONDS: "1" });

const JSON_TYPE = "application/json";

describe("Security: the cost of work is checked first", () => {
  it("expensive validation yields to other requests, or has a timeout", async () => {
    const hostile = { items: { pattern: "(a+)+$" } };
    const value = Array(50).fill(`${"a".repeat(40)}!`);
    const plan = [{ _tool: "t", a: value }];
    const tools = [{ name: "t", schema: { type: "object", properties: { a: hostile } } }];
    const { status, body } = await server.post("/api/plans/validate", { plan, tools });
    expect([status, body.ok]).toEqual([200, false]);
    expect(JSON.stringify(body.problems)).toContain("could not be checked");
    const wrong = [{ name: "t", schema: { type: "object", properties: { a: { items: { const: 0 } } } } }];
    const many = await server.post("/api/plans/validate", {
      plan: [{ _tool: "t", a: Array(50_000).fill(1) }],
      tools: wrong,
    });
    expect(many.body.problems.length).toBeLessThanOrEqual(20);
  });

  it("the tools of a request are limited in size", async () => {
    const schema = {
      type: "object",
      properties: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`p${n}`, { type: "string" }])),
    };
    const tools = Array.from({ length: 400 }, (_, n) => ({ name: `t${n}`, schema }));
    const { status, body } = await server.post("/api/plans/validate", { plan: [], tools });
    expect([status, body.errors]).toEqual([400, [{ path: "/tools", message: "must have at most 10000 parts" }]]);
    expect((await server.post("/api/plans/validate", { plan: [], tools: tools.slice(0, 40) })).status).toBe(200);
    const pattern = "\\p{L}".repeat(400);
    const long = [{ name: "t", schema: { type: "object", properties: { a: { type: "string", pattern } } } }];
    const one = await server.post("/api/plans/validate", { plan: [], tools: long });
    expect([one.status, one.body.errors]).toEqual([
      400,
      [{ path: "/tools/0/schema", message: "must have at most 1500 parts" }],
    ]);
  });

  it("up to twenty errors are collected, in a list of hundreds of thousands", async () => {
    const plan = `{"plan":[${"1,".repeat(200_000)}1]}`;
    const { status, body } = await server.postRaw("/api/plans/validate", plan, JSON_TYPE);
    expect([status, body.errors.length]).toEqual([400, 20]);
    const more = await server.postRaw("/api/plans/validate", `{"plan":[${"1,".repeat(2_000_000)}1]}`, JSON_TYPE);
    expect([more.status, more.body.code]).toEqual([413, "too_many"]);
    const tools = `{"plan":[],"tools":[${"{},".repeat(200_000)}{}]}`;
    expect((await server.postRaw("/api/plans/validate", tools, JSON_TYPE)).body.errors).toHaveLength(20);
  });

  it("a state doubled by an AG-UI stream is limited to 5 MB", async () => {
    const lines = [
      { type: "RUN_STARTED", threadId: "doubled", runId: "r" },
      { type: "STATE_SNAPSHOT", snapshot: { a: ["x".repeat(1_000)] } },
      { type: "STATE_DELTA", delta: Array(27).fill({ op: "copy", from: "/a", path: "/a/-" }) },
    ].map((event) => JSON.stringify(event));
    const { status, body } = await server.postRaw("/api/ag-ui", lines.join("\n"), "application/x-ndjson");
    expect([status, body.code]).toEqual([400, "invalid_input"]);
    expect(body.detail).toMatch(/Line 3: .*(copy|larger than 5 MB)/);
  });

  it("an import of empty lines is refused, compressed or not", async () => {
    const blank = Buffer.alloc(20_000_000, "\n");
    const packed = await server.postRaw("/api/import", new Uint8Array(gzipSync(blank)), "application/octet-stream");
    expect([packed.status, packed.body.code]).toEqual([413, "too_large"]);
  });

  it("a page of large events or messages is shorter, and has the next cursor", async () => {
    const events = Array.from({ length: 3 }, (_, n) => ({
      ...{ conversation_id: "large", type: "message.created" },
      payload: { message_id: `m${n}`, role: "user", content: "word ".repeat(130_000) },
    }));
    expect((await server.post("/api/events", events)).status).toBe(201);
    const pages = async (path: string) => {
      const sizes: number[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const { body }: Reply = await server.get(`/api/conversations/large/${path}${cursor && `&cursor=${cursor}`}`);
        sizes.push(body.items.length);
        cursor = body.next;
      }
      return sizes;
    };
    expect(await pages("events?limit=1000")).toEqual([2, 1]);
    expect(await pages("events?limit=1000&type=message.created")).toEqual([2, 1]);
    expect(await pages("messages?limit=200")).toEqual([2, 1]);
    const { body } = await server.get("/api/conversations/large/export");
    expect(body.split("\n").filter((line: string) => line !== "")).toHaveLength(4);
  });

  it("a run starts and cancels calls in parts, and has at most 10,000", async () => {
    const run = (calls: number) =>
      server.post("/api/plans/run", { plan: apartOf(calls), tools: TOOLS, mode: "confirm" });
    const { status, body } = await run(1_500);
    expect(status).toBe(202);
    const path = `/api/conversations/${body.conversation_id}`;
    await expect.poll(async () => (await server.get(path)).body.status).toBe("waiting");
    expect((await server.post(`/api/runs/${body.run_id}/cancel`, {})).status).toBe(202);
    // The events of a step have the same time.
    const told = new Map<string, number>();
    for (let cursor: string | null = "0"; cursor !== null; ) {
      const { body: page }: Reply = await server.get(`${path}/events?limit=1000&cursor=${cursor}`);
      for (const { recorded_at } of page.items) told.set(recorded_at, (told.get(recorded_at) ?? 0) + 1);
      cursor = page.next;
    }
    expect(Math.max(...told.values())).toBeLessThan(1_100);
    const tooLong = await run(10_001);
    expect([tooLong.status, tooLong.body.errors[0].path]).toEqual([400, "/plan"]);
  });

  it("a transcript with expensive Markdown shows it as plain text", async () => {
    const texts = ["*a **b ".repeat(5_000), ">".repeat(40_000), "]".repeat(16_000), "**short**"];
    const events = texts.map((content, n) => ({
      ...{ conversation_id: "marks", type: "message.created" },
      payload: { message_id: `m${n}`, role: "assistant", content },
    }));
    expect((await server.post("/api/events", events)).status).toBe(201);
    const { status, body } = await server.get("/conversations/marks/transcript");
    expect(status).toBe(200);
    expect(body).toContain("*a **b *a **b");
    expect(body).toContain("<strong>short</strong>");
  });
});

/** Calls that each read the previous one's result, in one or two ways. */
const chainOf = (length: number, ways: readonly string[]) =>
  Array.from({ length }, (_, n) => {
    const paths = (at: number) => ways.map((way) => `†state.${way}${at}`).join(" || ");
    return { _tool: "t", _id: `c${n}`, _outputPath: paths(n), ...(n > 0 && { a: paths(n - 1) }) };
  });
const TOOLS = [{ name: "t", schema: { type: "object", properties: { a: {}, _output: { type: "string" } } } }];
const apartOf = (length: number) => Array.from({ length }, (_, n) => ({ _tool: "t", _id: `c${n}` }));
const said = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ role: n % 2 ? "assistant" : "user", content: "words ".repeat(50) }));
const chats = [...Array(200).fill(20), 3_000]
  .map((count, n) => JSON.stringify({ id: `chat-${n}`, messages: said(count) }))
  .join("\n");
const plan = (act: string, calls: object[]) => () => server.post(`/api/plans/${act}`, { plan: calls, tools: TOOLS });

describe("Security: others are served while an expensive request runs", () => {
  it.each([
    ["a chain of 15,000 calls is checked", plan("validate", chainOf(15_000, ["x"]))],
    ["6,000 calls with two ways each are checked", plan("validate", chainOf(6_000, ["x", "y"]))],
    ["a chain of 1,500 calls is simulated", plan("simulate", chainOf(1_500, ["x"]))],
    ["7,000 messages are imported", () => server.postRaw("/api/import", chats, "application/x-ndjson")],
    ["all of them are read", () => server.get("/api/export")],
    ["3,000 of them are printed", () => server.get("/conversations/chat-200/transcript")],
  ])("%s", async (_, act) => {
    const answered: string[] = [];
    const neighbour = act().then(({ status }: { status: number }) => {
      answered.push("neighbour");
      return status;
    });
    for (let n = 0; n < 3; n++) {
      expect((await server.get("/api/health")).status).toBe(200);
      const event = { conversation_id: "probe", type: "log", payload: {} };
      expect((await server.post("/api/events", event)).status).toBe(201);
      answered.push("probe");
    }
    expect(await neighbour).toBeLessThan(300);
    expect(answered).toEqual([...Array(3).fill("probe"), "neighbour"]);
  });
});

describe("Security: open requests are limited", () => {
  const HEADERS = [
    ["host", "localhost"],
    ["transfer-encoding", "chunked"],
  ] as const;
  const port = () => Number(new URL(server.url).port);
  /** A body with only one byte. */
  const endless = (path: string, type = JSON_TYPE) =>
    wireOf({ method: "POST", path, headers: [...HEADERS, ["content-type", type]] }, Buffer.from("1\r\n{\r\n"));

  it("requests whose bodies never end use their client's slots, and time out", async () => {
    const slow = Array.from({ length: 3 * REQUESTS }, () => rawSend(port(), endless("/api/events"), true));
    // Health checks are still answered.
    expect((await server.get("/api/health")).status).toBe(200);
    const answers = await Promise.all(slow);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([408, 429]));
    expect(answers.find(({ status }) => status === 429)?.head).toMatch(/retry-after: 1/i);
    await expect.poll(async () => (await server.get("/api/prices")).status).toBe(200);
  });

  it("an import may take longer", async () => {
    let isGivenUp = false;
    // It lasts until the server ends.
    void rawSend(port(), endless("/api/import", "application/x-ndjson"), true)
      .catch(() => undefined)
      .then(() => {
        isGivenUp = true;
      });
    expect((await rawSend(port(), endless("/api/events"), true)).status).toBe(408);
    expect(isGivenUp).toBe(false);
  });
});
