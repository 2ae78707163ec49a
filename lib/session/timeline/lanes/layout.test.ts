import { expect, test } from "vitest";
import { callNamed, row } from "../../testing/timeline-rows.ts";
import { LanesBuilder } from "./lanes.ts";
import { layLanes, optionalLanes } from "./layout.ts";

const by = (agent: string) => ({ agent, run: "r" });

const lanes = new LanesBuilder().add([
  row(1, "message.created", { actor: "user:anna" }),
  row(2, "run.started", by("router")),
  row(3, "run.iteration", by("seller")),
  row(4, "call.started", { ...by("seller"), call: callNamed("a") }),
  row(5, "call.started", { ...by("seller"), call: callNamed("b") }),
]);

test("C5: lanes are by actor or by agent, and only those with content are there", () => {
  expect(optionalLanes(lanes, "actor")).toEqual(["user", "agent", "tools"]);
  expect(optionalLanes(lanes, "agent")).toEqual(["user", "agent:router", "agent:seller"]);
});

test("C5: an agent's lane is as high as its concurrent calls need, and lanes do not overlap", () => {
  const boxes = layLanes(["axis", "events", ...optionalLanes(lanes, "agent")], lanes, 400);
  const box = (lane: string) => boxes.find((one) => one.lane === lane);
  expect([box("agent:router")?.tracks, box("agent:seller")?.tracks]).toEqual([1, 2]);
  expect(box("agent:seller")?.height).toBeGreaterThan(box("agent:router")?.height ?? 0);
  for (const [i, { top, height }] of boxes.entries()) expect(boxes[i + 1]?.top ?? top + height).toBe(top + height);
});
