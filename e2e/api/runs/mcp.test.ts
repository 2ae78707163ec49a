import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rawCall, withServer } from "../setup/server.ts";

const server = withServer();

/** The default limit of a result, and the size of its notes about cuts. */
const ROOM = 40_000;
const NOTES = 5_000;

const opened: Client[] = [];
let client: Client;

async function connect(mode: "auto" | "legacy"): Promise<Client> {
  const made = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await made.connect(new StreamableHTTPClientTransport(new URL("/api/mcp", server.url)));
  opened.push(made);
  return made;
}

/** The result of a tool: its JSON, its text, and whether it is an error. */
async function call(name: string, params: Record<string, unknown> = {}, by = client) {
  const { content, isError = false } = await by.callTool({ name, arguments: params });
  const [first, ...more] = content;
  if (first?.type !== "text" || more.length > 0) throw new Error("A tool answers one text");
  return { body: isError ? null : JSON.parse(first.text), text: first.text, isError };
}

const LONG = "lengthy ".repeat(2_500);
const EVENTS = 1_200;

beforeAll(async () => {
  const base = { conversation_id: "talk", run_id: "run", agent_id: "crm" };
  const confirmation = { confirmation_id: "ask", key: "k", action: { method: "crm.deal.update", params: { a: 1 } } };
  const answers = [
    await server.post("/api/events", [
      { conversation_id: "talk", type: "conversation.created", payload: { title: "Tulips", user_id: "anna" } },
      {
        conversation_id: "talk",
        type: "message.created",
        payload: { message_id: "m1", role: "user", content: "Where is my parcel of tulips?" },
      },
      { ...base, type: "run.started", payload: {} },
      { ...base, type: "call.started", payload: { call_id: "get", tool: "parcel.get", params: { id: 7 } } },
      { ...base, type: "call.succeeded", payload: { call_id: "get", tool: "parcel.get", output: { at: "Riga" } } },
      { ...base, type: "state.written", payload: { path: "†state.parcel.at", value: "Riga", call_id: "get" } },
      { ...base, type: "confirmation.requested", payload: { ...confirmation, description: "Send it again" } },
    ]),
    ...(await Promise.all(
      Array.from({ length: EVENTS / 100 }, (_, page) =>
        server.post(
          "/api/events",
          Array.from({ length: 100 }, (_, n) => ({
            conversation_id: "huge",
            type: "message.created",
            payload: { message_id: `${page}-${n}`, role: "user", content: `${page}-${n} ${LONG}` },
          })),
        ),
      ),
    )),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
  client = await connect("auto");
});

afterAll(() => Promise.all(opened.map((each) => each.close())));

describe("MCP: an assistant connects", () => {
  it.each(["auto", "legacy"] as const)("and is offered tools that only read (%s)", async (mode) => {
    const connected = await connect(mode);
    expect(connected.getServerVersion()).toMatchObject({ name: "obelus" });
    expect(connected.getInstructions()).toContain("list_conversations");
    const { tools } = await connected.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual([
      "get_conversation",
      "get_events",
      "get_view",
      "list_confirmations",
      "list_conversations",
      "search",
      "search_conversation",
      "state_history",
    ]);
    for (const { annotations, inputSchema, description } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true });
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(description).toMatch(/\.$/);
    }
    const { body } = await call("get_conversation", { conversation_id: "talk" }, connected);
    expect(body.conversation).toMatchObject({ id: "talk", title: "Tulips" });
  });
});

