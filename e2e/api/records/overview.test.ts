import { describe, expect, it } from "vitest";
import { withServer } from "../setup/server.ts";

const server = withServer();
const BEGIN = Date.parse("2026-11-20T09:00:00.000Z");
const WEEK = "from=2026-11-17T00:00:00Z&to=2026-11-24T00:00:00Z";

/** A conversation of one turn with a call of the tool. */
function turn(id: string, { fails = false, version = "1", tool = "refund" } = {}) {
  const call = { call_id: "c", tool };
  const step = (type: string, payload: object, after: number) => ({
    ...{
      conversation_id: id,
      type,
      payload,
      agent_id: "support",
      run_id: type.startsWith("conversation") ? null : `${id}-r`,
    },
    occurred_at: new Date(BEGIN + after).toISOString(),
  });
  const failed = { ...call, error: { code: "mismatch", message: `charge ${id} is in EUR` } };
  return [
    step("conversation.created", { channel: "web" }, 0),
    step("run.started", { agent_version: version }, 0),
    step("call.started", call, 100),
    fails ? step("call.failed", failed, 400) : step("call.succeeded", call, 400),
    step(fails ? "run.failed" : "run.finished", {}, 1_000),
  ];
}

async function counted(path: string) {
  for (;;) {
    const { status, body } = await server.get(path);
    expect(status).toBe(200);
    if (body.behind === 0) return body;
  }
}

describe("the overview", () => {
  it("counts what happened by hour, and the list has exactly what a number counts", async () => {
    await server.post("/api/events", [...turn("ov-1"), ...turn("ov-2", { fails: true, version: "2" })]);
    const overview = await counted(`/api/overview?${WEEK}`);
    expect(overview).toMatchObject({
      ...{ grain: "hour", from: "2026-11-17T00:00:00.000Z", to: "2026-11-24T00:00:00.000Z" },
      now: { conversations: 2, turns: 2, failed_turns: 1, calls: 2, failed_calls: 1 },
      earlier: { turns: 0 },
    });
    expect(overview.buckets).toHaveLength(7 * 24);
    const busy = overview.buckets.filter(({ now }: { now: { turns: number } }) => now.turns > 0);
    expect(busy).toMatchObject([{ at: "2026-11-20T09:00:00.000Z", now: { turns: 2, failed_turns: 1 } }]);
    const listed = async (query: string) =>
      (await server.get(`/api/conversations?${query}`)).body.items.map(({ id }: { id: string }) => id);
    const hour = "since=2026-11-20T09:00:00Z&until=2026-11-20T10:00:00Z";
    expect(await listed(`happened=failed_turn&${hour}`)).toEqual(["ov-2"]);
    expect(await listed("tool=refund&version=1")).toEqual(["ov-1"]);
    expect(await listed("happened=failed_turn&since=2026-11-20T10:00:00Z")).toEqual([]);
    expect((await counted(`/api/overview?${WEEK}&version=2`)).now).toMatchObject({ turns: 1, failed_turns: 1 });
  });

  it("tells the calls of each tool, and the errors of one by kind", async () => {
    await server.post("/api/events", [
      ...turn("tool-1", { fails: true, tool: "pay/now" }),
      ...turn("tool-2", { fails: true, tool: "pay/now" }),
    ]);
    const { tools } = await counted(`/api/overview/tools?${WEEK}`);
    expect(tools.find(({ name }: { name: string }) => name === "pay/now")).toMatchObject({ count: 2, failed: 2 });
    const report = await counted(`/api/overview/tools/${encodeURIComponent("pay/now")}?${WEEK}`);
    expect(report).toMatchObject({ count: 2, failed: 2, callers: [{ agent: "support", version: "1", count: 2 }] });
    expect(report.errors).toMatchObject([{ code: "mismatch", calls: 2, conversations: 2, versions: ["1"] }]);
    expect((await server.get("/api/overview/tools/never")).status).toBe(404);
  });

  it("compares two versions of an agent, also of runs that tell it by themselves", async () => {
    const { versions, compared } = await counted(`/api/overview/versions?agent=support&${WEEK}`);
    expect(versions.map(({ version }: { version: string }) => version)).toEqual(["2", "1"]);
    expect(compared).toMatchObject({
      versions: { before: "1", after: "2" },
      after: { conversations: 1, turns: 1 },
      measures: expect.arrayContaining([expect.objectContaining({ name: "failed", hits: { before: 2, after: 1 } })]),
    });
    expect((await counted(`/api/overview/versions?agent=nobody&${WEEK}`)).compared).toBeNull();
    expect((await server.get("/api/overview/versions")).status).toBe(400);
  });

  it("counts scores by name and version, and the list has those that a mark counts", async () => {
    await server.post("/api/events", [...turn("sc-1", { version: "s1" }), ...turn("sc-2", { version: "s2" })]);
    const score = (id: string, value: number | boolean) =>
      server.post("/api/scores", { conversation_id: id, run_id: `${id}-r`, name: typeof value, value });
    for (const [id, value] of [
      ["sc-1", 0.5],
      ["sc-2", 0.9],
      ["sc-2", false],
    ] as const)
      expect((await score(id, value)).status).toBe(200);
    const scores = async () => {
      for (;;) {
        const found = (await counted(`/api/overview?${WEEK}`)).scores;
        if (found.length === 2 && found[1].now.count === 2) return found;
      }
    };
    expect(await scores()).toMatchObject([
      { name: "boolean", kind: "boolean", now: { count: 1, mean: 0 } },
      {
        name: "number",
        now: { mean: 0.7 },
        where: {
          version: [
            { name: "s1", mean: 0.5 },
            { name: "s2", mean: 0.9 },
          ],
        },
      },
    ]);
    const listed = await server.get("/api/conversations?happened=scored&score=number%3E0.6&since=2026-11-20T09:00:00Z");
    expect(listed.body.items.map(({ id }: { id: string }) => id)).toEqual(["sc-2"]);
    const { compared } = await counted(`/api/overview/versions?agent=support&before=s1&after=s2&${WEEK}`);
    expect(compared.scores).toMatchObject([
      { name: "number", kind: "number" },
      { name: "boolean", hits: { before: 0, after: 0 } },
    ]);
  });

  it("refuses a period that ends before it begins, is longer than 400 days, or is not counted", async () => {
    const backwards = await server.get("/api/overview?from=2026-11-24T00:00:00Z&to=2026-11-17T00:00:00Z");
    expect([backwards.status, backwards.body.detail]).toEqual([400, expect.stringContaining("`to` after `from`")]);
    expect((await server.get("/api/overview?from=2020-01-01T00:00:00Z&to=2026-01-01T00:00:00Z")).status).toBe(400);
    const far = await server.get("/api/overview?from=9999-01-01T00:00:00Z&to=9999-06-01T00:00:00Z");
    expect([far.status, far.body.detail]).toEqual([400, expect.stringContaining("1970 to 2208")]);
    expect((await server.get("/api/overview?agent=")).status).toBe(400);
  });
});
