import { describe, expect, it } from "vitest";
import { withServer } from "../setup/server.ts";

const server = withServer();
const at = (agent: string, key: string) => `/api/agent-state/${encodeURIComponent(agent)}/${encodeURIComponent(key)}`;

describe("E12: agent state is written and read by version", () => {
  it("creates, returns, replaces and deletes any JSON value", async () => {
    const address = at("admin", "last_trace");
    expect((await server.get(address)).status).toBe(404);
    for (const [index, value] of [{ steps: [] }, null, 0, "text", [1, null]].entries()) {
      const { status, headers, body } = await server.send("PUT", address, value);
      expect([status, headers.get("etag"), body]).toEqual([index === 0 ? 201 : 200, `"${index + 1}"`, value]);
      const read = await server.get(address);
      expect([read.headers.get("etag"), read.body]).toEqual([`"${index + 1}"`, value]);
    }
    expect((await server.send("DELETE", address)).status).toBe(204);
    expect((await server.get(address)).status).toBe(404);
    expect((await server.send("DELETE", address)).status).toBe(404);
  });

  it("supports agents and keys with slashes, spaces and any script", async () => {
    await server.send("PUT", at("отдел/продаж", "план на день/1"), { ok: true });
    expect((await server.get(at("отдел/продаж", "план на день/1"))).body).toEqual({ ok: true });
    expect(
      (await server.get(`/api/agent-state?agent_id=${encodeURIComponent("отдел/продаж")}`)).body.items,
    ).toMatchObject([{ agent_id: "отдел/продаж", key: "план на день/1", version: 1 }]);
  });

  it("lists keys of an agent by prefix, page by page both ways", async () => {
    for (const key of ["a1", "a2", "a3", "b1"]) await server.send("PUT", at("lister", key), key);
    const first = (await server.get("/api/agent-state?agent_id=lister&prefix=a&limit=2")).body;
    expect(first.items.map((entry: { key: string }) => entry.key)).toEqual(["a1", "a2"]);
    expect(first.prev).toBeNull();
    const second = (await server.get(`/api/agent-state?agent_id=lister&prefix=a&limit=2&cursor=${first.next}`)).body;
    expect(second.items.map((entry: { key: string }) => entry.key)).toEqual(["a3"]);
    expect(second.next).toBeNull();
    const back = (await server.get(`/api/agent-state?agent_id=lister&prefix=a&limit=2&cursor=${second.prev}`)).body;
    expect(back.items).toEqual(first.items);
  });

  it("refuses a stale write with 412 and loses nothing", async () => {
    const address = at("writer", "draft");
    await server.send("PUT", address, 1);
    await server.send("PUT", address, 2, { "if-match": '"1"' });
    const stale = await server.send("PUT", address, 3, { "if-match": '"1"' });
    expect(stale).toMatchObject({ status: 412, body: { code: "stale" } });
    expect(stale.body.detail).toContain("version 2");
    expect((await server.send("DELETE", address, undefined, { "if-match": '"1"' })).status).toBe(412);
    expect((await server.get(address)).body).toBe(2);
  });

  it("supports lists, * and weak tags as HTTP requires", async () => {
    const address = at("http", "rules");
    const put = async (headers: Record<string, string>) => (await server.send("PUT", address, "v", headers)).status;
    expect(await put({ "if-match": "*" })).toBe(412);
    expect(await put({ "if-match": '"1"' })).toBe(412);
    expect(await put({ "if-none-match": "*" })).toBe(201);
    expect(await put({ "if-none-match": "*" })).toBe(412);
    expect(await put({ "if-match": "*" })).toBe(200);
    expect(await put({ "if-match": '"1", "2"' })).toBe(200);
    expect(await put({ "if-match": 'W/"3"' })).toBe(412);
    expect(await put({ "if-match": '"03", "x"' })).toBe(412);
    expect(await put({ "if-match": "3" })).toBe(400);
    expect(await put({ "if-none-match": '"3"' })).toBe(400);
    expect(await put({ "if-match": '"3"', "if-none-match": "*" })).toBe(400);
    expect((await server.get(address, { "if-none-match": '"1", W/"3"' })).status).toBe(304);
    expect((await server.get(address, { "if-none-match": "*" })).status).toBe(304);
    expect((await server.get(address, { "if-none-match": '"2"' })).status).toBe(200);
  });

  it("continues from any posted version", async () => {
    const address = at("far", "k");
    const tell = (version: number) =>
      server.post("/api/events", {
        ...{ conversation_id: "far", type: "agent_state.written" },
        payload: { agent_id: "far", key: "k", value: version, version },
      });
    for (const version of [1e12 + 1, Number.MAX_SAFE_INTEGER, 1e300])
      expect([version, (await tell(version)).status]).toEqual([version, 400]);
    expect((await tell(1e12)).status).toBe(201);
    expect((await server.send("PUT", address, "own", { "if-match": `"${1e12}"` })).headers.get("etag")).toBe(
      `"${1e12 + 1}"`,
    );
    expect((await tell(7)).status).toBe(201);
    expect((await server.send("PUT", address, "own again")).headers.get("etag")).toBe(`"${1e12 + 2}"`);
    expect((await server.get(address)).body).toBe("own again");
  });

  it("never reuses a version, so that a tag from before a deletion stays stale", async () => {
    const address = at("phoenix", "key");
    await server.send("PUT", address, "first");
    await server.send("DELETE", address);
    const again = await server.send("PUT", address, "second", { "if-none-match": "*" });
    expect(again.status).toBe(201);
    expect(again.headers.get("etag")).not.toBe('"1"');
    expect((await server.send("PUT", address, "third", { "if-match": '"1"' })).status).toBe(412);
  });

  it("lets one of many concurrent writers with the same version win", async () => {
    const address = at("counter", "n");
    await server.send("PUT", address, 0);
    const increment = async (): Promise<void> => {
      const { body, headers } = await server.get(address);
      const reply = await server.send("PUT", address, body + 1, { "if-match": headers.get("etag") ?? "" });
      if (reply.status === 412) return increment();
      expect(reply.status).toBe(200);
    };
    await Promise.all(Array.from({ length: 12 }, increment));
    expect((await server.get(address)).body).toBe(12);
    const created = await Promise.all(
      Array.from({ length: 8 }, (_, n) => server.send("PUT", at("counter", "race"), n, { "if-none-match": "*" })),
    );
    expect(created.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it("has the author", async () => {
    const address = at("told", "k");
    await server.send("PUT", address, 1);
    await server.send("DELETE", address);
    const { body } = await server.get(`${address}/history`);
    expect(body.items.map(({ actor }: { actor: string }) => actor)).toEqual(["operator:console", "operator:console"]);
  });

  it("writes each change to the log", async () => {
    const before = await server.post("/api/events", { conversation_id: "marker", type: "log" });
    await server.send("PUT", at("logged", "k"), { a: 1 });
    const response = await fetch(`${server.url}/api/stream?after=${before.body.events[0].position}`);
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += new TextDecoder().decode(chunk);
      if (text.includes("agent_state.written")) break;
    }
    expect(text).toContain('"payload":{"agent_id":"logged","key":"k","value":{"a":1},"version":1}');
  });
});

describe("C8: a key has a history", () => {
  const address = at("historian", "plan/today");

  it("returns its versions, newest first, in pages, and each value by version", async () => {
    expect((await server.get(`${address}/history`)).status).toBe(404);
    for (const value of [{ a: 1 }, null, "three"]) await server.send("PUT", address, value);
    await server.send("DELETE", address);
    const first = (await server.get(`${address}/history?limit=3`)).body;
    expect(first.items).toMatchObject([
      { version: 4, deleted: true, actor: "operator:console", caused_by: null, conversation_id: null },
      { version: 3, deleted: false },
      { version: 2, deleted: false },
    ]);
    const second = (await server.get(`${address}/history?limit=3&cursor=${first.next}`)).body;
    expect([second.items.map(({ version }: { version: number }) => version), second.next]).toEqual([[1], null]);
    expect((await server.get(`${address}/history?limit=3&cursor=${second.prev}`)).body.items).toEqual(first.items);
    for (const [index, value] of [{ a: 1 }, null, "three"].entries()) {
      const { status, headers, body } = await server.get(`${address}/history/${index + 1}`);
      expect([status, headers.get("etag"), body]).toEqual([200, `"${index + 1}"`, value]);
    }
  });

  it("has the cause of a version: the event, and its conversation", async () => {
    const written = { agent_id: "reporter", key: "last_trace", value: { steps: [] } };
    await server.post("/api/events", [
      { id: "why", conversation_id: "talk", type: "log" },
      { conversation_id: "notes", type: "agent_state.written", payload: written, actor: "agent:x", caused_by: "why" },
    ]);
    const { items } = (await server.get(`${at("reporter", "last_trace")}/history`)).body;
    expect(items).toMatchObject([{ version: 1, actor: "agent:x", caused_by: "why", conversation_id: "notes" }]);
  });

  it.each([
    ["4", 404, "was deleted with version 4"],
    ["5", 404, "has no version 5"],
    ["0", 400, "/version must be at least 1"],
    ["x", 400, "/version must be a whole number"],
  ])("has no value at version %s", async (version, status, sentence) => {
    const reply = await server.get(`${address}/history/${version}`);
    expect(reply.status).toBe(status);
    expect(reply.body.detail).toContain(sentence);
  });
});
