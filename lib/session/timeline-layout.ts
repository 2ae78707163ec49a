/** The rows of the timeline, from top to bottom. */
export const LANES = ["axis", "events", "user", "agent", "model", "tools", "approvals"] as const;
export type Lane = (typeof LANES)[number];

/** The lanes that can be switched off. */
export const OPTIONAL_LANES = ["user", "agent", "model", "tools", "approvals"] as const satisfies Lane[];
export type OptionalLane = (typeof OPTIONAL_LANES)[number];

/** Where a lane lies, in pixels. */
export interface LaneBox {
  lane: Lane;
  top: number;
  height: number;
  /** How many tracks fit; 1 but for the tools. */
  tracks: number;
}

/** Heights in a roomy and in a low pane; the tools take 12 a track and their margin. */
const ROOMY = { axis: 18, events: 18, lane: 18 } as const;
const TIGHT = { axis: 18, events: 15, lane: 15 } as const;
export const TRACK = 12;
const TRACKS_MARGIN = 2;

/**
 * Lays the lanes into `height` pixels: roomy where they fit, else tight, and then the tools give up tracks, two at the
 * least. What is still too high is scrolled. Room that is left goes to the tools, up to the tracks they need.
 */
export function layLanes(lanes: readonly Lane[], tracksNeeded: number, height: number): LaneBox[] {
  const hasTools = lanes.includes("tools");
  const wanted = Math.max(tracksNeeded, 1);
  for (const sizes of [ROOMY, TIGHT]) {
    const rest = height - heightOf(lanes, sizes);
    const fitting = Math.min(Math.floor((rest - TRACKS_MARGIN) / TRACK), wanted);
    if (hasTools ? fitting >= Math.min(wanted, sizes === ROOMY ? 3 : 1) : rest >= 0)
      return place(lanes, sizes, fitting);
  }
  return place(lanes, TIGHT, Math.min(wanted, 2));
}

function heightOf(lanes: readonly Lane[], sizes: typeof ROOMY | typeof TIGHT): number {
  return lanes.reduce((sum, lane) => sum + (lane === "tools" ? 0 : laneHeight(lane, sizes)), 0);
}

function laneHeight(lane: Lane, sizes: typeof ROOMY | typeof TIGHT): number {
  return lane === "axis" ? sizes.axis : lane === "events" ? sizes.events : sizes.lane;
}

function place(lanes: readonly Lane[], sizes: typeof ROOMY | typeof TIGHT, tracks: number): LaneBox[] {
  let top = 0;
  return lanes.map((lane) => {
    const height = lane === "tools" ? tracks * TRACK + TRACKS_MARGIN : laneHeight(lane, sizes);
    const box = { lane, top, height, tracks: lane === "tools" ? tracks : 1 };
    top += height;
    return box;
  });
}
