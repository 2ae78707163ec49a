import { describe, expect, it } from "vitest";
import { withServer } from "../setup/server.ts";

const server = withServer();

const call = (conversation_id: string, text: string, more: object = {}) => ({
  ...{ conversation_id, type: "manager.alerted", agent_id: "admin", payload: { text, reason: "refund" }, ...more },
});
const list = async (query = "") => server.get(`/api/alerts${query}`);
const texts = async (query = "") => (await list(query)).body.items.map(({ text }: { text: string }) => text);

describe("D9: managers see alerts", () => {
  it("lists alerts newest first, with their conversations, until handed back", async () => {
    await server.post("/api/conversations", { id: "c", title: "Refund", channel: "telegram", user_id: "alice" });
    const posted = await server.post("/api/events", [
      call("c", "first"),
      call("d", "other"),
      call("c", "second", { run_id: "r" }),
    ]);
    const [, , second] = posted.body.events;
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toMatchObject({ next: null, prev: null });
    expect(body.items[0]).toMatchObject({
      ...{ id: second.id, conversation_id: "c", seq: second.seq, run_id: "r", agent_id: "admin", text: "second" },
      ...{ reason: "refund", open: true, closed_at: null },
      conversation: { title: "Refund", subject: null, channel: "telegram", user_id: "alice", taken_over: null },
    });
    expect(await texts("?status=open")).toEqual(["second", "other", "first"]);

    await server.send("POST", "/api/conversations/c/takeover");
    expect((await list()).body.items[0]).toMatchObject({
      open: true,
      conversation: { taken_over: { by: "operator:console" } },
    });
    await server.send("POST", "/api/conversations/c/handback");
    expect(await texts()).toEqual(["other"]);
    expect((await list("?status=all")).body.items).toMatchObject([
      { text: "second", open: false, closed_by: "operator:console", conversation: { taken_over: null } },
      { text: "other", open: true },
      { text: "first", open: false },
    ]);
    // Handing back needs no takeover.
    const back = await server.send("POST", "/api/conversations/d/handback");
    expect([back.body.status, await texts()]).toEqual(["idle", []]);
    expect((await server.get("/api/facets")).body.alerts).toBe(0);
  });

  it("E11: is paged by its own cursors only", async () => {
    await server.post(
      "/api/events",
      ["1", "2", "3"].map((text) => call("paged", text)),
    );
    const first = await list("?limit=2");
    expect(await texts(`?limit=2&cursor=${first.body.next}`)).toEqual(["1"]);
    expect((await list("?cursor=nonsense")).body.code).toBe("bad_cursor");
    for (const query of ["?status=closed", "?limit=0", "?who=me"]) expect((await list(query)).status).toBe(400);
  });
});
