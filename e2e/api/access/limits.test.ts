import { describe, expect, it } from "vitest";
import { readEvents } from "../setup/event-source.ts";
import { withOutside } from "../setup/outside.ts";
import { logEvent, rawCall, withServer } from "../setup/server.ts";

const RATE = 400;
let hold = Promise.withResolvers<void>();
const outside = withOutside(async () => {
  await hold.promise;
  return { body: {} };
});
const server = withServer({
  OBELUS_STREAMS_PER_CLIENT: "2",
  OBELUS_RUNS_AT_ONCE: "1",
  OBELUS_AGENT_TOKENS_PER_DAY: "1",
  OBELUS_RATE_LIMIT: String(RATE),
  get OBELUS_HTTP_TOOL_HOSTS() {
    return outside.host;
  },
});

/** The last event of a run, with its content. */
async function endOf(conversationId: string, runId: string) {
  const reader = await readEvents(server.url, `/api/stream?after=0&conversation_id=${conversationId}`);
  const end = await reader.find(({ type, data }) => /^run\.(finished|failed)$/.test(type) && data.run_id === runId);
  reader.close();
  return { type: end.type, ...end.data.payload };
}

describe("Security: streams of one client", () => {
  it("are refused above the limit, and released however they end", async () => {
    await server.post("/api/events", [logEvent("s", 1)]);
    const first = await readEvents(server.url, "/api/stream");
    const second = await readEvents(server.url, "/api/conversations/s/ag-ui");
    const third = await server.get("/api/stream");
    expect([third.status, third.body.code, third.headers.get("retry-after")]).toEqual([429, "too_many_requests", "10"]);
    expect(third.body.detail).toMatch(/^The limit of 2 streams per client is reached; .* OBELUS_STREAMS_PER_CLIENT\.$/);
    expect((await server.get("/api/str%65am")).status).toBe(429);
    // The client disconnects.
    first.close();
    await expect.poll(async () => (await server.send("GET", "/api/stream?after=x")).status).toBe(400);
    // Refused requests and finished ones hold no slot.
    for (let n = 0; n < 5; n++) expect((await server.send("HEAD", "/api/stream")).status).toBe(200);
    const again = await readEvents(server.url, "/api/stream");
    expect((await server.get("/api/stream")).status).toBe(429);
    again.close();
    second.close();
    await second.ended;
  });
});

describe("Security: concurrent runs", () => {
  const plan = () => ({
    plan: [{ _tool: "slow" }],
    tools: [
      { name: "slow", schema: { type: "object" }, activity: { type: "http", url: `http://${outside.host}/slow` } },
    ],
  });

  it("a further run of a plan is refused with Retry-After, and a user's message waits", async () => {
    hold = Promise.withResolvers();
    const asked = outside.next();
    const first = await server.post("/api/plans/run", plan());
    expect(first.status).toBe(202);
    await asked;
    const second = await server.post("/api/plans/run", plan());
    expect([second.status, second.body.code, second.headers.get("retry-after")]).toEqual([
      429,
      "too_many_requests",
      "5",
    ]);
    expect(second.body.detail).toContain("OBELUS_RUNS_AT_ONCE");
    await server.post("/api/conversations", { id: "turns" });
    expect((await server.post("/api/conversations/turns/messages", { content: "Hello" })).status).toBe(202);
    hold.resolve();
    expect((await endOf(first.body.conversation_id, first.body.run_id)).type).toBe("run.finished");
    // The user's turn may run.
    await expect.poll(async () => (await server.post("/api/plans/run", plan())).status).toBe(202);
  });
});

describe("Security: daily tokens of an agent", () => {
  const say = async (id: string) => {
    await server.post("/api/conversations", { id });
    const { body } = await server.post(`/api/conversations/${id}/messages`, { content: "Hello" });
    return endOf(id, body.run_id);
  };
  const alerts = async () =>
    (await server.get("/api/alerts")).body.items.filter(({ reason }: { reason: string }) => reason === "daily_limit");

  it("used up, its runs end with a message, users get a polite reply, and managers one alert a day, also after restarts", async () => {
    await say("day-0");
    const refused = await say("day-1");
    expect(refused).toMatchObject({ type: "run.failed", error: { code: "daily_limit" } });
    expect(refused.error.message).toMatch(
      /^The agent \w+ has used its 1 tokens of today \(UTC\); wait until tomorrow, or raise OBELUS_AGENT_TOKENS_PER_DAY$/,
    );
    const { body } = await server.get("/api/conversations/day-1/messages");
    expect(body.items.at(-1).content).toContain("Please write again tomorrow");
    expect(await alerts()).toHaveLength(1);
    await server.restart("SIGKILL");
    expect((await say("day-2")).type).toBe("run.failed");
    expect(await alerts()).toHaveLength(1);
  });
});

describe("Security: limits of requests", () => {
  it("refuses headers over 16 kB, and continues", async () => {
    await rawCall(server.url, "GET", "/api/health", { host: "localhost", "x-long": "y".repeat(20_000) }).then(
      ({ status }) => expect(status).toBe(431),
      (error) => expect(error.code).toBe("ECONNRESET"),
    );
    expect((await rawCall(server.url, "GET", `/api/health?${"a".repeat(20_000)}`, { host: "localhost" })).status).toBe(
      431,
    );
    expect((await server.get("/api/health")).status).toBe(200);
  });
});

describe("Security: requests per minute", () => {
  it("returns the remaining number, then Retry-After; health checks are never refused", async () => {
    const before = await server.get("/api/prices");
    expect(before.headers.get("ratelimit-policy")).toBe(`"minute";q=${RATE};w=60`);
    expect(before.headers.get("ratelimit")).toMatch(/^"minute";r=\d+;t=\d+$/);
    let refused = before;
    for (let n = 0; n <= RATE && refused.status !== 429; n++) refused = await server.get("/api/prices");
    expect([refused.status, refused.body.code]).toEqual([429, "too_many_requests"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.body.detail).toMatch(
      /^The limit of 400 requests per minute is reached; retry in \d+ s, or raise OBELUS_RATE_LIMIT\.$/,
    );
    expect((await server.post("/api/events", logEvent("late", 1))).status).toBe(429);
    for (const path of ["/api/health", "/api/ready"]) expect((await server.get(path)).status).toBe(200);
  });
});