describe("MCP: each tool returns what the API does", () => {
  it("list_conversations, filtered and page by page", async () => {
    const { body } = await call("list_conversations", { limit: 1 });
    expect(body.items).toHaveLength(1);
    const rest = await call("list_conversations", { limit: 1, cursor: body.next });
    const ids = [body, rest.body].flatMap(({ items }) => items.map(({ id }: { id: string }) => id));
    expect(ids.sort()).toEqual(["huge", "talk"]);
    const waiting = await call("list_conversations", { status: "waiting" });
    expect(waiting.body.items).toMatchObject([{ id: "talk", url: `${server.url}/conversations/talk` }]);
  });

  it("search, with the step and marked words", async () => {
    const { body } = await call("search", { q: "tulips parcel" });
    expect(body.items).toMatchObject([
      { id: "talk", hit: { seq: 2, text: expect.stringContaining("**parcel** of **tulips**") } },
    ]);
  });

  it("search_conversation", async () => {
    const { body } = await call("search_conversation", { conversation_id: "talk", q: "riga", where: "state" });
    expect(body.items).toMatchObject([{ seq: 6, type: "state.written", text: expect.stringContaining("**Riga**") }]);
  });

  it("get_conversation: its row and messages", async () => {
    const { body } = await call("get_conversation", { conversation_id: "talk" });
    expect(body).toMatchObject({
      conversation: { id: "talk", user_id: "anna", status: "waiting", last_seq: 7 },
      items: [{ seq: 2, role: "user", content: "Where is my parcel of tulips?" }],
      next: null,
    });
  });

  it("get_view, at the last step and at an earlier one", async () => {
    const { body } = await call("get_view", { conversation_id: "talk" });
    expect(body).toMatchObject({
      at: 7,
      status: "waiting",
      messages: [{ seq: 2 }],
      calls: [{ id: "get", tool: "parcel.get", status: "succeeded", output: { at: "Riga" } }],
      state: { "": { parcel: { at: "Riga" } } },
      confirmations: [{ id: "ask", action: { method: "crm.deal.update" } }],
    });
    expect(body).not.toHaveProperty("memory");
    const earlier = await call("get_view", { conversation_id: "talk", at: 4, parts: ["calls", "confirmations"] });
    expect(earlier.body).toMatchObject({ at: 4, last: 7, calls: [{ status: "running" }], confirmations: [] });
    expect(earlier.body).not.toHaveProperty("state");
  });

  it("get_events, after a step and by type", async () => {
    const { body } = await call("get_events", { conversation_id: "talk", after: 4, limit: 2 });
    expect(body).toMatchObject({ items: [{ seq: 5 }, { seq: 6, payload: { value: "Riga" } }], next: 6 });
    const started = await call("get_events", { conversation_id: "talk", type: "call.started" });
    expect(started.body).toMatchObject({ items: [{ seq: 4, payload: { params: { id: 7 } } }], next: null });
  });

  it("state_history", async () => {
    const { body } = await call("state_history", { conversation_id: "talk", path: "†state.parcel" });
    expect(body.items).toMatchObject([{ seq: 6, kind: "written", path: "†state.parcel.at", value: "Riga" }]);
  });

  it("list_confirmations: pending ones by default", async () => {
    const { body } = await call("list_confirmations");
    expect(body.items).toMatchObject([{ id: "ask", conversation_id: "talk", description: "Send it again" }]);
    expect((await call("list_confirmations", { status: "approved" })).body.items).toEqual([]);
  });

  it("conversations are resources, too", async () => {
    const { resources } = await client.listResources();
    expect(resources).toContainEqual(expect.objectContaining({ uri: "obelus://conversations/talk", name: "Tulips" }));
    const { contents } = await client.readResource({ uri: "obelus://conversations/talk" });
    expect(contents).toMatchObject([{ text: expect.stringContaining("Where is my parcel of tulips?") }]);
    await expect(client.readResource({ uri: "obelus://conversations/none" })).rejects.toThrow(
      "There is no conversation none.",
    );
  });
});

describe("MCP: errors can be corrected", () => {
  it.each(["get_conversation", "get_view", "get_events"])("%s of an unknown conversation", async (tool) => {
    const { isError, text } = await call(tool, { conversation_id: "none" });
    expect([isError, text]).toEqual([true, "There is no conversation none."]);
  });

  it.each([
    ["a step beyond the last", "get_view", { conversation_id: "talk", at: 99 }, /last step is 7|to 7|7/],
    ["a field that is missing", "get_view", {}, /conversation_id/],
    ["a field that is not known", "get_events", { conversation_id: "talk", before: 3 }, /before/],
    ["a limit that is too large", "list_conversations", { limit: 5_000 }, /limit.*200/],
    ["a path that is none", "state_history", { conversation_id: "talk", path: "a b" }, /\/path/],
    ["a cursor of another list", "list_conversations", { cursor: "x" }, /cursor/],
  ])("%s", async (_what, tool, params, sentence) => {
    const { isError, text } = await call(tool, params);
    expect(isError).toBe(true);
    expect(text).toMatch(sentence);
  });
});

