import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ROOT } from "../../../scripts/process.mjs";
import { talkAs } from "../setup/crm-talk.ts";
import { withServer } from "../setup/server.ts";

// The bundled demo portal, scripted model, and agent.
const server = withServer();

const SAYS = "Измени сумму сделки 123 на 150000";

async function started(suite: string, body: object): Promise<string> {
  const { status, body: run } = await server.post(`/api/suites/${suite}/runs`, body);
  expect(status, JSON.stringify(run)).toBe(202);
  return run.id;
}

async function ended(suite: string, run: string) {
  return await vi.waitFor(
    async () => {
      const { body } = await server.get(`/api/suites/${suite}/runs/${run}`);
      expect(["queued", "running"]).not.toContain(body.run.status);
      return body;
    },
    { timeout: 60_000, interval: 100 },
  );
}

beforeAll(async () => {
  const anna = await talkAs(server, "anna");
  const turn = await anna.turn(SAYS);
  const [asked] = await anna.waiting();
  await anna.decide(asked.id, { decision: "approve" });
  await anna.ended(turn);
});

describe("a suite of the server", () => {
  it("has sessions as cases, and runs them against an agent", async () => {
    const saved = await server.post("/api/suites/deals/cases", { conversation_id: "anna", title: "Amount of a deal" });
    expect([saved.status, saved.body]).toMatchObject([201, { title: "Amount of a deal", conversation_id: "anna" }]);
    expect((await server.post("/api/suites/deals/cases", { conversation_id: "anna" })).status).toBe(409);
    expect((await server.get("/api/suites")).body.items).toMatchObject([{ name: "deals", cases: 1, run: null }]);

    const run = await started("deals", { agent_id: "crm", tries: 3 });
    const done = await ended("deals", run);
    expect(done).toMatchObject({
      run: { status: "finished", done: 3, total: 3, agent_id: "crm", error: null },
      report: {
        counts: { passed: 1, failed: 0, flaky: 0 },
        cases: [{ title: "Amount of a deal", verdict: "passed", first: null, taken: { duration: expect.any(Number) } }],
      },
      against: null,
    });
    const [{ calls, recorded, tries }] = done.report.cases;
    expect([calls > 0, recorded === calls, tries.length]).toEqual([true, true, 3]);
  });

  it("says what changed instructions do otherwise, compared with the run before", async () => {
    const agent = (await server.get("/api/agents/crm")).body;
    const { id: _, version: __, source: ___, ...definition } = agent;
    const run = await started("deals", {
      agent_id: "crm",
      definition: { ...definition, tools: ["crm.deal.get"] },
      tries: 2,
    });
    const done = await ended("deals", run);
    expect(done).toMatchObject({
      report: { counts: { passed: 0, failed: 1, flaky: 0 } },
      against: { comparison: { cases: 1, before: { share: 1 }, after: { share: 0 }, change: { share: -1 } } },
    });
    const [{ id, first }] = done.report.cases;
    expect(first).toMatchObject({ number: expect.any(Number), is: expect.any(String) });
    const { body } = await server.get(`/api/suites/deals/runs/${run}/cases/${encodeURIComponent(id)}`);
    expect(body.items.map(({ number }: { number: number }) => number)).toEqual([1, 2]);
    expect(body.items[0].result.difference.first).toBe(first.number - 1);
  });

  it("checks a score that a judge gives", async () => {
    const judged = { score: "careful", prompt: "{{transcript}}", scale: { kind: "number", min: 1, max: 5 } };
    expect((await server.send("PUT", "/api/judges/critic", judged)).status).toBe(201);
    const { body: suite } = await server.get("/api/suites/deals");
    const place = `/api/suites/deals/cases/${encodeURIComponent(suite.cases[0].id)}`;
    const outcomes = [];
    for (const least of [{ at_least: 5 }, { at_least: 5.5 }, { at_least: 1, name: "nobody's" }]) {
      const expected = [{ kind: "score", name: "careful", ...least }];
      expect((await server.send("PUT", place, { expected })).status).toBe(200);
      const { report } = await ended("deals", await started("deals", { agent_id: "crm" }));
      const [{ verdict, tries, taken }] = report.cases;
      outcomes.push([
        verdict,
        tries[0].checks.map(({ found }: { found: unknown }) => found),
        report.tokens > taken.tokens,
      ]);
    }
    expect(outcomes).toEqual([
      ["passed", [], true],
      ["failed", [5], true],
      ["failed", [null], false],
    ]);
    expect((await server.send("PUT", place, { expected: [{ kind: "score", name: "a<b", at_least: 1 }] })).status).toBe(
      400,
    );
    expect((await server.send("PUT", place, { expected: [{ kind: "same_calls" }] })).status).toBe(200);
    expect((await server.send("DELETE", "/api/judges/critic")).status).toBe(204);
  });

  it("promotes a version, and takes it back", async () => {
    const { body: before } = await server.get("/api/agents/crm/versions");
    expect(before.items).toEqual([]);
    const run = await started("deals", { agent_id: "crm", instructions: "You are the CRM assistant. Be brief." });
    const { version } = (await ended("deals", run)).run;
    expect(version).not.toBe(before.current);
    const promoted = await server.post("/api/agents/crm/promote", { version, run_id: run });
    expect([promoted.status, promoted.body]).toMatchObject([
      200,
      { before: before.current, agent: { instructions: "You are the CRM assistant. Be brief.", source: "api" } },
    ]);
    expect((await server.post("/api/agents/crm/promote", { version })).status).toBe(409);
    const back = await server.post("/api/agents/crm/promote", { version: before.current });
    expect(back.status).toBe(200);
    const { body: after } = await server.get("/api/agents/crm/versions");
    expect(after).toMatchObject({
      current: before.current,
      items: [
        { version: before.current, before: version },
        { version, before: before.current, run_id: run },
      ],
    });
  });

  it("is cancelled while it runs, and what was done is kept", async () => {
    const run = await started("deals", { agent_id: "crm", tries: 10 });
    const { status, body } = await server.post(`/api/suites/deals/runs/${run}/cancel`, {});
    expect([status, body.status]).toEqual([202, "cancelled"]);
    expect((await server.post(`/api/suites/deals/runs/${run}/cancel`, {})).status).toBe(409);
    const { body: left } = await server.get(`/api/suites/deals/runs/${run}`);
    expect(left.run.done).toBe(left.report.cases[0]?.tries.length ?? 0);
  });

  it("keeps what was done when the server is killed, says that the run is over, and is run again", async () => {
    const run = await started("deals", { agent_id: "crm", tries: 10 });
    const told = async (id = run) => (await server.get(`/api/suites/deals/runs/${id}`)).body;
    await vi.waitFor(async () => expect((await told()).run.done).toBeGreaterThan(0), { timeout: 60_000, interval: 20 });
    await server.restart("SIGKILL");
    // Another replica says it once it has missed the one that ran it.
    await vi.waitFor(async () => expect((await told()).run.status).toBe("interrupted"), { timeout: 60_000 });
    const { run: left, report } = await told();
    expect(left).toMatchObject({ total: 10, finished_at: expect.any(String) });
    expect([left.done, new Set(report.cases[0].tries.map(({ number }: { number: number }) => number)).size]).toEqual([
      report.cases[0].tries.length,
      left.done,
    ]);
    expect((await server.post(`/api/suites/deals/runs/${run}/cancel`, {})).status).toBe(409);
    expect((await ended("deals", await started("deals", { agent_id: "crm" }))).run.status).toBe("finished");
  });

  it("takes two changes at once, and one of two equal cases", async () => {
    const save = () => server.post("/api/suites/twice/cases", { conversation_id: "anna" });
    expect((await Promise.all([save(), save()])).map(({ status }) => status).sort()).toEqual([201, 409]);
    const { body } = await server.get("/api/suites/twice");
    const place = `/api/suites/twice/cases/${encodeURIComponent(body.cases[0].id)}`;
    const change = (title: string) => server.send("PUT", place, { title });
    const fields = [{ title: "Both" }, { tags: ["kept"] }, { expected: [{ kind: "same_calls" }] }];
    const put = await Promise.all(fields.map((field) => server.send("PUT", place, field)));
    expect(put.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await server.get(place)).body).toMatchObject(Object.assign({}, ...fields));
    expect(
      (await Promise.all([change("One"), change("Two"), server.send("DELETE", place)])).map(({ status }) => status),
    ).toEqual([expect.toBeOneOf([200, 404]), expect.toBeOneOf([200, 404]), 204]);
    expect((await server.get(place)).status).toBe(404);
  });

  it("is run by the command, which says where to look", async () => {
    const command = (...args: string[]) =>
      promisify(execFile)(process.execPath, ["scripts/commands/main.ts", "suite", "deals", "--on-server", ...args], {
        cwd: ROOT,
        env: { ...process.env, OBELUS_URL: server.url },
      }).then(
        ({ stdout }) => ({ code: 0, stdout }),
        ({ code, stdout, stderr }) => ({ code, stdout: `${stdout}${stderr}` }),
      );
    const good = await command("--agent", "crm", "--tries", "2");
    expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining("✓ Amount of a deal (2/2)") });
    expect(good.stdout).toMatch(new RegExp(`${server.url}/suites/deals\\?run=[0-9a-f-]{36}`));
    const json = await command("--agent", "crm", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ cases: [{ title: "Amount of a deal", verdict: "passed" }] });
    const bad = await command("--agent", "agents/admin.json");
    expect(bad).toMatchObject({ code: 1, stdout: expect.stringContaining("✗ Amount of a deal (0/1)") });
    expect(await command("--agent", "nobody")).toMatchObject({ code: 1, stdout: expect.stringContaining("no agent") });
  });

  it("refuses what cannot be", async () => {
    const post = (path: string, body: object) => server.post(path, body).then(({ status }) => status);
    expect(await post("/api/suites", { name: "a/b" })).toBe(400);
    expect(await post("/api/suites", { name: "пустой" })).toBe(201);
    expect(await post("/api/suites", { name: "пустой" })).toBe(409);
    expect(await post(`/api/suites/${encodeURIComponent("пустой")}/runs`, { agent_id: "crm" })).toBe(409);
    expect(await post("/api/suites/nothing/runs", { agent_id: "crm" })).toBe(404);
    expect(await post("/api/suites/deals/runs", { agent_id: "nobody" })).toBe(404);
    expect(await post("/api/suites/deals/runs", { agent_id: "crm", cases: ["nothing"] })).toBe(404);
    expect(await post("/api/suites/deals/runs", { agent_id: "crm", tries: 11 })).toBe(400);
    expect(await post("/api/suites/deals/runs", { agent_id: "crm", model: "a\0b" })).toBe(400);
    expect((await server.post("/api/suites/deals/runs", { agent_id: "crm", cases: [] })).body).toMatchObject({
      errors: [{ path: "/cases", message: "must have at least one case; omit it for all of them" }],
    });
    expect(await post("/api/agents/crm/promote", { version: "nothing" })).toBe(404);
  });
});
