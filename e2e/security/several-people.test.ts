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

  it("a new request asks no fewer people, and does not turn into one that a result settles", async () => {
    const again = (id: string, payload: object, name: CallerName) =>
      server.post(
        "/api/events",
        {
          ...{ conversation_id: id, type: "confirmation.requested" },
          payload: { confirmation_id: id, key: id, action: { method: "pay", params: { sum: 9 } }, ...payload },
        },
        as(name),
      );
    await ask("lowered");
    expect((await decide("lowered", "operator")).body.status).toBe("requested");
    for (const name of ["operator", "ingest"] as const) {
      expect(await again("lowered", {}, name)).toMatchObject({ status: 409, body: { detail: /approvals: 2/ } });
      expect((await again("lowered", { approvals: 2, cause: "interrupted" }, name)).status).toBe(409);
    }
    expect((await again("lowered", { approvals: 3 }, "ingest")).status).toBe(201);
    const batch = ["denied", "requested", "approved"].map((what) => ({
      ...{ conversation_id: "lowered", type: `confirmation.${what}` },
      payload: {
        ...{ confirmation_id: "lowered" },
        ...(what === "requested" && { key: "lowered", action: { method: "pay", params: { sum: 9 } } }),
      },
    }));
    expect((await server.post("/api/events", batch, as("operator"))).status).toBe(409);
    const { body } = await server.get("/api/confirmations?conversation_id=lowered", as("viewer"));
    expect(body.items).toMatchObject([{ status: "requested", approvals: { needed: 3 } }]);
  });

  it("what became of an interrupted call is said by a person, and is not another action", async () => {
    await ask("lost", { cause: "interrupted" });
    expect((await decide("lost", "decide", { decision: "approve", result: 1 })).status).toBe(409);
    const event = {
      ...{ conversation_id: "lost", type: "confirmation.approved" },
      payload: { confirmation_id: "lost", result: 1, action: { method: "pay", params: { sum: 1_000_000 } } },
    };
    expect((await server.post("/api/events", event, as("operator"))).status).toBe(409);
    expect((await decide("lost", "operator", { decision: "approve", result: 1 })).body.status).toBe("approved");
  });

  it("what an import says of people who approved counts for nothing, and is shown of nobody", async () => {
    await ask("forged");
    expect((await decide("forged", "operator")).body.status).toBe("requested");
    const file = await fetch(`${server.url}/api/conversations/forged/export`, { headers: as("admin") });
    const forged = (await file.text())
      .replaceAll("forged", "imported")
      .replaceAll("operator:operator", "operator:admin")
      // Ids of events are unique on a server.
      .replaceAll(/"01(?=[0-9a-f]{6}-[0-9a-f]{4}-7)/g, '"02');
    const sent = await fetch(`${server.url}/api/import?alerts=open`, {
      ...{ method: "POST", body: forged },
      headers: { ...as("admin"), origin: server.url, "content-type": "application/octet-stream" },
    });
    expect(sent.status, await sent.text()).toBeLessThan(300);
    expect(await eventTypes("imported")).toContain("confirmation.partially_approved");
    const view = await server.get("/api/conversations/imported/view", as("viewer"));
    expect(view.body.confirmations).toMatchObject([{ status: "requested", approvals: { needed: 2, given: [] } }]);
    expect((await decide("imported", "admin")).body).toMatchObject({ status: "requested" });
    expect((await decide("imported", "operator")).body).toMatchObject({ status: "approved" });
  });

  it("two approvals outlive kill -9, and the second counts once, whether or not it was answered", async () => {
    for (const isAnswered of [false, true]) {
      const id = `killed-${isAnswered}`;
      await ask(id);
      expect((await decide(id, "operator")).body.status).toBe("requested");
      const second = decide(id, "admin").catch(() => null);
      if (isAnswered) await second;
      await server.restart("SIGKILL");
      await second;
      await signIn(server.url, people);
      expect((await decide(id, "admin")).body).toMatchObject({
        ...{ status: "approved", decided_by: "operator:admin" },
        approvals: { given: [{ by: "operator:operator" }] },
      });
      const types = await eventTypes(id);
      expect(types.filter((type) => type !== "confirmation.requested")).toEqual([
        "confirmation.partially_approved",
        "confirmation.approved",
      ]);
    }
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

const ALERT_RULE = { name: "Refunds fail", condition: { metric: "error_rate", threshold: 0.5, tool: "refund" } };
const JUDGE = { score: "s", prompt: "{{answer}}", scale: { kind: "boolean" } };
const LONG = "x".repeat(100_000);
/** Turns the direction of what is shown after it. */
const TURNED = "a\u202eb";
const fault = async (answer: Promise<{ status: number; body: { code?: string } }>) => (await answer).status;

describe("Security: rules, judges, views, bulk actions and suites are bounded", () => {
  it.each<[string, string, string, object]>([
    ["a rule's name", "POST", "/api/alert-rules", { ...ALERT_RULE, name: LONG }],
    ["a rule's name that turns around", "POST", "/api/alert-rules", { ...ALERT_RULE, name: TURNED }],
    [
      "a rule's tool",
      "POST",
      "/api/alert-rules",
      { ...ALERT_RULE, condition: { ...ALERT_RULE.condition, tool: LONG } },
    ],
    [
      "a rule's window",
      "POST",
      "/api/alert-rules",
      { ...ALERT_RULE, condition: { ...ALERT_RULE.condition, window_hours: 9_000 } },
    ],
    ["a longer past", "POST", "/api/alert-rules/try", { condition: ALERT_RULE.condition, days: 4_000 }],
    ["a judge's prompt", "PUT", "/api/judges/j", { ...JUDGE, prompt: `{{answer}}${LONG}` }],
    ["a judge that may spend anything", "PUT", "/api/judges/j", { ...JUDGE, daily_tokens: 1e15 }],
    [
      "a judge's scale",
      "PUT",
      "/api/judges/j",
      { ...JUDGE, scale: { kind: "category", values: Array.from({ length: 21 }, String) } },
    ],
    ["a judge's agent that turns around", "PUT", "/api/judges/j", { ...JUDGE, agent: TURNED }],
    ["a view's name", "POST", "/api/views", { name: LONG, query: "" }],
    ["a view's name that turns around", "POST", "/api/views", { name: TURNED, query: "" }],
    ["a view's query", "POST", "/api/views", { name: "v", query: LONG }],
    [
      "a bulk action of more than 200",
      "POST",
      "/api/queue",
      { ids: Array.from({ length: 201 }, (_, n) => `c${n}`), resolved: true },
    ],
    ["a tag", "POST", "/api/queue", { ids: ["c"], add_tags: [LONG] }],
    ["a tag that turns around", "POST", "/api/queue", { ids: ["c"], add_tags: [TURNED] }],
    [
      "decisions about more than 200",
      "POST",
      "/api/confirmations/decisions",
      { ids: Array.from({ length: 201 }, String), decision: "deny" },
    ],
    ["a suite's name", "POST", "/api/suites", { name: LONG }],
    [
      "what must hold in a case",
      "PUT",
      "/api/suites/s/cases/c",
      { expected: [{ kind: "state", path: "†state.a", equals: LONG.repeat(11) }] },
    ],
    ["tries of a run of a suite", "POST", "/api/suites/s/runs", { agent: "a", tries: 11 }],
    [
      "an absence of more than a year",
      "PUT",
      "/api/absences/admin",
      { deputy: "operator", until: "2099-01-01T00:00:00Z" },
    ],
    [
      "an absence in a distant future",
      "PUT",
      "/api/absences/admin",
      { deputy: "operator", from: "9998-06-01T00:00:00Z", until: "9998-07-01T00:00:00Z" },
    ],
  ])("%s is refused, and stores nothing", async (_, method, path, body) => {
    expect([400, 413]).toContain(await fault(server.send(method, path, body, as("admin"))));
    const left = await Promise.all(
      ["/api/alert-rules", "/api/judges", "/api/views", "/api/suites", "/api/absences"].map((list) =>
        server.get(list, as("admin")),
      ),
    );
    expect(left.map((list) => list.body.items)).toEqual([[], [], [], [], []]);
  });

  it("there are at most 50 rules, 50 judges, 200 suites, and 100 views of one person", async () => {
    const made = async (most: number, make: (n: number) => Promise<{ status: number }>) => {
      for (let n = 0; n < most; n += 1) expect((await make(n)).status).toBe(201);
      expect((await make(most)).status).toBe(409);
    };
    const off = { ...ALERT_RULE, enabled: false };
    await made(50, (n) => server.post("/api/alert-rules", { ...off, name: `r${n}` }, as("admin")));
    await made(50, (n) => server.send("PUT", `/api/judges/j${n}`, { ...JUDGE, enabled: false }, as("admin")));
    await made(200, (n) => server.post("/api/suites", { name: `s${n}` }, as("operator")));
    const events = ["user", "assistant"].map((role) => ({
      ...{ conversation_id: "recorded", type: "message.created", payload: { message_id: role, role, content: "Hi" } },
    }));
    expect((await server.post("/api/events", events, as("ingest"))).status).toBe(201);
    const save = (suite: string) =>
      server.post(`/api/suites/${suite}/cases`, { conversation_id: "recorded" }, as("operator"));
    expect(await save("more")).toMatchObject({ status: 409, body: { detail: /There are 200 suites.*remove one/ } });
    expect((await save("s0")).status).toBe(201);
    await made(100, (n) => server.post("/api/views", { name: `v${n}`, query: "" }, as("operator")));
  });

  it("a private view is nobody else's, not even its name, and viewers share none", async () => {
    const { body } = await server.post("/api/views", { name: "secret plan", query: "q=merger" }, as("viewer"));
    expect(JSON.stringify((await server.get("/api/views", as("admin"))).body)).not.toContain("secret plan");
    expect(
      (await server.send("PUT", `/api/views/${body.id}`, { name: "x", query: "", shared: false }, as("admin"))).status,
    ).toBe(404);
    expect((await server.send("DELETE", `/api/views/${body.id}`, undefined, as("operator"))).status).toBe(404);
    expect((await server.post("/api/views", { name: "all", query: "", shared: true }, as("viewer"))).status).toBe(403);
  });

  it("nobody says that somebody else is away, or makes a stranger a deputy", async () => {
    const until = new Date(Date.now() + 86_400_000).toISOString();
    const set = (name: string, deputy: string, by: CallerName) =>
      server.send("PUT", `/api/absences/${name}`, { deputy, until }, as(by));
    expect((await set("admin", "operator", "operator")).status).toBe(403);
    expect((await set("operator", "viewer", "operator")).status).toBe(400);
    expect((await set("operator", "operator", "operator")).status).toBe(400);
    expect((await set("operator", "admin", "operator")).status).toBe(200);
    // It gives no rights: it is a view of the queue.
    const event = { conversation_id: "hers", type: "log", payload: {} };
    expect((await server.post("/api/events", event, as("ingest"))).status).toBe(201);
    expect((await server.post("/api/queue", { ids: ["hers"], assignee: "operator" }, as("operator"))).status).toBe(200);
    const mine = async (by: CallerName) =>
      (await server.get("/api/conversations?queue=mine", as(by))).body.items.map(({ id }: { id: string }) => id);
    expect([await mine("admin"), await mine("operator")]).toEqual([["hers"], ["hers"]]);
    expect((await server.send("DELETE", "/api/absences/operator", undefined, as("operator"))).status).toBe(204);
    expect(await mine("admin")).toEqual([]);
  });

  it("others are served while rules are tried on the past and the list is sorted and exported", async () => {
    const events = Array.from({ length: 3_000 }, (_, n) => ({ conversation_id: `many${n}`, type: "log", payload: {} }));
    for (let at = 0; at < events.length; at += 1_000)
      expect((await server.post("/api/events", events.slice(at, at + 1_000), as("ingest"))).status).toBe(201);
    const answered: string[] = [];
    const busy = Promise.all([
      ...Array.from({ length: 10 }, () =>
        server.post("/api/alert-rules/try", { condition: ALERT_RULE.condition, days: 30 }, as("viewer")),
      ),
      server.get("/api/conversations?sort=cost&limit=200", as("viewer")),
      server.get("/api/export/csv", as("viewer")),
    ]).then((answers) => {
      answered.push("busy");
      return answers.map(({ status }) => status);
    });
    expect((await server.get("/api/health")).status).toBe(200);
    answered.push("probe");
    expect(new Set(await busy)).toEqual(new Set([200]));
    expect(answered).toEqual(["probe", "busy"]);
  });
});
