import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { withServer } from "../setup/server.ts";

let agentsDir = "";
beforeAll(async () => {
  agentsDir = await mkdtemp(join(tmpdir(), "obelus-agents-"));
  const rules = [{ name: "looked first", rule: "called", tool: "orders.get", before: "refund" }];
  await writeFile(join(agentsDir, "evaluators.json"), JSON.stringify(rules));
});
afterAll(() => rm(agentsDir, { recursive: true }));
const server = withServer({
  get OBELUS_AGENTS_DIR() {
    return agentsDir;
  },
});

const post = (score: object) => server.post("/api/scores", score);
const scores = async (id: string) => (await server.get(`/api/conversations/${id}/scores`)).body.items;
const record = (conversation_id: string, events: object[]) =>
  server.post(
    "/api/events",
    events.map((event) => ({ conversation_id, ...event })),
  );
const logs = (count: number) => Array.from({ length: count }, (_, index) => ({ type: "log", payload: { index } }));

describe("scores", () => {
  it("of people are stored beside the log, replaced by their author, audited and removed", async () => {
    await record("judged", logs(2));
    const before = (await server.get("/api/conversations/judged/events")).body.items;
    const given = { conversation_id: "judged", name: "rating", value: 2, comment: "  slow " };
    const { status, body } = await post(given);
    expect(status).toBe(200);
    expect(body).toMatchObject({ name: "rating", value: 2, comment: "slow", source: "person", by: "operator:console" });
    await post({ ...given, value: 4 });
    await post({ conversation_id: "judged", seq: 2, name: "thumbs", value: true });
    expect(await scores("judged")).toHaveLength(2);
    expect((await server.get("/api/conversations/judged/events")).body.items).toEqual(before);
    expect((await server.send("DELETE", `/api/conversations/judged/scores/${body.id}`)).status).toBe(204);
    expect(await scores("judged")).toMatchObject([{ name: "thumbs", value: true, seq: 2 }]);
    const { items } = (await server.get("/api/audit?target=conversation:judged")).body;
    expect(items.map(({ action }: { action: string }) => action)).toEqual([
      "score.removed",
      ...["score.set", "score.set", "score.set"],
    ]);
  });

  it("are in the list, which they filter, and in the export", async () => {
    await record("good", logs(1));
    await record("bad", logs(1));
    await post({ conversation_id: "good", name: "quality", value: 0.9, source: "program" });
    await post({ conversation_id: "bad", name: "quality", value: 0.2, source: "program" });
    const found = async (score: string) =>
      (await server.get(`/api/conversations?score=${encodeURIComponent(score)}`)).body.items;
    expect(await found("quality<0.5")).toMatchObject([
      { id: "bad", scores: [{ name: "quality", kind: "number", count: 1, value: 0.2 }] },
    ]);
    expect(await found("quality")).toHaveLength(2);
    expect((await server.get("/api/conversations?score=%3C3")).status).toBe(400);
    // Also what a person records as a program's.
    const { items } = (await server.get("/api/audit?target=conversation:bad")).body;
    expect(items).toMatchObject([{ action: "score.set" }]);
    const file = await (await fetch(`${server.url}/api/conversations/bad/export`)).text();
    expect(JSON.parse(file.split("\n")[0] ?? "")).toMatchObject({ version: 3, conversation: { scores: 1 } });
    const target = file
      .replaceAll('"bad"', '"target"')
      .replace(/"id":"[0-9a-f-]{36}"/g, (id) => `${id.slice(0, -2)}t"`);
    expect((await server.postRaw("/api/import", target, "application/x-ndjson")).status).toBe(201);
    expect(await scores("target")).toMatchObject(await scores("bad"));
    const cut = target.slice(0, target.lastIndexOf("\n", target.length - 2)).replaceAll('"target"', '"cut"');
    expect((await server.postRaw("/api/import", cut, "application/x-ndjson")).body.detail).toContain("incomplete");
  });

  it.each([
    ["an unknown conversation", { conversation_id: "nobody" }, 404],
    ["a step that is not there", { seq: 9 }, 400],
    ["a call without its run", { call_id: "k" }, 400],
    ["a run that is not there", { run_id: "r" }, 400],
    ["a run of an unknown conversation", { conversation_id: "nobody", run_id: "r" }, 404],
    ["a category with a NUL", { value: "a\0b" }, 400],
    ["a step and a run", { seq: 1, run_id: "r" }, 400],
    ["a name with an operator", { name: "a<b" }, 400],
    ["a long category", { value: "x".repeat(201) }, 400],
    ["a value that is none", { value: null }, 400],
    ["a long comment", { comment: "x".repeat(2_001) }, 400],
    ["a rule's source", { source: "evaluator" }, 400],
  ])("of %s are refused", async (_, more, status) => {
    await record("short", logs(1));
    expect((await post({ conversation_id: "short", name: "rating", value: 1, ...more })).status).toBe(status);
  });

  it("E15: come as events of OpenTelemetry, before or after their span", async () => {
    const trace = { traceId: "5b8efff798038103d269b633813fc60c" };
    const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
    const evaluation = {
      ...{ ...trace, spanId: "eee19b7ec3c1b174", timeUnixNano: "1767225601000000000" },
      eventName: "gen_ai.evaluation.result",
      attributes: [
        text("gen_ai.evaluation.name", "relevance"),
        { key: "gen_ai.evaluation.score.value", value: { doubleValue: 0.75 } },
        text("gen_ai.evaluation.explanation", "It answers the question."),
      ],
    };
    const scopeLogs = [{ scope: { name: "judge" }, logRecords: [evaluation] }];
    expect((await server.post("/v1/logs", { resourceLogs: [{ scopeLogs }] })).status).toBe(200);
    const span = {
      ...{ ...trace, spanId: "eee19b7ec3c1b174", name: "invoke_agent helper", kind: 1 },
      ...{ startTimeUnixNano: "1767225600000000000", endTimeUnixNano: "1767225601000000000" },
      attributes: [
        text("gen_ai.operation.name", "invoke_agent"),
        text("gen_ai.agent.name", "helper"),
        text("gen_ai.conversation.id", "traced"),
      ],
    };
    await server.post("/v1/traces", { resourceSpans: [{ scopeSpans: [{ scope: { name: "app" }, spans: [span] }] }] });
    await vi.waitFor(
      async () =>
        expect(await scores("traced")).toMatchObject([
          {
            ...{ name: "relevance", value: 0.75, comment: "It answers the question.", source: "program", by: "judge" },
            run_id: expect.any(String),
          },
        ]),
      { timeout: 20_000, interval: 200 },
    );
  });

  it("of a model are given to turns that have ended, with what it was asked; only administrators write judges", async () => {
    const judge = {
      ...{ score: "faithful", agent: "judged-agent", prompt: "{{question}}\n{{transcript}}", rubric: "5 is best" },
      scale: { kind: "number", min: 1, max: 5 },
    };
    expect((await server.send("PUT", "/api/judges/careful", { ...judge, prompt: "no place" })).status).toBe(400);
    const written = await server.send("PUT", "/api/judges/careful", judge);
    expect([written.status, written.body]).toMatchObject([201, { name: "careful", share: 1, today: { scores: 0 } }]);
    expect((await server.send("PUT", "/api/judges/careful", { ...judge, daily_tokens: 50_000 })).status).toBe(200);
    const { body: audit } = await server.get("/api/audit?action=judge.written");
    expect(audit.items[0]).toMatchObject({ target: "judge:careful", after: { daily_tokens: 50_000 } });
    const run_id = "judged-turn";
    const agent_id = "judged-agent";
    await record("by-model", [
      { type: "message.created", agent_id, payload: { message_id: "q", role: "user", content: "Where is order 7?" } },
      { type: "run.started", run_id, agent_id, payload: {} },
      {
        type: "call.failed",
        run_id,
        agent_id,
        payload: { call_id: "a", tool: "orders.get", error: { code: "gone", message: "gone" } },
      },
      { type: "run.finished", run_id, agent_id, payload: {} },
    ]);
    const [given] = await vi.waitFor(
      async () => {
        const found = await scores("by-model");
        expect(found).toMatchObject([{ name: "faithful", value: 1, source: "evaluator", by: "judge:careful", run_id }]);
        return found;
      },
      { timeout: 20_000, interval: 200 },
    );
    const { body } = await server.get(`/api/conversations/by-model/scores/${given.id}/judgement`);
    expect(body).toMatchObject({ model: "obelus-scripted", prompt: expect.stringContaining("Where is order 7?") });
    expect(body.prompt).toContain("5 is best");
    const [listed] = (await server.get("/api/judges")).body.items;
    expect(listed.today).toEqual({ scores: 1, tokens: body.input_tokens + body.output_tokens, cost: 0 });
    expect((await server.get("/api/conversations/by-model/scores/none/judgement")).status).toBe(404);
    await post({ conversation_id: "by-model", name: "faithful", value: 4 });
    expect((await server.get("/api/scores/agreement")).body.items).toMatchObject([
      {
        name: "faithful",
        rater: "judge:careful",
        pairs: 1,
        agreed: { share: 0 },
        disagreeing: [{ person: 4, rater: 1 }],
      },
    ]);
  });

  it("of rules are given to turns that have ended", async () => {
    const run_id = "turn";
    await record("ruled", [
      { type: "run.started", run_id, payload: {} },
      { type: "call.started", run_id, payload: { call_id: "b", tool: "refund" } },
      { type: "call.started", run_id, payload: { call_id: "a", tool: "orders.get" } },
      { type: "run.finished", run_id, payload: {} },
    ]);
    await vi.waitFor(
      async () =>
        expect(await scores("ruled")).toMatchObject([
          { name: "looked first", value: false, source: "evaluator", run_id, by: null },
        ]),
      { timeout: 20_000, interval: 200 },
    );
  });
});
