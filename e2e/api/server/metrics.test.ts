import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { describe, expect, it, vi } from "vitest";
import { TEST_POSTGRES } from "../../../db/postgres/testing/for-data-dir.ts";
import { withoutReplica } from "../setup/metrics.ts";
import { withServer } from "../setup/server.ts";

const server = withServer({ OBELUS_LOG_LEVEL: "debug", OBELUS_TRUSTED_PROXIES: "127.0.0.1" }, { logs: true });

const metrics = async () => withoutReplica((await server.get("/api/metrics")).body);

/** The value of a metric with these labels; 0 if missing. */
async function metric(name: string, labels = ""): Promise<number> {
  const line = (await metrics()).split("\n").find((each) => each.startsWith(`${name}${labels} `));
  return Number(line?.split(" ").at(-1) ?? 0);
}

/** The log lines of a request. */
async function linesOf(id: string) {
  const lines = (await server.log()).split("\n").filter((line) => line.includes(id));
  return lines.map((line) => JSON.parse(line));
}

describe("Run: metrics of health, lag, latency and size", () => {
  it("are in Prometheus' format, and complete", async () => {
    const { status, headers } = await server.get("/api/metrics");
    const body = await metrics();
    expect([status, headers.get("content-type")]).toEqual([200, "text/plain; version=0.0.4; charset=utf-8"]);
    const wanted = ["build_info", "commit_seconds", "writer_queue", "search_behind_events", "spans_waiting"];
    wanted.push("streams_open", "runs_open", "runs_waiting", "confirmations_waiting", "confirmations_oldest_seconds");
    wanted.push(
      "event_loop_wait_seconds",
      "alerts_open",
      "notices_unsent",
      "database_bytes",
      process.env[TEST_POSTGRES] ? "pool_connections_open" : "wal_bytes",
      "disk_free_bytes",
    );
    for (const name of wanted) expect(body).toMatch(new RegExp(`^# TYPE obelus_${name} `, "m"));
    for (const name of ["process_resident_memory_bytes", "process_cpu_seconds_total", "nodejs_eventloop_lag_seconds"])
      expect(body).toMatch(new RegExp(`^${name} [\\d.e-]+$`, "m"));
    expect(body).toMatch(/^nodejs_active_handles_total \d+$/m);
    expect(await metric("obelus_disk_free_bytes")).toBeGreaterThan(0);
  });

  it("have all names that the alert rules use", async () => {
    const alerts = await readFile(new URL("../../../deploy/alerts.yaml", import.meta.url), "utf8");
    const used = alerts.match(/\bobelus_\w+/g) ?? [];
    const there = await metrics();
    const isThere = (name: string) => there.includes(`# TYPE ${name.replace(/_(bucket|count|sum)$/, "")} `);
    // This server has no bot.
    expect(used.filter((name) => !isThere(name))).toEqual(["obelus_telegram_outbox_behind"]);
    expect(used.length).toBeGreaterThan(5);
  });

  it("counts requests by route, never by path, so that cardinality is bounded", async () => {
    const labels = (status: string) => `{method="GET",route="/api/conversations/[id]",status="${status}"}`;
    const before = await metric("obelus_http_requests_total", labels("4xx"));
    for (const id of ["nobody-1", "nobody-2", "nobody-3"]) await server.get(`/api/conversations/${id}?x=${id}`);
    await server.get("/there/is/nothing");
    expect(await metric("obelus_http_requests_total", labels("4xx"))).toBe(before + 3);
    const body = await metrics();
    expect(body).not.toContain("nobody-1");
    expect(body).not.toContain("/there/is");
    expect(body).toMatch(/route="other",status="4xx"/);
  });

  it("counts events, pending items, and models and tools of turns", async () => {
    const before = await metric("obelus_events_appended_total");
    const asked = { confirmation_id: "m1", key: "k", call_id: "c", action: { method: "pay", params: {} } };
    const event = { conversation_id: "m", type: "confirmation.requested", run_id: "r", payload: asked };
    await server.post("/api/events", event);
    expect(await metric("obelus_events_appended_total")).toBe(before + 1);
    expect(await metric("obelus_confirmations_waiting")).toBe(1);
    await server.post("/api/confirmations/m1/decision", { decision: "deny" });
    expect(await metric("obelus_confirmations_waiting")).toBe(0);

    await server.post("/api/conversations", { id: "talk", user_id: "talk", agent_id: "admin" });
    await server.post("/api/conversations/talk/messages", { content: "What does an assistant cost?" });
    await vi.waitFor(async () => {
      const body = await metrics();
      expect(body).toMatch(/^obelus_model_requests_total\{model="[^"]+",outcome="answered"\} [1-9]/m);
      expect(body).toMatch(/^obelus_model_output_tokens_total\{model="[^"]+"\} [1-9]/m);
    });
  });

  it("counts open streams", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const reader = request(`${server.url}/api/stream`, (response) => response.once("data", () => resolve()));
    reader.on("error", () => undefined).end();
    await promise;
    expect(await metric("obelus_streams_open")).toBe(1);
    reader.destroy();
    await vi.waitFor(async () => expect(await metric("obelus_streams_open")).toBe(0));
  });
});

describe("Run: log lines about a request have its id", () => {
  it("uses the id of a trusted proxy, and logs route, status, caller and duration, but not search terms", async () => {
    const id = "proxy-7f3a:1";
    const { headers } = await server.get("/api/conversations?q=secretword", { "x-request-id": id });
    expect(headers.get("x-request-id")).toBe(id);
    await vi.waitFor(async () => expect(await linesOf(id)).toHaveLength(1));
    expect(await linesOf(id)).toMatchObject([
      {
        request_id: id,
        method: "GET",
        route: "/api/conversations",
        status: 200,
        actor: "operator:console",
        ms: expect.any(Number),
      },
    ]);
    expect(await server.log()).not.toContain("secretword");
  });

  it("generates an id if there is none, or an unsafe one", async () => {
    const made = (await server.get("/api/health")).headers.get("x-request-id");
    const strange = (await server.get("/api/health", { "x-request-id": '"} {"level":60' })).headers.get("x-request-id");
    for (const id of [made, strange]) expect(id).toMatch(/^[0-9a-f-]{36}$/);
    expect(made).not.toBe(strange);
  });
});
