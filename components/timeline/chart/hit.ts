import type { AgentWork } from "@/lib/session/timeline/lanes/lanes.ts";
import { AGENT_TRACK, isAgentLane, type LaneBox, TRACK } from "@/lib/session/timeline/lanes/layout.ts";
import type { TimelineModel } from "@/lib/session/timeline/model.ts";
import { type Projection, stepAt, xOf } from "@/lib/session/timeline/scale/projection.ts";
import { rowAt } from "@/lib/session/timeline/timeline.ts";
import { agentRows, rowOfCall } from "../draw/agents.ts";

/** The item under the pointer: a step, or a bar from step to step (`to` is null while it is open). */
export type Hit = { kind: "step"; seq: number } | { kind: "bar"; from: number; to: number | null; name: string };

/** The tolerance, in pixels. */
const NEAR = 6;

/** Finds the item at a pixel of the lanes; null for none. */
export function hitAt(
  { projection, model, boxes }: { projection: Projection; model: TimelineModel; boxes: readonly LaneBox[] },
  x: number,
  y: number,
): Hit | null {
  const box = boxes.find(({ top, height }) => y >= top && y < top + height);
  if (!box || box.lane === "axis") return null;
  const bar = barsOf(box, model, y).findLast(({ from, to }) => isOver(projection, from, to, x));
  if (bar && bar.name !== "") return { kind: "bar", ...bar };
  const seq = stepAt(projection, x);
  const isNear = seq > 0 && Math.abs(xOf(projection, seq) - x) <= NEAR;
  return isNear && (box.lane === "events" || box.lane === "user") ? { kind: "step", seq } : null;
}

interface Bar {
  from: number;
  to: number | null;
  name: string;
}

function barsOf(box: LaneBox, { lanes, rows }: TimelineModel, y: number): Bar[] {
  const { lane } = box;
  if (isAgentLane(lane)) return barsOfAgent(box, lanes.byAgent.find((work) => work.lane === lane) ?? null, y);
  switch (lane) {
    case "agent":
      return lanes.agent.map(({ from, to, run }) => ({ from, to, name: run }));
    case "model":
      return lanes.model.map(({ from, to }) => ({ from, to, name: rowAt(rows, to ?? from)?.type ?? "" }));
    case "tools": {
      const track = Math.floor((y - box.top) / TRACK);
      return lanes.tools
        .filter((call) => Math.min(call.track, box.tracks - 1) === track)
        .map(({ from, to, tool }) => ({ from, to, name: tool }));
    }
    case "approvals":
      return lanes.approvals.map(({ from, to, tool }) => ({ from, to, name: tool }));
    case "axis":
    case "events":
    case "user":
      return [];
    default:
      return lane satisfies never;
  }
}

/** Turns above, calls below. */
function barsOfAgent(box: LaneBox, work: AgentWork | null, y: number): Bar[] {
  if (work === null) return [];
  if (y < box.top + agentRows(box).work) return work.turns.map(({ from, to, run }) => ({ from, to, name: run }));
  const isHere = (call: { track: number }) => y >= rowOfCall(box, call) && y < rowOfCall(box, call) + AGENT_TRACK;
  return [
    ...(isHere({ track: 0 }) ? work.model : []).map(({ from, to }) => ({ from, to, name: "model" })),
    ...work.tools.filter(isHere).map(({ from, to, tool }) => ({ from, to, name: tool })),
  ];
}

function isOver(projection: Projection, from: number, to: number | null, x: number): boolean {
  const start = xOf(projection, from);
  const end = to === null ? projection.width : Math.max(xOf(projection, to), start + 3);
  return x >= start - 1 && x <= end + 1;
}
