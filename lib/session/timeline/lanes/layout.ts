import type { Lanes } from "./lanes.ts";

/** The rows of the timeline, from top to bottom, without lanes per agent. */
const LANES = ["axis", "events", "user", "agent", "model", "tools", "approvals"] as const;
/** The lane of an agent; agents without a name share `agent:`. */
export type AgentLane = `agent:${string}`;
export type Lane = (typeof LANES)[number] | AgentLane;

/** Lanes by kind of actor, or by agent. */
export const GROUPINGS = ["actor", "agent"] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** The lanes that can be hidden. */
const OPTIONAL_LANES = ["user", "agent", "model", "tools", "approvals"] as const satisfies Lane[];
export type OptionalLane = (typeof OPTIONAL_LANES)[number] | AgentLane;

export function isAgentLane(lane: Lane): lane is AgentLane {
  return lane.startsWith("agent:");
}

/** The lanes with content, from top to bottom. */
export function optionalLanes(lanes: Lanes, grouping: Grouping): OptionalLane[] {
  const isThere = (lane: (typeof OPTIONAL_LANES)[number]) => lanes[lane].length > 0;
  switch (grouping) {
    case "actor":
      return OPTIONAL_LANES.filter(isThere);
    case "agent":
      return [
        ...(["user"] as const).filter(isThere),
        ...lanes.byAgent.map(({ lane }) => lane),
        ...(["approvals"] as const).filter(isThere),
      ];
    default:
      return grouping satisfies never;
  }
}

/** The position of a lane, in pixels. */
export interface LaneBox {
  lane: Lane;
  top: number;
  height: number;
  /** How many tracks fit; 1 except for tools and agents. */
  tracks: number;
}

/** Heights in a high and in a low pane; tools take 12 per track and their margin. */
const ROOMY = { axis: 18, events: 18, lane: 18, agent: 20 } as const;
const TIGHT = { axis: 18, events: 15, lane: 15, agent: 16 } as const;
export const TRACK = 12;
const TRACKS_MARGIN = 2;
/** The height of a track of calls in an agent's lane. */
export const AGENT_TRACK = 6;

/**
 * Lays out the lanes in `height` pixels: with large heights if they fit, else small ones, and then with fewer tracks of
 * tools, two at the least. The rest is scrolled. Remaining height goes to the tools, up to the tracks they need.
 */
export function layLanes(
  lanes: readonly Lane[],
  { tracks: tracksNeeded, byAgent }: Pick<Lanes, "tracks" | "byAgent">,
  height: number,
): LaneBox[] {
  const tracksOf = new Map<Lane, number>(byAgent.map(({ lane, tracks }) => [lane, tracks]));
  const hasTools = lanes.includes("tools");
  const wanted = Math.max(tracksNeeded, 1);
  for (const sizes of [ROOMY, TIGHT]) {
    const rest = height - heightOf(lanes, sizes, tracksOf);
    const fitting = Math.min(Math.floor((rest - TRACKS_MARGIN) / TRACK), wanted);
    if (hasTools ? fitting >= Math.min(wanted, sizes === ROOMY ? 3 : 1) : rest >= 0)
      return place(lanes, sizes, tracksOf.set("tools", fitting));
  }
  return place(lanes, TIGHT, tracksOf.set("tools", Math.min(wanted, 2)));
}

function heightOf(
  lanes: readonly Lane[],
  sizes: typeof ROOMY | typeof TIGHT,
  tracksOf: ReadonlyMap<Lane, number>,
): number {
  return lanes.reduce(
    (sum, lane) => sum + (lane === "tools" ? 0 : laneHeight(lane, sizes, tracksOf.get(lane) ?? 1)),
    0,
  );
}

function laneHeight(lane: Lane, sizes: typeof ROOMY | typeof TIGHT, tracks: number): number {
  if (isAgentLane(lane)) return sizes.agent + tracks * AGENT_TRACK;
  return lane === "axis" ? sizes.axis : lane === "events" ? sizes.events : sizes.lane;
}

function place(
  lanes: readonly Lane[],
  sizes: typeof ROOMY | typeof TIGHT,
  tracksOf: ReadonlyMap<Lane, number>,
): LaneBox[] {
  let top = 0;
  return lanes.map((lane) => {
    const tracks = tracksOf.get(lane) ?? 1;
    const height = lane === "tools" ? tracks * TRACK + TRACKS_MARGIN : laneHeight(lane, sizes, tracks);
    const box = { lane, top, height, tracks };
    top += height;
    return box;
  });
}
