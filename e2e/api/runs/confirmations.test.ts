import { describe, expect, it } from "vitest";
import { withServer } from "../setup/server.ts";

const server = withServer();

const REFUND = { method: "issueRefund", params: { amount: 40, order: "A-7" } };

/** Posts a confirmation request of an external agent; returns its entry in the inbox. */
async function ask(id: string, more: { conversation_id?: string; occurred_at?: string; payload?: object } = {}) {
  const { conversation_id = "asking", payload, ...rest } = more;
  const { status, body } = await server.post("/api/events", {
    conversation_id,
    type: "confirmation.requested",
    run_id: `run-${id}`,
    payload: { confirmation_id: id, key: "refund", call_id: "refund", action: REFUND, ...payload },
    ...rest,
  });
  expect([status, body.detail]).toEqual([201, undefined]);
}

const decide = (id: string, body: object) => server.post(`/api/confirmations/${encodeURIComponent(id)}/decision`, body);
const list = async (query: string) => (await server.get(`/api/confirmations?${query}`)).body;
const ids = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
const eventsOf = async (conversationId: string) =>
  (await server.get(`/api/conversations/${encodeURIComponent(conversationId)}/events?limit=1000`)).body.items;

describe("E14: the inbox lists pending confirmations", () => {
  it("has everything needed for a decision", async () => {
    await ask("listed", {
      conversation_id: "list one",
      payload: { iteration: 2, instance: "①", description: "Pays €40 back", cause: "interrupted" },
    });
    const { items, next, prev } = await list("conversation_id=list%20one");
    expect([next, prev]).toEqual([null, null]);
    expect(items).toMatchObject([
      {
        id: "listed",
        key: "refund",
        conversation_id: "list one",
        run_id: "run-listed",
        call_id: "refund",
        iteration: 2,
        instance: "①",
        status: "requested",
        cause: "interrupted",
        description: "Pays €40 back",
        action: REFUND,
        overdue: false,
        decided_at: null,
        decided_by: null,
        own: false,
      },
    ]);
    expect(items[0].requested_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("is oldest first, filtered by status and conversation, paged in both directions", async () => {
    for (let n = 1; n <= 5; n += 1) await ask(`paged-${n}`, { conversation_id: "paged" });
    await decide("paged-2", { decision: "deny" });
    const query = "conversation_id=paged&status=requested&limit=3";
    const first = await list(query);
    expect(ids(first)).toEqual(["paged-1", "paged-3", "paged-4"]);
    const second = await list(`${query}&cursor=${first.next}`);
    expect(ids(second)).toEqual(["paged-5"]);
    expect(await list(`${query}&cursor=${second.prev}`)).toEqual(first);
    expect(ids(await list("conversation_id=paged&status=denied"))).toEqual(["paged-2"]);
    expect((await server.get("/api/confirmations?cursor=x")).body).toMatchObject({ status: 400, code: "bad_cursor" });
    expect((await server.get("/api/confirmations?status=open")).status).toBe(400);
    expect((await server.get("/api/confirmations?limit=201")).status).toBe(400);
  });

  it("M10: marks those pending for more than a day", async () => {
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    await ask("overdue", { conversation_id: "slow", occurred_at: ago(25) });
    await ask("in time", { conversation_id: "slow", occurred_at: ago(23) });
    expect((await list("conversation_id=slow")).items.map(({ overdue }: { overdue: boolean }) => overdue)).toEqual([
      true,
      false,
    ]);
  });
});

describe("M9: a decision counts once, and is recorded", () => {
  it("approves with edited parameters, and notifies the agent by an event", async () => {
    await ask("edited", { conversation_id: "edits" });
    const action = { method: "issueRefund", params: { amount: 30, order: "A-7" } };
    const { status, body } = await decide("edited", { decision: "approve", reason: "a partial one", action });
    expect([status, body]).toMatchObject([
      200,
      { id: "edited", status: "approved", decided_by: "operator:console", reason: "a partial one", action },
    ]);
    expect((await eventsOf("edits")).at(-1)).toMatchObject({
      type: "confirmation.approved",
      actor: "operator:console",
      run_id: "run-edited",
      payload: { confirmation_id: "edited", key: "refund", call_id: "refund", action, reason: "a partial one" },
    });
    expect((await server.get("/api/conversations/edits")).body.status).toBe("idle");
    const view = (await server.get("/api/conversations/edits/view")).body;
    expect(view.confirmations).toMatchObject([{ id: "edited", status: "approved", action }]);
  });

  it("accepts the same decision again, and refuses a different one with who decided and when", async () => {
    await ask("once", { conversation_id: "first wins" });
    const first = await decide("once", { decision: "deny", reason: "too much" });
    expect(first.status).toBe(200);
    const again = await decide("once", { decision: "deny" });
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await decide("once", { decision: "approve" });
    expect(other).toMatchObject({ status: 409, body: { code: "conflict" } });
    for (const told of ["denied", "operator:console", first.body.decided_at, "too much"])
      expect(other.body.detail).toContain(told);
    expect(await eventsOf("first wins")).toHaveLength(2);
  });

  it("treats an approval of another action as a different decision", async () => {
    const action = (amount: number) => ({ method: "issueRefund", params: { amount } });
    await ask("amount", { conversation_id: "amounts" });
    await decide("amount", { decision: "approve", action: action(30) });
    expect((await decide("amount", { decision: "approve", action: action(30) })).status).toBe(200);
    expect((await decide("amount", { decision: "approve" })).status).toBe(200);
    expect((await decide("amount", { decision: "approve", action: action(31) })).status).toBe(409);
    await ask("result", { conversation_id: "amounts", payload: { cause: "interrupted" } });
    await decide("result", { decision: "approve", result: { paid: null } });
    expect((await decide("result", { decision: "approve", result: { paid: null } })).status).toBe(200);
    expect((await decide("result", { decision: "approve", result: { paid: 1 } })).status).toBe(409);
    expect((await eventsOf("amounts")).at(-1).payload).toMatchObject({ result: { paid: null } });
  });

  it("lets one of many concurrent decisions win", async () => {
    await ask("race", { conversation_id: "race" });
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => decide("race", { decision: n % 2 === 0 ? "approve" : "deny" })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(5).fill(200), ...Array(5).fill(409)]);
    expect(await eventsOf("race")).toHaveLength(2);
  });

  it("refuses what cannot be decided", async () => {
    await ask("kept", { conversation_id: "kept" });
    expect(await decide("nobody asked", { decision: "approve" })).toMatchObject({ status: 404 });
    const bad: [body: object, path: string][] = [
      [{}, "/decision"],
      [{ decision: "maybe" }, "/decision"],
      [{ decision: "approve", confirmed: true }, "/confirmed"],
      [{ decision: "approve", action: { method: "m" } }, "/action/params"],
      [{ decision: "deny", action: REFUND }, "/action"],
      [{ decision: "deny", result: 1 }, "/result"],
      [{ decision: "approve", action: REFUND, result: 1 }, "/result"],
    ];
    for (const [body, path] of bad) {
      const reply = await decide("kept", body);
      expect([reply.status, reply.body.errors?.[0]?.path], JSON.stringify(body)).toEqual([400, path]);
    }
    expect(ids(await list("conversation_id=kept&status=requested"))).toEqual(["kept"]);
  });

  it("applies to the request that was seen: if it was replaced, it is refused with both", async () => {
    await ask("changing", { conversation_id: "changing" });
    const [seen] = (await list("conversation_id=changing")).items;
    // The same request, retried by a client without a response, is no new one.
    await ask("changing", { conversation_id: "changing" });
    const more = { method: "issueRefund", params: { amount: 9_999, order: "A-7" } };
    await ask("other", { conversation_id: "changing" });
    await ask("other", { conversation_id: "changing", payload: { description: "Harmless", action: more } });
    const [, other] = (await list("conversation_id=changing")).items;
    for (const requested_seq of [undefined, 3, 1]) {
      const { status, body } = await decide("other", { decision: "approve", requested_seq });
      expect(status).toBe(409);
      expect(body).toMatchObject({
        detail: "The request of the confirmation other has changed; review step 4 and decide with requested_seq 4.",
        changed: {
          seen: requested_seq === 1 ? null : { requested_seq: 3, description: null, action: REFUND },
          now: { requested_seq: 4, description: "Harmless", action: more },
        },
      });
    }
    const several = {
      ids: ["changing", "other"],
      requested_seqs: { changing: seen.requested_seq },
      decision: "approve",
    };
    expect((await server.post("/api/confirmations/decisions", several)).body.items).toMatchObject([
      { id: "changing", outcome: "decided" },
      { id: "other", outcome: "refused", changed: { now: { action: more } } },
    ]);
    expect((await list("conversation_id=changing&status=requested")).items).toMatchObject([{ id: "other" }]);
    const { status, body } = await decide("other", { decision: "approve", requested_seq: other.requested_seq });
    expect([status, body.status, body.action]).toEqual([200, "approved", more]);
  });

  it("decides several, each separately, with each result", async () => {
    for (const id of ["many 1", "many 2", "many 3"]) await ask(id, { conversation_id: "many" });
    await decide("many 2", { decision: "approve" });
    await decide("many 3", { decision: "deny" });
    const { status, body } = await server.post("/api/confirmations/decisions", {
      ids: ["many 1", "many 2", "unknown", "many 3", "many 1"],
      decision: "approve",
      reason: "all fine",
    });
    expect(status).toBe(200);
    expect(body.items).toMatchObject([
      { id: "many 1", outcome: "decided", confirmation: { status: "approved", reason: "all fine" } },
      { id: "many 2", outcome: "already", confirmation: { status: "approved", reason: null } },
      { id: "unknown", outcome: "unknown" },
      { id: "many 3", outcome: "refused", confirmation: { status: "denied" } },
      { id: "many 1", outcome: "already" },
    ]);
    expect(body.items[3].detail).toContain("operator:console");
    const tooMany = { ids: Array.from({ length: 201 }, (_, n) => `${n}`), decision: "deny" };
    expect((await server.post("/api/confirmations/decisions", tooMany)).status).toBe(400);
    expect((await server.post("/api/confirmations/decisions", { ids: [], decision: "deny" })).status).toBe(400);
  });
});

describe("decided ones are no longer pending, though their agent is external", () => {
  const conversation = async (id: string) => (await server.get(`/api/conversations/${id}`)).body;
  const tell = (id: string, type: string, payload: object = {}) =>
    server.post("/api/events", { conversation_id: id, type, run_id: "r", payload });

  it.each(["approve", "deny"])(
    "%s: it runs, and says that the agent has not answered until it does",
    async (decision) => {
      const id = `answer-${decision}`;
      const status = decision === "approve" ? "approved" : "denied";
      const place = { call_id: "refund", tool: "issueRefund" };
      await tell(id, "run.started");
      await tell(id, "call.parked", { ...place, confirmation_id: id });
      const asked = { confirmation_id: id, key: "refund", call_id: "refund", action: REFUND };
      await tell(id, "confirmation.requested", asked);
      await tell(id, "run.waiting");
      expect(await conversation(id)).toMatchObject({ status: "waiting", unanswered: null });
      const before = (await server.get("/api/facets")).body.statuses;

      await decide(id, { decision });
      expect(await conversation(id)).toMatchObject({ status: "running", unanswered: status });
      const after = (await server.get("/api/facets")).body.statuses;
      expect(after).toEqual({ ...before, waiting: before.waiting - 1, running: before.running + 1 });
      expect((await list(`conversation_id=${id}`)).items).toMatchObject([{ status, unanswered: true }]);
      const { body: decided } = await server.get(`/api/conversations/${id}/view`);
      expect(decided).toMatchObject({
        status: "running",
        runs: [{ status: "running" }],
        calls: [{ status: "parked", decision: status }],
        summary: { unanswered: [{ confirmation_id: id, run_id: "r", decision: status }] },
      });

      await tell(id, decision === "approve" ? "call.started" : "call.denied", place);
      expect(await conversation(id)).toMatchObject({ status: "running", unanswered: null });
      expect((await list(`conversation_id=${id}`)).items).toMatchObject([{ status, unanswered: false }]);
      const { body: answered } = await server.get(`/api/conversations/${id}/view`);
      expect(answered.calls).toMatchObject([{ decision: null }]);
    },
  );
});

describe("E4: the inbox is a projection of the log", () => {
  it("applies decisions that agents post themselves, the first of each", async () => {
    await ask("posted", { conversation_id: "posting" });
    const told = (status: string, decided_by: string) =>
      server.post("/api/events", {
        conversation_id: "posting",
        type: `confirmation.${status}`,
        run_id: "run-posted",
        payload: { confirmation_id: "posted", decided_by },
      });
    await told("approved", "operator:anna");
    await told("denied", "operator:boris");
    expect((await list("conversation_id=posting")).items).toMatchObject([
      { status: "approved", decided_by: "operator:anna" },
    ]);
    expect((await decide("posted", { decision: "deny" })).body.detail).toContain("operator:anna");
  });

  it("has imported ones, and a copy has ids of its own", async () => {
    await ask("exported", { conversation_id: "export" });
    const { body: file } = await server.get("/api/conversations/export/export");
    const copied = await server.postRaw("/api/import?as=copy", file, "application/x-ndjson");
    expect(copied.status).toBe(201);
    const [{ conversation_id }] = copied.body.conversations;
    const { items } = await list(`conversation_id=${conversation_id}`);
    expect(items).toMatchObject([{ status: "requested", action: REFUND, own: false }]);
    expect(items[0].id).not.toBe("exported");
    await decide(items[0].id, { decision: "approve" });
    expect((await list("conversation_id=export")).items).toMatchObject([{ status: "requested" }]);
  });

  it("survives a crash, with decisions", async () => {
    await ask("survivor", { conversation_id: "crash" });
    await ask("decided survivor", { conversation_id: "crash" });
    await decide("decided survivor", { decision: "deny", reason: "no" });
    const before = await list("conversation_id=crash");
    await server.restart("SIGKILL");
    expect(await list("conversation_id=crash")).toEqual(before);
  });
});
