import { describe, expect, it } from "vitest";
import { withOutside } from "../setup/outside.ts";
import { withServer } from "../setup/server.ts";

const outside = withOutside(async ({ path, call }) =>
  path === "fail" ? { status: 422, body: { message: `no ${call._id}` } } : { body: { name: `user ${call.id}` } },
);
const server = withServer({ OBELUS_HTTP_TOOL_HOSTS: "127.0.0.1" });

const user = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const getUser = {
  name: "getUser",
  schema: { type: "object", properties: { id: { type: "string" }, _output: user }, required: ["id"] },
};
const greet = {
  name: "greet",
  schema: { type: "object", properties: { name: { type: "string" }, _output: { type: "string" } } },
};
const tools = [getUser, greet];
const context = [{ type: "input", id: "u1" }];
const plan = [
  { _tool: "getUser", _id: "get", id: "†input.id", _outputPath: "†state.user || †state.error" },
  { _tool: "greet", _id: "hello", name: "†state.user.name", _outputPath: "†state.greeting" },
];

/** The tool, executed by the outside server. */
function outward(tool: { name: string; schema: object }, path: string) {
  return { ...tool, activity: { type: "http", url: `http://${outside.host}/${path}`, retries: 0 } };
}

async function viewOf(conversationId: string) {
  return (await server.get(`/api/conversations/${conversationId}/view`)).body;
}

/** Waits, following the stream, until the run has one of these events. */
async function until(conversationId: string, ...types: string[]) {
  const response = await fetch(`${server.url}/api/stream?conversation_id=${conversationId}&after=0`);
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    text += next.value;
    if (types.some((type) => text.includes(`event: ${type}\n`))) break;
  }
  await reader.cancel();
}

describe("P16: POST /api/plans/validate", () => {
  it("returns the graph of a valid plan", async () => {
    const { status, body } = await server.post("/api/plans/validate", { plan, tools, context });
    expect([status, body]).toEqual([
      200,
      {
        ok: true,
        problems: [],
        graph: {
          nodes: [
            { id: "get", tool: "getUser" },
            { id: "hello", tool: "greet" },
          ],
          edges: [{ from: "get", to: "hello", paths: ["†state.user.name"], kind: "branch" }],
        },
      },
    ]);
  });

  it("returns all problems at once, with 200", async () => {
    const wrong = [{ ...plan[0], id: 5 }, { ...plan[1], name: "†state.user.email", _foo: 1 }, { x: 1 }];
    const { status, body } = await server.post("/api/plans/validate", { plan: wrong, tools });
    expect([status, body.ok]).toEqual([200, false]);
    expect(body.problems.map(({ code, call, path }: Record<string, string>) => [code, call, path])).toEqual([
      ["invalid_params", "get", "/id"],
      ["unknown_meta", "hello", "/_foo"],
      ["unchecked", "hello", "/name"],
      ["unknown_tool", "call#1", "/_tool"],
    ]);
  });

  it("accepts 5,000 calls, and refuses what is not a plan, with its place", async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => ({
      ...plan[0],
      _id: `c${at}`,
      _outputPath: `†state.user${at}`,
    }));
    const { status, body } = await server.post("/api/plans/validate", { plan: many, tools, context });
    expect([status, body.ok, body.graph.nodes.length]).toEqual([200, true, 5_000]);
    const { status: refused, body: problem } = await server.post("/api/plans/validate", { plan: [1], steps: [] });
    expect([refused, problem.code, problem.errors.map(({ path }: { path: string }) => path)]).toEqual([
      400,
      "invalid_input",
      ["/plan/0", "/steps"],
    ]);
  });

  it("refuses an invalid context and tool, each with its place", async () => {
    const bad = await server.post("/api/plans/validate", {
      plan,
      tools,
      context: [{ type: "input" }, { type: "what" }],
    });
    expect([bad.status, bad.body.code, bad.body.errors[0].path]).toEqual([400, "invalid_input", "/context/1/type"]);
    const none = { ...getUser, schema: { type: "object", properties: { id: { type: "text" } } } };
    const tool = await server.post("/api/plans/validate", { plan, tools: [none], context });
    expect([tool.status, tool.body.code, tool.body.errors[0].path]).toEqual([400, "invalid_input", "/tools/0/schema"]);
  });
});