describe("MCP: results are limited, whatever a session contains", () => {
  it("steps are shortened and pages shorter; `next` continues without a gap", async () => {
    const seqs: number[] = [];
    let after: number | null = 0;
    let pages = 0;
    while (after !== null && seqs.length < 200) {
      const { text, body }: Awaited<ReturnType<typeof call>> = await call("get_events", {
        conversation_id: "huge",
        after,
        limit: 100,
      });
      expect(text.length).toBeLessThan(ROOM + NOTES);
      expect(body.cut.places[0]).toMatchObject({ unit: "characters", of: expect.any(Number) });
      expect(body.cut.more).toContain("max_characters");
      seqs.push(...body.items.map(({ seq }: { seq: number }) => seq));
      after = body.next;
      pages += 1;
    }
    expect(seqs).toEqual(Array.from(seqs, (_, index) => index + 1));
    expect(pages).toBeGreaterThan(2);
  });

  it("a single step is complete", async () => {
    const { body } = await call("get_events", { conversation_id: "huge", after: 6, limit: 1 });
    // Its pages were posted concurrently, in any order.
    expect(body.items[0].payload.content).toMatch(/^\d+-6 /);
    expect(body.items[0].payload.content.endsWith(LONG)).toBe(true);
    expect(body).not.toHaveProperty("cut");
  });

  it.each(["get_view", "get_conversation", "search_conversation"])("%s", async (tool) => {
    const { text } = await call(tool, { conversation_id: "huge", ...(tool.startsWith("search") && { q: "lengthy" }) });
    expect(text.length).toBeLessThan(ROOM + NOTES);
  });

  it("a caller can set the limit", async () => {
    const { body } = await call("get_events", { conversation_id: "huge", limit: 10, max_characters: 400_000 });
    expect(body.items).toHaveLength(10);
    for (const { payload } of body.items) expect(payload.content.length).toBeGreaterThan(LONG.length);
  });
});

describe("MCP over HTTP: the rules of all requests apply", () => {
  const accept = "application/json, text/event-stream";

  it.each(["GET", "DELETE"])("%s is not possible: there are no sessions", async (method) => {
    const { status, headers } = await server.send(method, "/api/mcp", undefined, { accept });
    expect([status, headers.get("allow")]).toEqual([405, "OPTIONS, POST"]);
  });

  it("a foreign host and a foreign origin are refused", async () => {
    const headers = { accept, "content-type": "application/json" };
    expect(await rawCall(server.url, "POST", "/api/mcp", { ...headers, host: "evil.example" })).toMatchObject({
      status: 403,
      body: { code: "foreign_host" },
    });
    expect(await server.post("/api/mcp", {}, { accept, origin: "http://evil.example" })).toMatchObject({
      status: 403,
      body: { code: "foreign_origin" },
    });
  });

  it.each([
    ["what is no JSON", "{", -32_700, "not valid JSON"],
    ["what nests too deeply", "[".repeat(100) + "]".repeat(100), -32_600, "deeper than 64"],
    ["what is no message", "3", -32_600, "must be a JSON-RPC message"],
    [
      "more than a hundred messages",
      JSON.stringify(Array(101).fill({})),
      -32_600,
      "must have at most 100 messages; send",
    ],
  ])("%s is refused as JSON-RPC does", async (_what, text, code, sentence) => {
    const { status, body } = await server.postRaw("/api/mcp", text, "application/json");
    expect(status).toBe(400);
    expect(body).toMatchObject({ jsonrpc: "2.0", id: null, error: { code } });
    expect(body.error.message).toContain(sentence);
  });
});
