import { describe, expect, it } from "vitest";
import { withServer } from "../setup/server.ts";

const server = withServer();
const search = (query: string, id = "c") => server.get(`/api/conversations/${id}/search?${query}`);
const seqs = (body: { items: { seq: number }[] }) => body.items.map(({ seq }) => seq);

describe("E14: a conversation is searched", () => {
  it("finds steps by words, newest first, with path and context", async () => {
    const said = (id: string, content: string) => ({
      conversation_id: "c",
      type: "message.created",
      payload: { message_id: id, role: "user", content },
    });
    await server.post("/api/events", [
      said("1", 'Верните деньги за билет, 50% of "all" 👍'),
      { conversation_id: "c", run_id: "r", type: "run.started", payload: {} },
      {
        conversation_id: "c",
        run_id: "r",
        type: "state.written",
        payload: { path: "deal.title", value: "Возврат билета", call_id: "get" },
      },
      said("2", "Билет вернём"),
    ]);
    const { status, body } = await search(`q=${encodeURIComponent("билет")}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ from: 1, next: null });
    expect(body.items).toMatchObject([
      { seq: 4, type: "message.created", where: "message", path: "content", run_id: null, call_id: null },
      {
        seq: 3,
        type: "state.written",
        where: "state",
        path: "deal.title",
        run_id: "r",
        call_id: "get",
        excerpt: [
          { text: "Возврат ", marked: false },
          { text: "билет", marked: true },
          { text: "а", marked: false },
        ],
      },
      { seq: 1, where: "message" },
    ]);
    expect(seqs((await search(`q=${encodeURIComponent("билет")}&where=state`)).body)).toEqual([3]);
    expect(seqs((await search(`q=${encodeURIComponent('"all" 50% 👍')}`)).body)).toEqual([1]);
  });

  it("continues where the last response ended", async () => {
    const first = await search(`q=${encodeURIComponent("билет")}&limit=2`);
    expect(seqs(first.body)).toEqual([4, 3]);
    const second = await search(`q=${encodeURIComponent("билет")}&limit=2&cursor=${first.body.next}`);
    expect(seqs(second.body)).toEqual([1]);
    expect(second.body.next).toBeNull();
    const events = await server.get("/api/conversations/c/events?limit=1");
    expect((await search(`q=a&cursor=${events.body.next}`)).body).toMatchObject({ status: 400, code: "bad_cursor" });
    for (const other of ["events?", "messages?", "state-history?path=%E2%80%A0state&"]) {
      const { body } = await server.get(`/api/conversations/c/${other}cursor=${first.body.next}`);
      expect(body, other).toMatchObject({ status: 400, errors: [{ path: "/cursor" }] });
    }
  });

  it.each(['"', "NEAR(", "-x", "* *", "content:x", "%", "\\"])("takes %j for words, never for syntax", async (q) => {
    expect((await search(`q=${encodeURIComponent(q)}`)).status).toBe(200);
  });

  it("refuses invalid queries, and an unknown conversation", async () => {
    expect((await search("q=a", "absent")).status).toBe(404);
    expect((await search("")).body.errors).toMatchObject([{ path: "/q" }]);
    expect((await search("q=a&where=nowhere")).status).toBe(400);
    expect((await search("q=a&cursor=x")).status).toBe(400);
    expect((await search(`q=${"a".repeat(501)}`)).status).toBe(400);
  });
});

describe("E14: all conversations are searched", () => {
  it("finds events and state, with step, kind, value and words", async () => {
    const of = (id: string, type: string, payload: object) => ({ conversation_id: id, type, payload });
    const call = { call_id: "pay", tool: "bank.pay" };
    await server.post("/api/events", [
      of("paid", "call.started", { ...call, params: { to: "Quokka Ltd" } }),
      of("stated", "state.written", { path: "†state.payee", value: { name: "Quokka Ltd" } }),
    ]);
    let body: { items: { id: string }[]; behind?: number } = { items: [], behind: 1 };
    while (body.behind !== undefined) body = (await server.get("/api/conversations?q=quok")).body;
    const parts = [
      { text: "Quokka", marked: true },
      { text: " Ltd", marked: false },
    ];
    expect(new Map(body.items.map((item) => [item.id, item]))).toMatchObject(
      new Map([
        ["paid", { hit: { seq: 1, type: "call.started", where: "event", role: null, path: "params.to", parts } }],
        ["stated", { hit: { seq: 1, type: "state.written", where: "state", path: "†state.payee.name", parts } }],
      ]),
    );
    expect((await server.get("/api/conversations?q=quokka%20absent")).body.items).toEqual([]);
  });
});
