import { describe, expect, it } from "vitest";
import { withServer } from "../setup/server.ts";

const server = withServer();
const PLAN = [
  { _tool: "deal.get", _id: "get", _outputPath: "†state.deal" },
  { _tool: "deal.check", _id: "check", sum: "†state.deal.sum" },
];

/** A turn that reads a deal and its sum. */
function turn(conversation_id: string, number: number, sum: number) {
  const run_id = `${conversation_id}-run-${number}`;
  const steps: [string, object][] = [
    ["run.started", {}],
    ["plan.proposed", { iteration: 1, calls: PLAN }],
    ["call.started", { call_id: "get", tool: "deal.get" }],
    ["state.written", { path: "†state.deal", value: { id: 7, sum }, call_id: "get" }],
    ["call.started", { call_id: "check", tool: "deal.check", params: { sum } }],
    ["model.responded", { model: "m", provider: "p", input_tokens: 100 * number, output_tokens: 10 }],
  ];
  return steps.map(([type, payload]) => ({ conversation_id, run_id, type, payload, actor: "agent:a" }));
}

const history = (id: string, query: string) => server.get(`/api/conversations/${id}/state-history?${query}`);
const path = encodeURIComponent("†state.deal.sum");

describe("C6: writes and reads of a path of the state", () => {
  it("returns each write with its value, and each call that read it, of all turns in order", async () => {
    await server.post("/api/events", [...turn("told", 1, 5), ...turn("told", 2, 6)]);
    const { status, body } = await history("told", `path=${path}`);
    expect(status).toBe(200);
    expect(body.items).toMatchObject([
      {
        seq: 4,
        kind: "written",
        tool: "deal.get",
        call_id: "get",
        run_id: "told-run-1",
        value: 5,
        path: "†state.deal",
      },
      { seq: 5, kind: "read", tool: "deal.check", path: "†state.deal.sum" },
      { seq: 10, kind: "written", value: 6, run_id: "told-run-2" },
      { seq: 11, kind: "read" },
    ]);
    expect(body.next).toBeNull();
  });

  it("is paged without gaps", async () => {
    await server.post("/api/events", [...turn("paged", 1, 5), ...turn("paged", 2, 6)]);
    const whole = (await history("paged", `path=${path}`)).body.items;
    const pages = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await history("paged", `path=${path}&limit=1${cursor && `&cursor=${cursor}`}`);
      pages.push(...body.items);
      cursor = body.next;
    }
    expect(pages).toEqual(whole);
  });

  it("is filtered by instance", async () => {
    const write = (instance: string, value: number) => ({
      conversation_id: "instances",
      type: "state.written",
      payload: { path: "†state.deal.sum", value, ...(instance && { instance }) },
    });
    await server.post("/api/events", [write("a", 1), write("b", 2), write("", 3)]);
    const values = async (query: string) =>
      (await history("instances", `path=${path}${query}`)).body.items.map(({ value }: { value: number }) => value);
    expect(await values("")).toEqual([1, 2, 3]);
    expect(await values("&instance=b")).toEqual([2]);
    expect(await values("&instance=")).toEqual([3]);
  });

  it.each(["deal", "†input.deal", "†state..x"])("refuses %s as a path, pointing at it", async (wrong) => {
    await server.post("/api/events", turn("refused", 1, 5));
    const { status, body } = await history("refused", `path=${encodeURIComponent(wrong)}`);
    expect([status, body.errors[0].path]).toEqual([400, "/path"]);
  });

  it("refuses an unknown conversation", async () => {
    expect((await history("nobody", `path=${path}`)).status).toBe(404);
  });
});

describe("C5: the tokens of a range of steps", () => {
  it("are the sum of models' usage between the two steps, inclusive", async () => {
    await server.post("/api/events", [...turn("tokens", 1, 5), ...turn("tokens", 2, 6)]);
    const tokens = async (query: string) => (await server.get(`/api/conversations/tokens/tokens${query}`)).body;
    expect(await tokens("")).toEqual({ responses: 2, unreported: 0, input_tokens: 300, output_tokens: 20 });
    expect(await tokens("?from=7&to=12")).toEqual({
      responses: 1,
      unreported: 0,
      input_tokens: 200,
      output_tokens: 10,
    });
    expect(await tokens("?from=7&to=11")).toEqual({ responses: 0, unreported: 0, input_tokens: 0, output_tokens: 0 });
    const untold = (type: string, payload = {}) => ({
      ...{ conversation_id: "tokens", run_id: "late", type, payload: { model: "m", provider: "p", ...payload } },
    });
    await server.post("/api/events", [
      untold("model.responded"),
      untold("model.failed", { input_tokens: 5, error: { code: "filtered", message: "No" } }),
      untold("model.failed", { error: { code: "filtered", message: "No" } }),
    ]);
    expect(await tokens("")).toEqual({ responses: 4, unreported: 1, input_tokens: 305, output_tokens: 20 });
    expect((await server.get("/api/conversations/nobody/tokens")).status).toBe(404);
  });
});
