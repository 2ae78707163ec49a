import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { addPeople, type Credentials, signIn } from "../setup/people.ts";
import { type Reply, withServer } from "../setup/server.ts";

let people: Awaited<ReturnType<typeof addPeople>>;
const server = withServer(
  { OBELUS_AUTH: "1", OBELUS_HTTP_TOOL_HOSTS: "127.0.0.1" },
  {
    prepare: async (dataDir) => {
      people = await addPeople(dataDir);
    },
  },
);

const SAID = "what-a-person-said";
const SECRET = "a-header-that-is-secret";

const as = (name: "viewer" | "operator" | "admin" | "ingest" | "decide") => {
  const credentials = people.get(name) ?? {};
  return {
    get: (path: string) => server.get(path, credentials),
    post: (path: string, value?: unknown) => server.send("POST", path, value, credentials),
    put: (path: string, value: unknown) => server.send("PUT", path, value, credentials),
    delete: (path: string) => server.send("DELETE", path, undefined, credentials),
  };
};

interface Entry {
  id: number;
  action: string;
  actor: string;
  target: string | null;
  before: object | null;
  after: Record<string, unknown> | null;
}

/** The entries of an action, oldest first. */
async function entriesOf(action: string, filters = ""): Promise<Entry[]> {
  const { status, body } = await as("admin").get(`/api/audit?action=${action}&limit=200${filters}`);
  expect(status).toBe(200);
  return body.items.toReversed();
}

const confirmation = (id: string, conversation_id = "asked") => ({
  ...{ conversation_id, run_id: `run-of-${id}`, agent_id: "crm", type: "confirmation.requested" },
  payload: { confirmation_id: id, key: id, action: { method: "deal.update", params: { note: SAID } } },
});
const approval = (id: string) => ({
  ...{ id: `approval-${id}`, conversation_id: "asked", run_id: `run-of-${id}`, actor: "operator:anna" },
  ...{ type: "confirmation.approved", payload: { confirmation_id: id } },
});

/** A key created by an administrator. */
async function keyOf(name: string, scopes: string[]): Promise<Credentials> {
  const { status, body } = await as("admin").post("/api/keys", { name, scopes });
  expect(status).toBe(201);
  return { authorization: `Bearer ${body.key}` };
}

const ok = (...replies: Reply[]) => expect(replies.map(({ status }) => status < 300)).toEqual(replies.map(() => true));

beforeAll(async () => {
  await signIn(server.url, people);
  ok(
    await as("ingest").post(
      "/api/events",
      ["a", "b", "c", "d", "e", "f"].map((id) => confirmation(id)),
    ),
  );
});

