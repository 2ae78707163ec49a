import { describe, expect, it } from "vitest";
import { withServer } from "../setup/server.ts";

const server = withServer();

const address = (id: string, note = "") => `/api/conversations/${id}/notes${note === "" ? "" : `/${note}`}`;
const write = (id: string, body: object) => server.post(address(id), body);
const notes = async (id: string) => (await server.get(address(id))).body.items;
const record = (conversation_id: string, count = 2) =>
  server.post(
    "/api/events",
    Array.from({ length: count }, (_, index) => ({ conversation_id, type: "log", payload: { index } })),
  );

describe("notes", () => {
  it("are written beside the log with whom they mention, audited without their text, and removed", async () => {
    await record("noted");
    const before = (await server.get("/api/conversations/noted/events")).body.items;
    const { status, body } = await write("noted", { text: " Is it ours, @console? ", seq: 2, path: "†state.order" });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ text: "Is it ours, @console?", mentions: ["console"], seq: 2, path: "†state.order", run_id: null },
      by: "operator:console",
    });
    expect(await notes("noted")).toEqual([body]);
    expect((await server.get("/api/conversations/noted")).body.note_count).toBe(1);
    expect((await server.get("/api/conversations/noted/events")).body.items).toEqual(before);
    expect((await server.send("DELETE", address("noted", body.id))).status).toBe(204);
    expect(await notes("noted")).toEqual([]);
    const { items } = (await server.get("/api/audit?target=conversation:noted")).body;
    expect(items.map(({ action }: { action: string }) => action)).toEqual(["note.removed", "note.written"]);
    expect(JSON.stringify(items)).not.toContain("ours");
  });

  it("are exported and imported after the events", async () => {
    await record("source");
    await write("source", { text: "Заметка" });
    const file = await (await fetch(`${server.url}/api/conversations/source/export`)).text();
    expect(JSON.parse(file.split("\n")[0] ?? "")).toMatchObject({ version: 3, conversation: { notes: 1 } });
    const target = file
      .replaceAll('"source"', '"target"')
      .replace(/"id":"[0-9a-f-]{36}"/g, (id) => `${id.slice(0, -2)}t"`);
    expect((await server.postRaw("/api/import", target, "application/x-ndjson")).status).toBe(201);
    expect(await notes("target")).toMatchObject([{ text: "Заметка", by: "operator:console" }]);
    const cut = target.slice(0, target.lastIndexOf("\n", target.length - 2)).replaceAll('"target"', '"cut"');
    expect((await server.postRaw("/api/import", cut, "application/x-ndjson")).body.detail).toContain("incomplete");
  });

  it.each([
    ["no text", { text: " " }, "/text"],
    ["a long text", { text: "x".repeat(4_001) }, "/text"],
    ["a NUL in it", { text: "a\0b" }, "/text"],
    ["a step that is not there", { seq: 9 }, "/seq"],
    ["a call without its run", { call_id: "k" }, "/run_id"],
    ["a run that is not there", { run_id: "other" }, "/run_id"],
    ["a call that is not there", { run_id: "r", call_id: "other" }, "/call_id"],
    ["a path that is none", { path: "state..x" }, "/path"],
    ["a path of a call", { path: "†pay.amount" }, "/path"],
  ])("with %s are refused", async (_, body, path) => {
    const plan = { iteration: 1, calls: [{ _tool: "pay", _id: "planned" }, { _tool: "look" }] };
    await server.post("/api/events", [
      { id: "short", conversation_id: "short", type: "run.started", run_id: "r" },
      { id: "short2", conversation_id: "short", type: "plan.proposed", run_id: "r", payload: plan },
    ]);
    expect(await write("short", { text: "x", ...body })).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    expect((await write("short", { text: "x", run_id: "r", call_id: "planned", path: "†state.a" })).status).toBe(201);
  });

  it("of unknown conversations are refused", async () => {
    expect((await write("nobody", { text: "x" })).status).toBe(404);
    expect((await server.get(address("nobody"))).status).toBe(404);
    expect((await server.send("DELETE", address("nobody", "n"))).status).toBe(404);
    expect((await server.send("DELETE", "/api/conversations/nobody/scores/s")).status).toBe(404);
  });
});
