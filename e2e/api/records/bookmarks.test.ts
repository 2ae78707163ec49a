import { describe, expect, it } from "vitest";
import { withoutTotals, withServer } from "../setup/server.ts";

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

const events = async (id: string) => (await server.get(`/api/conversations/${id}/events`)).body.items;
const fileOf = async (id: string) => (await fetch(`${server.url}/api/conversations/${id}/export`)).text();
const linesOf = (file: string) =>
  file
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
const importFile = (file: string, query = "") => server.postRaw(`/api/import${query}`, file, "application/x-ndjson");
/** The same export with a new conversation id. */
const renamed = (file: string, from: string, to: string) =>
  file.replaceAll(`"${from}"`, `"${to}"`).replace(/"id":"[0-9a-f-]{36}"/g, (id) => `${id.slice(0, -1)}${to}"`);

describe("C5: bookmarks with notes", () => {
  it("are set, changed and deleted without a step in the session", async () => {
    await record("kept");
    const before = await events("kept");
    const row = withoutTotals((await server.get("/api/conversations/kept")).body);
    const { status, body } = await put("kept", 2, "  look here ");
    expect(status).toBe(200);
    expect(body).toMatchObject({ seq: 2, note: "look here", by: "operator:console", set_seq: 3 });
    await put("kept", 1);
    await put("kept", 2, "and there");
    expect(await marks("kept")).toMatchObject([
      { seq: 1, note: null },
      { seq: 2, note: "and there", set_seq: 3 },
    ]);
    expect((await server.send("DELETE", address("kept", 2))).status).toBe(204);
    expect(await marks("kept")).toMatchObject([{ seq: 1 }]);
    expect(await events("kept")).toEqual(before);
    expect(withoutTotals((await server.get("/api/conversations/kept")).body)).toEqual(row);
  });

  it("are audited by step, without the note; unchanged ones are not", async () => {
    await record("same");
    await put("same", 2, "x");
    await put("same", 2, "x");
    await server.send("DELETE", address("same", 3));
    await server.send("DELETE", address("same", 2));
    const { items } = (await server.get("/api/audit?target=conversation:same")).body;
    expect(items).toMatchObject([
      { action: "bookmark.removed", actor: "operator:console", after: { seq: 2 } },
      { action: "bookmark.set", actor: "operator:console", after: { seq: 2 } },
    ]);
  });

  it("are exported and imported after the events, which are unchanged", async () => {
    await record("source");
    const plain = linesOf(await fileOf("source"));
    expect(plain[0].version).toBe(1);
    await put("source", 2, "заметка");
    const file = await fileOf("source");
    const [header, ...lines] = linesOf(file);
    expect(header).toMatchObject({ version: 2, conversation: { last_seq: 3, bookmarks: 1 } });
    expect(lines).toEqual([...plain.slice(1), { bookmark: (await marks("source"))[0] }]);
    const target = renamed(file, "source", "target");
    expect((await importFile(target)).status).toBe(201);
    expect(await marks("target")).toEqual(await marks("source"));
    expect(await fileOf("target")).toBe(target);
    const cut = target.slice(0, target.lastIndexOf("\n", target.length - 2));
    expect((await importFile(cut.replaceAll('"target"', '"cut"'))).body.detail).toContain("it is incomplete");
    // A copy's first step records its origin.
    const copy = (await importFile(file, "?as=copy")).body.conversations[0].conversation_id;
    expect(await marks(copy)).toMatchObject([{ seq: 3, note: "заметка" }]);
  });

  it("are created from events of older versions, by import and on arrival", async () => {
    const marking = (conversation_id: string) => [
      { conversation_id, type: "log", payload: {} },
      { conversation_id, type: "conversation.bookmarked", actor: "operator:anna", payload: { seq: 1, note: "old" } },
      { conversation_id, type: "conversation.bookmarked", payload: { seq: 2 } },
      { conversation_id, type: "conversation.unbookmarked", payload: { seq: 2 } },
    ];
    await server.post("/api/events", marking("told"));
    expect(await marks("told")).toMatchObject([{ seq: 1, note: "old", by: "operator:anna", set_seq: 2 }]);
    const older = renamed(await fileOf("told"), "told", "older")
      .split("\n")
      .filter((line) => !line.startsWith('{"bookmark"'))
      .join("\n")
      .replace(',"bookmarks":1', "")
      .replace('"version":2', '"version":1');
    expect((await importFile(older)).status).toBe(201);
    expect(await marks("older")).toMatchObject([{ seq: 1, note: "old", by: "operator:anna" }]);
    // The events do not restore deleted bookmarks.
    await server.send("DELETE", address("told", 1));
    expect((await importFile(renamed(await fileOf("told"), "told", "newer"))).status).toBe(201);
    expect(await marks("newer")).toEqual([]);
  });

  it("of forked steps are in the fork, without a step there", async () => {
    await record("forked", 3);
    await put("forked", 1, "early");
    await put("forked", 3, "late");
    const { status, body } = await server.post("/api/conversations/forked/fork", { at: 2 });
    expect(status).toBe(201);
    expect(await marks(body.id)).toMatchObject([{ seq: 1, note: "early", set_seq: 2 }]);
    expect((await events(body.id)).map(({ type }: { type: string }) => type)).not.toContain("conversation.bookmarked");
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

  it("are refused for unknown conversations and for notes over 2,000 characters", async () => {
    expect((await server.get(address("nobody"))).status).toBe(404);
    expect((await put("nobody", 1)).status).toBe(404);
    await record("long");
    expect((await put("long", 1, "x".repeat(2_001))).status).toBe(400);
  });
});