describe("P18: POST /api/plans/simulate", () => {
  it("simulates the plan with the chosen branches", async () => {
    const first = await server.post("/api/plans/simulate", { plan, tools, context });
    expect([first.status, first.body.waves, first.body.critical_path]).toEqual([
      200,
      [["get"], ["hello"]],
      ["get", "hello"],
    ]);
    expect(first.body.steps[1]).toMatchObject({ call: "hello", state: { user: { name: "" }, greeting: "" } });
    const { body } = await server.post("/api/plans/simulate", { plan, tools, context, branches: { get: 1 } });
    expect(body.calls).toMatchObject({ get: { status: "succeeded" }, hello: { status: "skipped" } });
  });

  it("refuses unknown branches (400), and an invalid plan (422 with its problems)", async () => {
    for (const branches of [{ nobody: 0 }, { get: 2 }, { hello: 1 }]) {
      const { status, body } = await server.post("/api/plans/simulate", { plan, tools, context, branches });
      expect([status, body.code, body.errors[0].path]).toEqual([
        400,
        "invalid_input",
        `/branches/${Object.keys(branches)[0]}`,
      ]);
    }
    const { status, body, headers } = await server.post("/api/plans/simulate", { plan, tools });
    expect([status, body.code, headers.get("content-type")]).toEqual([422, "invalid_plan", "application/problem+json"]);
    expect(body.problems).toMatchObject([{ code: "unbound", severity: "error", call: "get", path: "/id" }]);
    expect(body.detail).toContain("†input.id");
  });
});

describe("E14: POST /api/plans/run", () => {
  it("starts a run, whose events and state are in its conversation", async () => {
    const given = { plan, tools: [outward(getUser, "user"), outward(greet, "greet")], context };
    const { status, body } = await server.post("/api/plans/run", { ...given, user_id: "ann", budget: { calls: 10 } });
    expect(status).toBe(202);
    await until(body.conversation_id, "run.finished", "run.failed");
    const view = await viewOf(body.conversation_id);
    expect(view.runs).toMatchObject([{ id: body.run_id }]);
    expect(view.state[""].user).toEqual({ name: "user u1" });
  });

  it("P22: starts nothing for an invalid plan (422), an unknown conversation (404) or an unknown field (400)", async () => {
    const before = (await server.get("/api/conversations")).body.items.length;
    const wrong = await server.post("/api/plans/run", { plan, tools });
    expect([wrong.status, wrong.body.code, wrong.body.problems[0].code]).toEqual([422, "invalid_plan", "unbound"]);
    const unknown = await server.post("/api/plans/run", { plan, tools, context, conversation_id: "nowhere" });
    expect([unknown.status, unknown.body.code]).toEqual([404, "not_found"]);
    const field = await server.post("/api/plans/run", { plan, tools, context, modus: "shadow" });
    expect([field.status, field.body.errors[0].path]).toEqual([400, "/modus"]);
    expect((await server.get("/api/conversations")).body.items).toHaveLength(before);
  });

  it("P22: a shadow run executes nothing", async () => {
    const asked = outside.asked.length;
    const given = { plan, tools: [outward(getUser, "user"), greet], context, mode: "shadow" };
    const { body } = await server.post("/api/plans/run", given);
    await until(body.conversation_id, "run.finished", "run.failed");
    const view = await viewOf(body.conversation_id);
    expect(view.calls.map(({ status }: { status: string }) => status)).toEqual(["planned", "planned"]);
    expect(outside.asked).toHaveLength(asked);
  });
});

describe("P24: a run is cancelled and resumed", () => {
  it("cancels a waiting run; repeating it returns the same", async () => {
    const given = { plan: plan.slice(0, 1), tools: [outward(getUser, "user")], context, mode: "confirm" };
    const { body } = await server.post("/api/plans/run", given);
    await until(body.conversation_id, "run.waiting");
    for (let time = 0; time < 2; time += 1) {
      const { status, body: answer } = await server.send("POST", `/api/runs/${body.run_id}/cancel`);
      expect([status, answer]).toEqual([202, { run_id: body.run_id }]);
    }
    const view = await viewOf(body.conversation_id);
    expect(view.runs).toMatchObject([{ status: "cancelled" }]);
    const resumed = await server.post(`/api/runs/${body.run_id}/resume`, {});
    expect([resumed.status, resumed.body.code]).toEqual([409, "conflict"]);
  });

  it("runs a failed call again, and no others", async () => {
    const one = [{ _tool: "getUser", _id: "get", id: "†input.id", _outputPath: "†state.user" }];
    const { body } = await server.post("/api/plans/run", { plan: one, tools: [outward(getUser, "fail")], context });
    await until(body.conversation_id, "run.failed");
    const other = await server.post(`/api/runs/${body.run_id}/resume`, { calls: [{ call_id: "hello" }] });
    expect(other.status).toBe(409);
    const asked = outside.asked.length;
    const { status } = await server.post(`/api/runs/${body.run_id}/resume`, { calls: [{ call_id: "get" }] });
    expect(status).toBe(202);
    await until(body.conversation_id, "run.resumed");
    if (outside.asked.length === asked) await outside.next();
    expect(outside.asked.length).toBe(asked + 1);
  });

  it("returns 404 for runs of others, and 400 for an unknown field", async () => {
    expect((await server.send("POST", "/api/runs/nobody/cancel")).status).toBe(404);
    expect((await server.post("/api/runs/nobody/resume", {})).status).toBe(404);
    expect((await server.post("/api/runs/nobody/resume", { call: "a" })).body.errors[0].path).toBe("/call");
  });
});
