import { expect, it } from "vitest";
import { withServer } from "../setup/server.ts";

const server = withServer();

it("P24: distinguishes own runs, which can be cancelled and resumed, from others", async () => {
  const plan = [{ _tool: "greet", _id: "hello" }];
  const tools = [{ name: "greet", schema: { type: "object" } }];
  const { body } = await server.post("/api/plans/run", { plan, tools, mode: "shadow" });
  const own = await server.get(`/api/runs/${body.run_id}`);
  expect([own.status, own.body]).toEqual([
    200,
    { run_id: body.run_id, own: true, conversation_id: body.conversation_id },
  ]);

  const reported = [{ conversation_id: "outside", type: "run.started", run_id: "reported", payload: {} }];
  expect((await server.post("/api/events", reported)).status).toBe(201);
  for (const run of ["reported", "nobody"]) {
    const { status, body: answer } = await server.get(`/api/runs/${run}`);
    expect([status, answer]).toEqual([200, { run_id: run, own: false, conversation_id: null }]);
  }
});
