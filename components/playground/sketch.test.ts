import { expect, test } from "vitest";
import { readContext } from "@/lib/plan/context.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import type { Session } from "@/lib/session/session.ts";
import { knownTools } from "./editor/toolbox.ts";
import { createCallsReader } from "./read-calls.ts";
import { createSketcher, framesOf, withVerdict } from "./sketch.ts";

const PLAN: JsonObject[] = [
  { _tool: "a", _id: "a", _outputPath: "†state.yes || †state.no" },
  { _tool: "b", _id: "b", x: "†state.yes" },
  { _tool: "c", _id: "c", x: "†state.no", _outputPath: "†state.c" },
];
const read = createCallsReader()(PLAN, knownTools([], [], []));

function contextOf(messages: JsonObject[]) {
  const found = readContext(messages);
  return found.ok ? found.context : null;
}

function statuses(session: Session | undefined): Record<string, string> {
  return Object.fromEntries([...(session?.calls.values() ?? [])].map(({ id, status }) => [id, status]));
}

const SIMULATION = {
  waves: [["a"], ["c"]],
  critical_path: ["a", "c"],
  calls: {
    a: { status: "succeeded" },
    b: { status: "skipped", reason: "branch not taken" },
    c: { status: "succeeded" },
  },
  steps: [
    { call: "a", writes: [{ path: "†state.no", value: 1 }], state: {} },
    { call: "c", writes: [{ path: "†state.c", value: "done" }], state: {} },
  ],
} as const;

test("C9: a plan in the playground is a session without executed calls", () => {
  const sketch = createSketcher()(read, contextOf([{ type: "state", state: { begun: true } }]));
  const session = withVerdict(sketch, [
    { code: "unbound", severity: "error", call: "b", path: "/x", message: "It reads nothing" },
  ]);
  const [plan] = session.plans.values();
  expect(statuses(session)).toEqual({ a: "planned", b: "planned", c: "planned" });
  expect(plan).toMatchObject({ rejected: true, problems: [{ call: "b", path: "/x" }] });
  expect([...session.runs.values()][0]?.state).toEqual({ "": { begun: true } });
  // The graph is laid out again only when the calls are others.
  expect(plan?.calls).toBe([...sketch.plans.values()][0]?.calls);
});

test("C9, P18: each wave is a step with the calls that ended, their writes and their alternatives", () => {
  const frames = framesOf(withVerdict(createSketcher()(read, null), []), read, {
    ...SIMULATION,
    waves: SIMULATION.waves.map((wave) => [...wave]),
    critical_path: [...SIMULATION.critical_path],
    steps: SIMULATION.steps.map((step) => ({ ...step, writes: [...step.writes] })),
  });
  expect(frames.map(({ at }) => at)).toEqual([0, 1, 2]);
  expect(frames.map(statuses)).toEqual([
    { a: "planned", b: "planned", c: "planned" },
    { a: "succeeded", b: "skipped", c: "planned" },
    { a: "succeeded", b: "skipped", c: "succeeded" },
  ]);
  expect([...(frames[2]?.runs.values() ?? [])][0]?.state).toEqual({ "": { no: 1, c: "done" } });
  expect([...(frames[1]?.calls.values() ?? [])][0]?.branch).toBe(1);
  expect(frames[2]?.warnings).toEqual([]);
});
