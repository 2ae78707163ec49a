import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withServer } from "../setup/server.ts";
import { createWaiting } from "../setup/waiting.ts";

const { waitFor, look } = createWaiting();
// Bodies are untyped: a missing field fails the test that reads it.
// biome-ignore lint/suspicious/noExplicitAny: see above.
const sent: any[] = [];
/** A message that is being sent at a kill is sent again under its id. */
const received = new Set<unknown>();
let port = 0;

const receiver = createServer(async (request, response) => {
  const { data } = JSON.parse(await text(request));
  const id = request.headers["webhook-id"];
  if (!received.has(id)) sent.push(data);
  received.add(id);
  response.writeHead(204).end();
  look();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  port = (receiver.address() as AddressInfo).port;
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

const server = withServer({
  get OBELUS_NOTICE_WEBHOOK_URL() {
    return `http://127.0.0.1:${port}/hooks`;
  },
  OBELUS_NOTICE_WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
});

/** A turn of an agent whose call of a tool fails. */
const failedTurn = (id: string, tool: string) => {
  const call = { call_id: "c", iteration: 1, tool };
  return [
    { type: "conversation.created", payload: { agent_id: "support" } },
    { type: "run.started", run_id: `${id}-run`, payload: { agent_version: "2.8.0" } },
    { type: "call.started", run_id: `${id}-run`, payload: call },
    {
      type: "call.failed",
      run_id: `${id}-run`,
      payload: { ...call, error: { code: "mismatch", message: "charge 1 is in EUR" } },
    },
    { type: "run.finished", run_id: `${id}-run`, payload: {} },
  ].map((event, index) => ({ id: `${id}-${index}`, conversation_id: id, agent_id: "support", ...event }));
};
const condition = { metric: "error_rate", threshold: 0.5, tool: "refund" };
const namesSent = () =>
  sent.flatMap(({ notices }) => notices.map((notice: { rule: { name: string } }) => notice.rule.name));

it("a rule fires once, with a link to what it counted, and not again after kill -9", async () => {
  const made = await server.post("/api/alert-rules", { name: "Refunds fail", condition });
  expect([made.status, made.body]).toMatchObject([201, { state: "new", enabled: true, firing: null }]);
  await server.post("/api/events", failedTurn("a", "refund"));
  await waitFor(() => sent[0]);
  const [notice] = sent[0].notices;
  expect(sent[0]).toMatchObject({ subject: "1 alert rule fires", counts: { rule: 1 } });
  expect(notice).toMatchObject({
    kind: "rule",
    conversation_id: null,
    rule: { name: "Refunds fail", value: 1, count: 1 },
  });
  const query = new URL(notice.link).searchParams;
  const { body: list } = await server.get(
    `/api/conversations?happened=${query.get("happened")}&tool=${query.get("tool")}&since=${query.get("since")}&until=${query.get("until")}`,
  );
  expect(list.items.map(({ id }: { id: string }) => id)).toEqual(["a"]);

  await server.restart("SIGKILL");
  const { body } = await server.get(`/api/alert-rules/${made.body.id}`);
  expect(body.rule).toMatchObject({ state: "firing", firing: { value: 1, told_at: expect.any(String) } });
  expect(body.firings).toHaveLength(1);
  // Another rule is evaluated after it: once that one was sent, the first had its chance, too.
  await server.post("/api/alert-rules", { name: "Zone fails", condition: { ...condition, tool: "zone" } });
  await server.post("/api/events", failedTurn("b", "zone"));
  await waitFor(() => namesSent().find((name) => name === "Zone fails"));
  expect(namesSent()).toEqual(["Refunds fail", "Zone fails"]);
}, 60_000);

it("a rule on what is recorded already fires when it is saved, before anything new comes", async () => {
  await server.post("/api/alert-rules", { name: "Refunds failed before", condition });
  await waitFor(() => namesSent().find((name) => name === "Refunds failed before"));
}, 30_000);

it("a condition is tried on the past before it is saved", async () => {
  const tried = await server.post("/api/alert-rules/try", { condition, days: 7 });
  expect(tried.body).toMatchObject({ told: 1, currency: null, firings: [{ until: null, peak: 1, told: true }] });
  expect(tried.body.points).toHaveLength(7 * 24);
  expect(tried.body.points.at(-1).value ?? tried.body.points.at(-2).value).toBe(1);
  const refused = await server.post("/api/alert-rules/try", { condition: { ...condition, threshold: 5 } });
  expect([refused.status, refused.body.errors[0].path]).toEqual([400, expect.stringContaining("threshold")]);
});

it("rules are changed, muted and removed, and who did it is in the audit log", async () => {
  const { body: rule } = await server.post("/api/alert-rules", {
    name: "Costs",
    condition: { metric: "cost", threshold: 5 },
  });
  const path = `/api/alert-rules/${rule.id}`;
  expect((await server.post("/api/alert-rules", { name: "Costs", condition })).status).toBe(409);
  const changed = await server.send("PUT", path, { name: "Cost", condition: rule.condition, enabled: false });
  expect(changed.body).toMatchObject({ name: "Cost", enabled: false });
  const until = new Date(Date.now() + 86_400_000).toISOString();
  expect((await server.post(`${path}/mute`, { until })).body).toMatchObject({ muted_until: until });
  expect((await server.post(`${path}/mute`, { until: "2020-01-01T00:00:00.000Z" })).status).toBe(400);
  expect((await server.post(`${path}/mute`, { until: null })).body).toMatchObject({ muted_until: null });
  expect((await server.send("DELETE", path)).status).toBe(204);
  for (const answer of [
    await server.get(path),
    await server.send("DELETE", path),
    await server.post(`${path}/mute`, { until }),
  ])
    expect(answer.status).toBe(404);
  const { body: audit } = await server.get("/api/audit?limit=10");
  const actions = audit.items.map(({ action }: { action: string }) => action);
  expect(actions.slice(0, 5)).toEqual([
    "alert_rule.deleted",
    "alert_rule.muted",
    "alert_rule.muted",
    "alert_rule.changed",
    "alert_rule.created",
  ]);
});