describe("Security: decisions are audited with who made them", () => {
  it("one entry each, also of several at once; none for a repeated one", async () => {
    const { post } = as("operator");
    ok(await post("/api/confirmations/a/decision", { decision: "approve", reason: SAID }));
    ok(await post("/api/confirmations/a/decision", { decision: "approve" }));
    expect((await post("/api/confirmations/a/decision", { decision: "deny" })).status).toBe(409);
    ok(await as("admin").post("/api/confirmations/decisions", { ids: ["a", "b", "c", "unknown"], decision: "deny" }));
    ok(await as("decide").post("/api/confirmations/d/decision", { decision: "deny" }));
    const entries = await entriesOf("confirmation.decided");
    const of = (id: string, actor: string, status: string) => ({
      ...{ actor, target: `confirmation:${id}`, before: { status: "requested" } },
      after: { status, conversation_id: "asked", method: "deal.update", edited: false },
    });
    expect(entries).toHaveLength(4);
    expect(entries).toMatchObject([
      of("a", "operator:operator", "approved"),
      ...entries.slice(1, 3).map(({ target }) => of(target?.slice(-1) ?? "", "operator:admin", "denied")),
      of("d", "key:decide", "denied"),
    ]);
    const decided = (await as("admin").get("/api/confirmations?conversation_id=asked")).body.items;
    expect(decided.find(({ id }: { id: string }) => id === "d")).toMatchObject({ decided_by: "key:decide" });
  });

  it("an event with a decision requires a key that may decide, and the audit log has the sender", async () => {
    expect((await as("ingest").post("/api/events", [confirmation("never"), approval("e")])).status).toBe(403);
    const taken = { conversation_id: "asked", type: "conversation.taken_over", payload: {}, actor: "operator:anna" };
    expect((await as("ingest").post("/api/events", taken)).status).toBe(403);
    const waiting = (await as("admin").get("/api/confirmations?status=requested")).body.items;
    expect(waiting.map(({ id }: { id: string }) => id)).toEqual(["e", "f"]);
    const both = await keyOf("relay", ["ingest", "decide"]);
    for (const _ of ["sent", "sent again"]) ok(await server.post("/api/events", approval("e"), both));
    expect(await entriesOf("confirmation.decided", "&target=confirmation:e")).toMatchObject([
      { actor: "key:relay", after: { status: "approved", conversation_id: "asked", told_of: "operator:anna" } },
    ]);
  });

  it("also over MCP, for keys that may read and decide", async () => {
    const connect = async (credentials: Credentials) => {
      const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
      const address = new URL("/api/mcp", server.url);
      await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers: credentials } }));
      return client;
    };
    const reads = await connect(people.get("read") ?? {});
    const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
    expect(await namesOf(reads)).not.toContain("decide_confirmation");
    const refused = await reads
      .callTool({
        name: "decide_confirmation",
        arguments: { confirmation_id: "f", requested_seq: 6, decision: "approve" },
      })
      .catch(() => ({ isError: true }));
    expect(refused.isError).toBe(true);
    const decides = await connect(await keyOf("assistant", ["read", "decide"]));
    const tool = (await decides.listTools()).tools.find(({ name }) => name === "decide_confirmation");
    expect(tool?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(decides.getInstructions()).toContain("decide_confirmation");
    const [{ requested_seq }] = (await as("admin").get("/api/confirmations?status=requested")).body.items;
    const decision = { confirmation_id: "f", requested_seq, decision: "deny", reason: SAID };
    const { content } = await decides.callTool({ name: "decide_confirmation", arguments: decision });
    expect(content).toMatchObject([{ text: expect.stringContaining('"status":"denied"') }]);
    expect(await entriesOf("confirmation.decided", "&actor=key:assistant")).toMatchObject([
      { target: "confirmation:f", after: { status: "denied" } },
    ]);
    await Promise.all([reads.close(), decides.close()]);
  });
});

