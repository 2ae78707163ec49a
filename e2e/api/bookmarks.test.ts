import { describe, expect, it } from "vitest";
import { withServer } from "./server.ts";

const server = withServer();

const address = (id: string, seq?: number) => `/api/conversations/${id}/bookmarks${seq === undefined ? "" : `/${seq}`}`;
const put = (id: string, seq: number, note?: string) =>
  server.send("PUT", address(id, seq), note === undefined ? undefined : { note });
const marks = async (id: string) => (await server.get(address(id))).body.items;

async function record(id: string, count = 3): Promise<void> {
  await server.post(
    "/api/events",
    Array.from({ length: count }, (_, index) => ({
      conversation_id: id,
      type: "log",
      payload: { index },
      occurred_at: new Date(Date.UTC(2026, 0, 1, 10, index)).toISOString(),
    })),
  );
}

describe("C5: bookmarks with notes", () => {
  it("are set, changed and taken away, each by an event of the log", async () => {
    await record("kept");
    const { status, body } = await put("kept", 2, "  look here ");
    expect(status).toBe(200);
    expect(body).toMatchObject({ seq: 2, note: "look here", by: "operator:console", set_seq: 4 });
    await put("kept", 1);
    await put("kept", 2, "and there");
    expect(await marks("kept")).toMatchObject([
      { seq: 1, note: null },
      { seq: 2, note: "and there", set_seq: 6 },
    ]);
    expect((await server.send("DELETE", address("kept", 2))).status).toBe(204);
    expect(await marks("kept")).toMatchObject([{ seq: 1 }]);
    const { items } = (await server.get("/api/conversations/kept/events?after=3")).body;
    expect(items.map(({ type }: { type: string }) => type)).toEqual([
      "conversation.bookmarked",
      "conversation.bookmarked",
      "conversation.bookmarked",
      "conversation.unbookmarked",
    ]);
  });

  it("that stand so already, or are not there, write nothing", async () => {
    await record("same");
    await put("same", 2, "x");
    await put("same", 2, "x");
    await server.send("DELETE", address("same", 3));
    expect((await server.get("/api/conversations/same")).body.last_seq).toBe(4);
  });

  it("change neither the conversation's status nor its place in the list", async () => {
    await record("older");
    await server.post("/api/events", { conversation_id: "newer", type: "log", occurred_at: "2026-01-02T00:00:00Z" });
    const order = async () =>
      (await server.get("/api/conversations")).body.items
        .map(({ id }: { id: string }) => id)
        .filter((id: string) => id === "older" || id === "newer");
    const before = (await server.get("/api/conversations/older")).body;
    expect(await order()).toEqual(["newer", "older"]);
    await put("older", 1, "x");
    expect(await order()).toEqual(["newer", "older"]);
    const after = (await server.get("/api/conversations/older")).body;
    expect(after).toEqual({ ...before, event_count: 4, last_seq: 4 });
  });

  it("go along with an export and an import", async () => {
    await record("source");
    await put("source", 2, "заметка");
    const file = await (await fetch(`${server.url}/api/conversations/source/export`)).text();
    const target = file
      .replaceAll('"source"', '"target"')
      .replace(/"id":"[0-9a-f-]{36}"/g, (id) => `${id.slice(0, -1)}x"`);
    expect((await server.postRaw("/api/import", target, "application/x-ndjson")).status).toBe(201);
    expect(await marks("target")).toMatchObject([{ seq: 2, note: "заметка" }]);
  });

  it("of the steps that a fork brings along are in the fork, set before its step or after it", async () => {
    await record("forked", 2);
    await put("forked", 1, "early");
    await put("forked", 2, "late");
    const { status, body } = await server.post("/api/conversations/forked/fork", { at: 3 });
    expect(status).toBe(201);
    expect(await marks(body.id)).toMatchObject([
      { seq: 1, note: "early" },
      { seq: 2, note: "late" },
    ]);
    const earlier = await server.post("/api/conversations/forked/fork", { at: 1 });
    expect(await marks(earlier.body.id)).toMatchObject([{ seq: 1, note: "early" }]);
  });

  it.each([
    ["PUT", 4],
    ["DELETE", 4],
  ])("%s of a step that is not there is refused, naming the last", async (method, seq) => {
    await record(`short-${method}`);
    const { status, body } = await server.send(method, address(`short-${method}`, seq));
    expect([status, body.code]).toEqual([400, "out_of_range"]);
    expect(body.detail).toContain("0 to 3");
  });

  it("know no conversation that is not there, and no note over 2,000 characters", async () => {
    expect((await server.get(address("nobody"))).status).toBe(404);
    expect((await put("nobody", 1)).status).toBe(404);
    await record("long");
    expect((await put("long", 1, "x".repeat(2_001))).status).toBe(400);
  });
});
