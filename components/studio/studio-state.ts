import type { Connection } from "@/components/client/live.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import type { Session, Summary } from "@/lib/session/session.ts";
import type { LongTimeline } from "@/lib/session/timeline/long-timeline.ts";
import type { StepRange } from "@/lib/session/timeline/scale/range.ts";
import type { StepUnit } from "@/lib/session/timeline/steps.ts";
import type { TimelineRow, TimelineRows } from "@/lib/session/timeline/timeline.ts";

export type { StepUnit } from "@/lib/session/timeline/steps.ts";

/** Playback speeds: recorded time, or steps per second without times. */
export type Speed = 0.5 | 1 | 2 | 4 | 8;

/**
 * The state of a studio's replay: the current step and its session. Components read it with `useStudio`; what changes
 * every frame (the playhead's line) subscribes to the store.
 */
export interface StudioState {
  conversationId: string;
  /** Of a fork: its first own step; null elsewhere. */
  forkedFrom: Summary["forked_from"];
  /** The newest known step. */
  last: number;
  /** The conversation's status after its newest step, whatever step is shown. */
  now: Summary;
  /** The current step, 0 … last. */
  at: number;
  /** The current step follows new events. */
  following: boolean;
  playing: boolean;
  /** The range that is played; null plays to the end of the session. */
  playedRange: StepRange | null;
  /** Playback starts the range over at its end instead of stopping. */
  looping: boolean;
  speed: Speed;
  /** The playhead is being dragged: nothing is fetched until it rests. */
  dragging: boolean;
  /** The session at `session.at`, which is behind `at` while loading or during fast changes. */
  session: Session;
  /** The session one step before; null while loading or at step 0. */
  before: Session | null;
  /** The event of the step `at`; null at 0 or while loading. */
  event: SessionEvent | null;
  /** A view or events for the current step are loading. */
  loading: boolean;
  /** The last loading error as a sentence; null for none. */
  failure: string | null;
  connection: Connection;
  /** Timeline rows: of the whole session, or of a part of a long one. Null until loaded. */
  timeline: TimelineRows | null;
  /** Buckets of a session too long for all its rows; null for others. */
  long: LongTimeline | null;
  /** The server's progress in computing the timeline, 0 to 1; null otherwise. */
  making: number | null;

  /** Goes to a step (clamped to 0 … last) and stops following, unless it is the last. */
  seek(at: number): void;
  /** Goes to a step, or to the result of `to`, and adds a history entry, so that Back returns. */
  jump(to: number | (() => void)): void;
  /** Goes to the next or previous of a kind; does nothing without one. */
  step(unit: StepUnit, direction: 1 | -1): void;
  /** Finds the next or previous of a kind, wrapping around where that is usual; `then` is called with it. */
  find(unit: StepUnit, direction: 1 | -1, then: (row: TimelineRow) => void): void;
  /** The loaded events after a step, in order; null if some of them are not loaded. */
  eventsAfter(seq: number): SessionEvent[] | null;
  /** Sets the visible steps. */
  look(range: { from: number; to: number }): void;
  /** Goes to the newest step and follows. */
  goLive(): void;
  play(): void;
  pause(): void;
  /** Sets the range for playback: it starts in it and stops at its end. */
  playWithin(range: StepRange | null): void;
  setLooping(looping: boolean): void;
  setSpeed(speed: Speed): void;
  setDragging(dragging: boolean): void;
  /** Retries a failed load. */
  retry(): void;
}
