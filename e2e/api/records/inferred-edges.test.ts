import { describe, expect, it } from "vitest";
import { withServer } from "../setup/server.ts";

const server = withServer();

type Step = [type: string, payload: object, more?: object];

/** Records steps of a run. */
async function record(conversation_id: string, run_id: string, ...steps: Step[]): Promise<void> {
  const events = steps.map(([type, payload, more]) => ({ conversation_id, run_id, type, payload, ...more }));
  expect((await server.post("/api/events", events)).status).toBe(201);
}

const said = (content: string): Step => [
  "message.created",
  { message_id: `m-${content}`, role: "user", content },
  { actor: "user:ann" },
];
const asks = (call_id: string, params: object): Step => ["call.started", { call_id, tool: "crm.get", params }];
const gets = (call_id: string, output: unknown): Step => ["call.succeeded", { call_id, tool: "crm.get", output }];

const edges = (id: string, query = "") => server.get(`/api/conversations/${id}/inferred-edges${query}`);

describe("E15: inferred edges", () => {
  it("have source, both paths and value, for all runs or one", async () => {
    await record("told", "run-1", said("I am ann_li_4521."), ["run.started", {}], asks("user", { id: "ann_li_4521" }));
    await record("told", "run-1", gets("user", { orders: ["W7741"] }), ["run.finished", {}]);
    await record("told", "run-2", ["run.started", {}], asks("order", { order: { id: "W7741" } }));
    const { status, body } = await edges("told");
    expect([status, body.cut]).toEqual([200, false]);
    expect(body.items).toEqual([
      {
        from: { kind: "message", message_id: "m-I am ann_li_4521.", seq: 1, role: "user" },
        to: { run_id: "run-1", iteration: 1, instance: "", call_id: "user" },
        to_path: "/id",
        value: "ann_li_4521",
      },
      {
        from: {
          kind: "call",
          call: { run_id: "run-1", iteration: 1, instance: "", call_id: "user" },
          path: "/orders/0",
        },
        to: { run_id: "run-2", iteration: 1, instance: "", call_id: "order" },
        to_path: "/order/id",
        value: "W7741",
      },
    ]);
    expect((await edges("told", "?run_id=run-2")).body.items).toEqual(body.items.slice(1));
    expect((await edges("told", "?run_id=other")).body).toEqual({ items: [], cut: false });
  });

  it("of a run include its delegates", async () => {
    await record("delegates", "top", said("Order W9931"), ["run.started", {}]);
    await record("delegates", "child", ["run.started", {}, { parent_run_id: "top" }], asks("find", { id: "W9931" }));
    expect((await edges("delegates", "?run_id=top")).body.items).toHaveLength(1);
  });

  it("identify a call's iteration as the view does", async () => {
    await record("counted", "run", said("Order W9931"), ["run.started", {}], ["run.iteration", {}]);
    await record("counted", "run", asks("find", { id: "W9931" }));
    const { calls } = (await server.get("/api/conversations/counted/view")).body;
    expect((await edges("counted")).body.items[0].to.iteration).toBe(calls[0].iteration);
  });

  it("skip very large payloads, and say so", async () => {
    await record("large", "run", ["run.started", {}], gets("all", { id: "W9931", text: "x".repeat(1_100_000) }));
    await record("large", "run", asks("find", { id: "W9931" }));
    expect((await edges("large")).body).toEqual({ items: [], cut: true });
  });

  it("are not found for an unknown conversation", async () => {
    expect((await edges("nobody")).status).toBe(404);
  });

  it("the paths of calls that agents record themselves are in the view, too", async () => {
    const paths = { output_path: "†state.order", reads: ["†state.user.id"] };
    await record("declared", "run", ["run.started", {}], ["call.started", { call_id: "c", tool: "crm.get", ...paths }]);
    const { calls } = (await server.get("/api/conversations/declared/view")).body;
    expect(calls[0]).toMatchObject(paths);
  });
});