describe("Security: actions on conversations and runs are audited", () => {
  it("views of the list: everybody keeps private ones, who may operate shares them, administrators look after those", async () => {
    const view = { name: "Costly", query: "sort=cost" };
    const mine = await as("viewer").post("/api/views", view);
    expect(mine).toMatchObject({ status: 201, body: { ...view, owner: "operator:viewer", shared: false } });
    expect(await as("viewer").post("/api/views", view)).toMatchObject({ status: 409 });
    const path = `/api/views/${mine.body.id}`;
    expect(await as("viewer").put(path, { ...view, shared: true })).toMatchObject({ status: 403 });
    for (const name of ["operator", "admin"] as const) {
      expect(await as(name).put(path, { ...view, shared: false })).toMatchObject({ status: 404 });
      expect(await as(name).delete(path)).toMatchObject({ status: 404 });
      expect((await as(name).get("/api/views")).body).toEqual({ items: [], me: `operator:${name}` });
    }
    const shared = await as("operator").post("/api/views", { ...view, shared: true });
    const other = `/api/views/${shared.body.id}`;
    expect((await as("viewer").get("/api/views")).body.items).toHaveLength(2);
    expect(await as("viewer").delete(other)).toMatchObject({ status: 403 });
    const renamed = { ...view, name: "Dear", shared: true };
    expect(await as("admin").put(other, renamed)).toMatchObject({
      status: 200,
      body: { ...renamed, owner: "operator:operator" },
    });
    expect(await as("admin").delete(other)).toMatchObject({ status: 204 });
    expect(await entriesOf("view.saved")).toMatchObject([
      { actor: "operator:viewer", after: { name: "Costly", shared: false } },
      { actor: "operator:operator", after: { shared: true } },
    ]);
    expect(await entriesOf("view.changed")).toMatchObject([
      { actor: "operator:admin", before: { name: "Costly" }, after: { name: "Dear", query: false } },
    ]);
    expect(await entriesOf("view.deleted")).toMatchObject([{ actor: "operator:admin", before: { name: "Dear" } }]);
  });

  it("takeovers, once", async () => {
    const { post } = as("operator");
    for (const way of ["takeover", "takeover", "handback"])
      ok(await post(`/api/conversations/asked/${way}`, { reason: SAID }));
    const by = { actor: "operator:operator", target: "conversation:asked" };
    expect(await entriesOf("conversation.taken_over")).toMatchObject([by]);
    expect(await entriesOf("conversation.handed_back")).toMatchObject([by]);
    const events = (await as("admin").get("/api/conversations/asked/events?type=conversation.taken_over")).body.items;
    expect(events).toMatchObject([{ actor: "operator:operator" }]);
  });

  it("forks and their runs; none for a failed one", async () => {
    const { post } = as("operator");
    const edits = [{ path: "†state.sum", value: SAID }];
    const plan = [{ _tool: "crm.deal.get", _id: "get", id: "1" }];
    const fork = await post("/api/conversations/asked/fork", { at: 2, edits, plan });
    expect((await post("/api/conversations/asked/fork", { at: 9_999 })).status).toBe(400);
    const run = await post(`/api/conversations/${fork.body.id}/fork/run`, { mode: "confirm" });
    ok(fork, run, await post(`/api/conversations/${fork.body.id}/fork/mode`, { mode: "shadow" }));
    expect(await entriesOf("conversation.forked")).toMatchObject([
      {
        target: "conversation:asked",
        after: { conversation_id: fork.body.id, at: 2, paths: ["†state.sum"], plan: true, mode: "shadow" },
      },
    ]);
    expect(await entriesOf("fork.mode_changed")).toMatchObject([
      { target: `conversation:${fork.body.id}`, after: { mode: "shadow" } },
    ]);
    expect(await entriesOf("fork.run")).toMatchObject([
      { target: `run:${run.body.run_id}`, after: { conversation_id: fork.body.id, mode: "confirm" } },
    ]);
  });

  it("runs of plans, cancellations", async () => {
    const { post } = as("operator");
    const plan = [{ _tool: "crm.deal.get", _id: "get", id: "1" }];
    const { body } = await post("/api/plans/run", { plan, mode: "confirm" });
    ok(await post(`/api/runs/${body.run_id}/cancel`));
    expect((await post(`/api/runs/${body.run_id}/resume`, { calls: [{ call_id: "none" }] })).status).toBe(409);
    const after = { conversation_id: body.conversation_id };
    expect(await entriesOf("plan.run")).toMatchObject([
      { target: `run:${body.run_id}`, after: { ...after, calls: 1 } },
    ]);
    expect(await entriesOf("run.cancelled")).toMatchObject([{ target: `run:${body.run_id}`, after }]);
    expect(await entriesOf("run.resumed")).toEqual([]);
  });
});

