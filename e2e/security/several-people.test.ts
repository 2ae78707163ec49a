import { beforeAll, describe, expect, it } from "vitest";
import type { CallerName } from "../api/setup/matrix.ts";
import { addPeople, type Credentials, signIn } from "../api/setup/people.ts";
import { withServer } from "../api/setup/server.ts";

// What several people have to approve; and who may write rules, judges, views, suites and absences, within which bounds.

let people: Map<CallerName, Credentials>;
const server = withServer(
  { OBELUS_AUTH: "1", OBELUS_TOOL_HOSTS: "127.0.0.1" },
  {
    prepare: async (dataDir) => {
      people = await addPeople(dataDir);
    },
  },
);
beforeAll(() => signIn(server.url, people));
const as = (name: CallerName): Credentials => people.get(name) ?? {};

const decide = (id: string, name: CallerName, body: object = { decision: "approve" }) =>
  server.post(`/api/confirmations/${encodeURIComponent(id)}/decision`, body, as(name));
const eventTypes = async (id: string): Promise<string[]> =>
  (await server.get(`/api/conversations/${encodeURIComponent(id)}/events?limit=200`, as("viewer"))).body.items.map(
    ({ type }: { type: string }) => type,
  );

describe("Security: two different people approve", () => {
  /** An agent elsewhere asks for two approvals. */
  async function ask(id: string, more: object = {}): Promise<void> {
    const payload = {
      confirmation_id: id,
      key: id,
      action: { method: "pay", params: { sum: 9 } },
      approvals: 2,
      ...more,
    };
    const event = { conversation_id: id, type: "confirmation.requested", payload };
    expect((await server.post("/api/events", event, as("ingest"))).status).toBe(201);
  }

  it("one person is not enough, however often they approve", async () => {
    await ask("once");
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await decide("once", "operator");
      expect([status, body.status, body.approvals.given.length]).toEqual([200, "requested", 1]);
    }
    const bulk = { ids: ["once"], decision: "approve" };
    const { body } = await server.post("/api/confirmations/decisions", bulk, as("operator"));
    expect(body.items).toMatchObject([{ outcome: "already", confirmation: { status: "requested" } }]);
    expect(await decide("once", "admin")).toMatchObject({
      status: 200,
      body: {
        status: "approved",
        decided_by: "operator:admin",
        approvals: { needed: 2, given: [{ by: "operator:operator" }] },
      },
    });
    expect(await eventTypes("once")).toEqual([
      "confirmation.requested",
      "confirmation.partially_approved",
      "confirmation.approved",
    ]);
  });

  it("two at the same time are two", async () => {
    await ask("together");
    const answers = await Promise.all([decide("together", "operator"), decide("together", "admin")]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await eventTypes("together")).filter((type) => type === "confirmation.approved")).toHaveLength(1);
  });

  it("a key is nobody, and cannot claim that somebody has approved", async () => {
    await ask("claimed");
    expect(await decide("claimed", "decide")).toMatchObject({
      status: 409,
      body: { detail: /API keys are not people/ },
    });
    const claim = (type: string, name: CallerName, more: object = {}) =>
      server.post(
        "/api/events",
        { conversation_id: "claimed", type, payload: { confirmation_id: "claimed", ...more } },
        as(name),
      );
    const made = await server.post("/api/keys", { name: "both", scopes: ["ingest", "decide"] }, as("admin"));
    people.set("test", { authorization: `Bearer ${made.body.key}` });
    for (const type of ["confirmation.partially_approved", "confirmation.approved"]) {
      expect((await claim(type, "test", { decided_by: "operator:boris" })).status).toBe(409);
      expect((await claim(type, "operator")).status).toBe(409);
    }
    expect((await decide("claimed", "operator")).body.status).toBe("requested");
    expect((await claim("confirmation.approved", "test", { decided_by: "operator:boris" })).status).toBe(409);
    expect((await decide("claimed", "viewer")).status).toBe(403);
    expect((await decide("claimed", "admin", { decision: "deny", reason: "no" })).body.status).toBe("denied");
  });

  it("both approve what was requested: it cannot be edited, and a new request begins anew", async () => {
    await ask("edited");
    const action = { method: "pay", params: { sum: 1_000_000 } };
    expect((await decide("edited", "operator", { decision: "approve", action })).status).toBe(409);
    expect((await decide("edited", "operator", { decision: "approve", result: 1 })).status).toBe(409);
    expect((await decide("edited", "operator")).body.approvals.given).toHaveLength(1);
    await ask("edited", { action });
    const { body } = await server.get("/api/confirmations?conversation_id=edited", as("viewer"));
    expect(body.items).toMatchObject([{ status: "requested", approvals: { needed: 2, given: [] } }]);
    const [{ requested_seq }] = body.items;
    expect((await decide("edited", "admin")).status).toBe(409);
    expect((await decide("edited", "admin", { decision: "approve", requested_seq })).body.status).toBe("requested");
  });

  it("a call of this server's engine waits for both, and no definition or stand-in takes that back", async () => {
    const schema = { type: "object", properties: { sum: { type: "number" }, _output: { type: "string" } } };
    const tool = (name: string, more: object = {}) => ({ name, schema, ...more });
    expect((await server.post("/api/tools", tool("pay.big", { approvals: 2 }), as("admin"))).status).toBeLessThan(300);
    expect((await server.post("/api/tools", tool("pay.big"), as("admin"))).body).toMatchObject({
      requires_confirmation: true,
      approvals: 2,
    });
    const run = async (plan: object[], tools: object[] = []) => {
      const { status, body } = await server.post("/api/plans/run", { plan, tools }, as("operator"));
      expect(status).toBe(202);
      await expect
        .poll(
          async () =>
            (await server.get(`/api/confirmations?conversation_id=${body.conversation_id}`, as("viewer"))).body.items
              .length,
        )
        .toBe(1);
      const list = await server.get(`/api/confirmations?conversation_id=${body.conversation_id}`, as("viewer"));
      return { conversation: body.conversation_id as string, confirmation: list.body.items[0] };
    };
    const { conversation, confirmation } = await run([{ _tool: "pay.big", _id: "a", sum: 5 }], [tool("pay.big")]);
    expect(confirmation).toMatchObject({ own: true, approvals: { needed: 2, given: [] } });
    // The one who started the run is one of both at most.
    expect((await decide(confirmation.id, "operator")).body.status).toBe("requested");
    expect((await decide(confirmation.id, "operator")).body.status).toBe("requested");
    expect(await eventTypes(conversation)).not.toContain("confirmation.approved");
    expect((await decide(confirmation.id, "admin")).body.status).toBe("approved");
    // What one person may approve does not become what two have to.
    const small = await run(
      [{ _tool: "pay.small", _id: "a", sum: 5 }],
      [tool("pay.small", { requires_confirmation: true }), tool("pay.big")],
    );
    const action = { method: "pay.big", params: { sum: 5 } };
    expect(await decide(small.confirmation.id, "operator", { decision: "approve", action })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "/action" }] },
    });
  });
});
