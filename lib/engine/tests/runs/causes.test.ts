import { expect, test } from "vitest";
import { scripted } from "../../testing/scripted.ts";
import { type Bench, echo, setup } from "../../testing/setup.ts";

const value = { properties: { value: {} } };
const tools = { echo: { activity: echo, schema: value }, hand: {}, colour: { schema: { properties: {} } } };

/** What each event comes of: `call.succeeded a < call.started a`. */
function causes(bench: Bench): string[] {
  const name = ({ type, payload }: { type: string; payload: unknown }) =>
    `${type} ${payload !== null && typeof payload === "object" && "call_id" in payload ? payload.call_id : ""}`.trim();
  const byId = new Map(bench.journal.events.map((event) => [event.id, event]));
  return bench.journal.events.map((event) => {
    const cause = byId.get(event.caused_by ?? "");
    return `${name(event)} < ${cause ? name(cause) : "-"}`;
  });
}

test("E2: each step of a run tells what it comes of, iteration by iteration", async () => {
  const a = { _tool: "echo", _id: "a", value: 1, _outputPath: "†state.a" };
  const { model } = scripted(
    { calls: [a, { _tool: "echo", _id: "b", value: "†state.a" }] },
    { calls: [a] },
    { calls: [], output: 1 },
  );
  const bench = setup({ tools, model });
  await bench.run(null);
  const told = causes(bench);
  expect(told).toEqual([
    "conversation.created < -",
    "run.started < -",
    "run.iteration < run.started",
    "prompt.rendered < run.iteration",
    "model.requested < prompt.rendered",
    "call.started a < model.requested",
    "model.responded < model.requested",
    "plan.proposed < model.responded",
    "plan.validated < plan.proposed",
    "call.succeeded a < call.started a",
    "state.written a < call.succeeded a",
    "call.started b < call.succeeded a",
    "call.succeeded b < call.started b",
    "run.iteration < call.succeeded b",
    "prompt.rendered < run.iteration",
    "model.requested < prompt.rendered",
    "model.responded < model.requested",
    "plan.proposed < model.responded",
    "plan.validated < plan.proposed",
    "call.skipped a < call.succeeded a",
    "run.iteration < call.skipped a",
    "prompt.rendered < run.iteration",
    "model.requested < prompt.rendered",
    "model.responded < model.requested",
    "plan.proposed < model.responded",
    "plan.validated < plan.proposed",
    "run.finished < plan.validated",
  ]);
  expect(bench.events("plan.validated").some(({ payload }) => "outputs" in payload)).toBe(false);
});

test("E2: a start comes of the plan, or of the end that it waited for last; a wait and its end of what brought them", async () => {
  const bench = setup({
    tools: { ...tools, risky: { activity: echo, requires_confirmation: true } },
    delegates: [{ name: "worker", plan: [{ _tool: "echo", _id: "w", value: 1 }] }],
  });
  const id = await bench.run([
    { _tool: "risky", _id: "r", value: 1, _outputPath: "†state.r" },
    { _tool: "hand", _id: "h", _delegate: "worker", after: "†state.r" },
  ]);
  await bench.decide({ decision: "approve" });
  await bench.settle(id);
  const told = causes(bench);
  expect(told).toEqual(
    expect.arrayContaining([
      "call.parked r < plan.validated",
      "run.waiting < confirmation.requested r",
      "run.resumed < confirmation.approved r",
      "call.started r < confirmation.approved r",
      "call.started h < call.succeeded r",
      "run.started h < call.started h",
      "call.started w < plan.validated",
      "delegate.finished h < run.finished",
      "call.succeeded h < delegate.finished h",
      "run.finished < call.succeeded h",
    ]),
  );
});

test("E2: a latent call's answer comes of its request, and its result of the answer; a failed run of what failed", async () => {
  const { model } = scripted({ calls: [] }, new Error("gone"));
  const bench = setup({ tools, model });
  await bench.run([{ _tool: "colour", _id: "c" }]);
  expect(causes(bench)).toEqual(
    expect.arrayContaining([
      "prompt.rendered c < call.started c",
      "model.requested < prompt.rendered c",
      "model.responded < model.requested",
      "call.failed c < model.responded",
      "run.failed < call.failed c",
    ]),
  );
});