describe("Security: writes are audited by what changed, never with content", () => {
  it("agent state written by people, by version; writes of programs are in the log only", async () => {
    const address = "/api/agent-state/crm/note";
    ok(await as("ingest").put(address, SAID), await as("operator").put(address, [SAID]));
    ok(await as("operator").delete(address));
    const target = "agent_state:crm/note";
    expect(await entriesOf("agent_state.written")).toMatchObject([
      { target, actor: "operator:operator", before: { version: 1 }, after: { version: 2 } },
    ]);
    expect(await entriesOf("agent_state.deleted")).toMatchObject([
      { target, before: { version: 2 }, after: { version: 3, deleted: true } },
    ]);
  });

  it("agents, tools and delegates by their fields, without secrets", async () => {
    const { put, post } = as("admin");
    const agent = { instructions: `Be kind. ${SAID}`, mode: "shadow" };
    ok(await put("/api/agents/kind", agent), await put("/api/agents/kind", { ...agent, mode: "full" }));
    const [made, changed] = await entriesOf("agent.written");
    expect(made).toMatchObject({ target: "agent:kind", before: null, after: { mode: "shadow", version: 1 } });
    expect(changed).toMatchObject({ before: { mode: "shadow", version: 1 }, after: { mode: "full", version: 2 } });
    expect(Object.keys(changed?.after ?? {})).not.toContain("instructions");
    const activity = { type: "http", url: `http://127.0.0.1:9/pay?token=${SECRET}`, headers: { "x-key": SECRET } };
    ok(await post("/api/tools", { name: "pay", schema: { type: "object" }, activity }));
    expect(await entriesOf("tool.registered")).toMatchObject([
      {
        target: "tool:pay",
        after: { address: "http://127.0.0.1:9/pay", headers: ["x-key"], requires_confirmation: false },
      },
    ]);
    const delegate = { name: "helper", plan: [{ _tool: "crm.deal.get", _id: "get", id: "1" }] };
    ok(await post("/api/delegates", delegate), await post("/api/delegates", { ...delegate, strict: true }));
    const [, again] = await entriesOf("delegate.registered");
    expect(again).toMatchObject({ target: "delegate:helper", before: { strict: false }, after: { strict: true } });
  });

  it("exports and imports by their numbers; none for one that imported nothing", async () => {
    const { get } = as("operator");
    const one = await get("/api/conversations/asked/export");
    ok(one, await get("/api/export?agent_id=crm"), await get(`/api/export?q=${SAID}`));
    // Takeovers and decisions require the permission to decide.
    const mover = await keyOf("mover", ["ingest", "decide"]);
    const send = (query: string) =>
      fetch(`${server.url}/api/import${query}`, {
        ...{ method: "POST", body: one.body },
        headers: { ...mover, "content-type": "application/x-ndjson" },
      });
    expect((await send("")).status).toBe(200);
    const { conversations } = await (await send("?as=copy")).json();
    const events = one.body.trim().split("\n").length - 1;
    expect(await entriesOf("conversation.exported")).toMatchObject([
      { target: "conversation:asked", after: { events } },
    ]);
    expect(await entriesOf("conversations.exported")).toMatchObject([
      { target: null, after: { agent_id: "crm", conversations: expect.any(Number) } },
      { target: null, after: { searched: true } },
    ]);
    // A copy records its origin.
    expect(await entriesOf("conversations.imported")).toMatchObject([
      {
        actor: "key:mover",
        target: `conversation:${conversations[0].conversation_id}`,
        after: { conversations: 1, events: events + 1 },
      },
    ]);
  });
});

describe("Security: only administrators read the audit log, and exporting it is audited", () => {
  it("as NDJSON, all matching entries", async () => {
    const listed = await entriesOf("confirmation.decided");
    const { headers, body } = await as("admin").get("/api/audit/export?action=confirmation.decided");
    expect(headers.get("content-type")).toBe("application/x-ndjson");
    expect(headers.get("content-disposition")).toContain(".ndjson");
    const lines = body
      .trim()
      .split("\n")
      .map((line: string) => JSON.parse(line));
    expect(lines.toReversed()).toEqual(listed);
    expect(await entriesOf("audit.exported")).toMatchObject([
      { actor: "operator:admin", after: { action: "confirmation.decided" } },
    ]);
  });

  it("in pages, with request and address of each, without content", async () => {
    const first = (await as("admin").get("/api/audit?limit=3")).body;
    const second = (await as("admin").get(`/api/audit?limit=3&cursor=${first.next}`)).body;
    const ids = [...first.items, ...second.items].map(({ id }: Entry) => id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect(first.items[0]).toMatchObject({
      address: "127.0.0.1",
      request_id: expect.stringMatching(/./),
      erased: false,
    });
    const all = (await as("admin").get("/api/audit/export")).body;
    expect(all).toContain("conversation.forked");
    for (const text of [SAID, SECRET]) expect(all).not.toContain(text);
    expect((await as("admin").get("/api/audit?action=nonsense")).status).toBe(400);
    expect((await as("operator").get("/api/audit")).status).toBe(403);
  });
});
