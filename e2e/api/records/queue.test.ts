import { describe, expect, it } from "vitest";
import { withServer } from "../setup/server.ts";

const server = withServer();

const change = (body: object) => server.post("/api/queue", body);
const item = async (id: string) => (await server.get(`/api/conversations/${id}`)).body.queue;
const found = async (query: string) =>
  (await server.get(`/api/conversations?${query}`)).body.items.map(({ id }: { id: string }) => id).sort();
const record = (...ids: string[]) =>
  server.post(
    "/api/events",
    ids.map((conversation_id) => ({
      ...{ conversation_id, type: "conversation.created", payload: { title: `=1+1 ${conversation_id}` } },
      occurred_at: "2026-01-01T10:00:00Z",
    })),
  );

describe("the queue", () => {
  it("changes several conversations beside the log, audited once, and says which do not exist", async () => {
    await record("q-1", "q-2");
    const before = (await server.get("/api/conversations/q-1/events")).body.items;
    const due_at = "2026-01-02T10:00:00.000Z";
    const { status, body } = await change({
      ...{ ids: ["q-1", "q-2", "gone"], assignee: "console", due_at, add_tags: [" refund ", "EUR"] },
    });
    expect([status, body]).toEqual([200, { changed: ["q-1", "q-2"], missing: ["gone"] }]);
    expect(await item("q-1")).toEqual({
      ...{ assignee: "console", due_at, snoozed_until: null, resolved_at: null, tags: ["EUR", "refund"] },
    });
    expect((await server.get("/api/conversations/q-1/events")).body.items).toEqual(before);
    expect(await found("queue=mine")).toEqual(["q-1", "q-2"]);
    expect(await found("queue=overdue&tag=EUR&assignee=console")).toEqual(["q-1", "q-2"]);
    await change({ ids: ["q-2"], resolved: true });
    expect(await found("queue=mine")).toEqual(["q-1"]);
    expect(await found("queue=resolved")).toEqual(["q-2"]);
    const { views, tags, people, me } = (await server.get("/api/queue")).body;
    expect({ views, tags, people, me }).toEqual({
      views: { mine: 1, nobody: 0, open: 1, overdue: 1, resolved: 1 },
      ...{ tags: ["EUR", "refund"], people: ["console"], me: "console" },
    });
    const audit = (await server.get("/api/audit?action=queue.changed")).body.items;
    expect(audit).toMatchObject([
      { target: "conversation:q-2", after: { resolved: true } },
      { target: null, after: { conversations: 2, assignee: "console", tags: true } },
    ]);
  });

  it("is exported as a table whose cells are no formulas", async () => {
    await record("t-1");
    await change({ ids: ["t-1"], add_tags: ["@tag"] });
    const answer = await fetch(`${server.url}/api/export/csv?tag=%40tag`);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const [head, row, ...rest] = (await answer.text()).split("\r\n");
    expect(head).toContain("id,title,status");
    expect(row).toContain("t-1,'=1+1 t-1,idle");
    expect(row).toContain(",'@tag,");
    expect(rest).toEqual([""]);
  });

  it("takes no time that nobody can mean", async () => {
    for (const field of ["due_at", "snoozed_until"]) {
      const refused = await server.post("/api/queue", { ids: ["s-1"], [field]: "0000-01-01T00:00:00Z" });
      expect(refused).toMatchObject({
        status: 400,
        body: { errors: [{ path: `/${field}`, message: "must be in 1970 or later" }] },
      });
      expect((await server.post("/api/queue", { ids: ["s-1"], [field]: "1970-01-01T00:00:00Z" })).status).toBe(200);
    }
  });

  it("is exported in the order and with the columns of the list", async () => {
    const at = (minute: number) => `2026-01-01T10:${String(minute).padStart(2, "0")}:00Z`;
    for (const [id, minutes] of [
      ["s-1", 5],
      ["s-2", 9],
      ["s-3", 1],
    ] as const)
      await server.post("/api/events", [
        { conversation_id: id, type: "conversation.created", payload: { channel: "sorted" }, occurred_at: at(0) },
        { conversation_id: id, type: "note", payload: {}, occurred_at: at(minutes) },
      ]);
    const query = "channel=sorted&sort=duration&duration=120000..";
    await expect.poll(() => found(query)).toEqual(["s-1", "s-2"]);
    const answer = await fetch(`${server.url}/api/export/csv?${query}&columns=id,duration_ms`);
    expect((await answer.text()).split("\r\n")).toEqual(["id,duration_ms", "s-2,540000", "s-1,300000", ""]);
    const page = (await server.get(`/api/conversations?channel=sorted&sort=duration&order=asc&limit=1`)).body;
    expect(page.items).toMatchObject([{ id: "s-3" }]);
    const other = await server.get(`/api/conversations?sort=cost&cursor=${page.next}`);
    expect([other.status, other.body.code]).toEqual([400, "bad_cursor"]);
    for (const wrong of ["sort=title", "cost=5..1", "error=0123456789abcdef", "order=up"])
      expect((await server.get(`/api/conversations?${wrong}`)).status, wrong).toBe(400);
    expect((await server.get("/api/export/csv?columns=id,secret")).status).toBe(400);
  });

  it.each([
    ["no conversation", { ids: [] }, 400],
    ["too many conversations", { ids: Array.from({ length: 201 }, (_, index) => `c-${index}`), resolved: true }, 400],
    ["no change", { ids: ["a"] }, 400],
    ["somebody who is no user", { ids: ["a"], assignee: "nobody" }, 400],
    ["a long tag", { ids: ["a"], add_tags: ["x".repeat(51)] }, 400],
    ["a tag of two lines", { ids: ["a"], add_tags: ["x\ny"] }, 400],
    ["a time that is none", { ids: ["a"], due_at: "tomorrow" }, 400],
  ])("refuses %s", async (_, body, status) => {
    expect((await change(body)).status).toBe(status);
  });

  it("refuses more than 20 tags, and then changes nothing", async () => {
    await record("m-1");
    await change({ ids: ["m-1"], add_tags: Array.from({ length: 20 }, (_, index) => `t${index}`) });
    expect((await change({ ids: ["m-1"], add_tags: ["more"], assignee: "console" })).status).toBe(409);
    expect(await item("m-1")).toMatchObject({ assignee: null });
  });
});
