import { expect, test } from "vitest";
import { readLevel } from "@/components/graph/plan-level.ts";
import type { JsonObject } from "@/lib/session/json/json.ts";
import { emptySession, fold } from "@/lib/session/reducer/reducer.ts";
import { choosePlan } from "@/lib/session/runs/choose-plan.ts";
import { session } from "@/lib/session/testing/events.ts";
import type { PlacedEdge } from "../layout/layout.ts";
import { wiresOf } from "../layout/layout.ts";
import { lostPills } from "./lost-pills.ts";

const PLAN: JsonObject[] = [
  { _tool: "check", _id: "check", _outputPath: "†state.allowed || †state.refused" },
  { _tool: "other", _id: "other", _outputPath: "†state.refused.late" },
  { _tool: "tell", _id: "tell", yes: "†state.allowed", no: "†state.refused" },
];

type Step = Parameters<typeof session>[number];
const STARTED: Step = ["call.started", { call_id: "check", tool: "check" }];
const ALLOWED: Step = ["call.succeeded", { call_id: "check", tool: "check", branch: 0 }];
const SKIPPED: Step = ["call.skipped", { call_id: "other", tool: "other", reason: "branch not taken" }];

/** The unavailable inputs of the call `tell` after these steps. */
function lostAfter(...steps: Step[]): string {
  const folded = fold(
    emptySession("c"),
    session(["run.started", {}], ["plan.proposed", { iteration: 1, calls: PLAN }], ...steps),
  );
  const plan = choosePlan(folded, null, null);
  if (!plan) return "";
  const { nodes, links } = readLevel(plan, { session: folded, instance: "", toggled: new Set() });
  const feeds = wiresOf(nodes, links).flatMap(({ link, output, pill }): PlacedEdge[] => {
    const from = nodes.find(({ call }) => call.id === link.from);
    const to = nodes.find(({ call }) => call.id === link.to);
    if (!from || to?.call.id !== "tell") return [];
    return [{ from, to, write: link.write, output, pill, points: [], junctions: [] }];
  });
  return lostPills(folded, feeds);
}

test("P10: a path of a branch that was not taken is unavailable once no other call can write it", () => {
  expect(lostAfter(STARTED)).toBe("");
  expect(lostAfter(STARTED, ALLOWED)).toBe("");
  expect(lostAfter(SKIPPED, STARTED)).toBe("");
  expect(lostAfter(STARTED, ALLOWED, SKIPPED)).toBe("1");
});

test("P19b: the writes of a repeated call count although it is skipped", () => {
  const again: Step[] = [
    STARTED,
    ALLOWED,
    ["run.iteration", { iteration: 2 }],
    ["plan.proposed", { iteration: 2, calls: PLAN }],
    ["call.skipped", { call_id: "check", iteration: 2, tool: "check", reason: "Already done" }],
  ];
  expect(lostAfter(...again, ["call.skipped", { call_id: "other", iteration: 2, reason: "branch not taken" }])).toBe(
    "1",
  );
});
