import type { Connection } from "@/components/client/live.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import type { Session, Summary } from "@/lib/session/session.ts";
import type { TimelineRow, TimelineRows } from "@/lib/session/timeline/timeline.ts";
import type { LongTimeline } from "@/lib/session/timeline/timeline-long.ts";
import type { StepUnit } from "@/lib/session/timeline/timeline-steps.ts";

export type { StepUnit } from "@/lib/session/timeline/timeline-steps.ts";

/** How fast replay runs: recorded time, or so many steps a second where there is no time. */
export type Speed = 0.5 | 1 | 2 | 4 | 8;

/**
 * The one owner of a studio's replay: where the playhead is, and the session as it stood there. Components read it
 * through `useStudio`; what must move every frame (the playhead's line) subscribes to the store itself.
 */
export interface StudioState {
  conversationId: string;
  /** Of a fork: where it goes its own way; null elsewhere. */
  forkedFrom: Summary["forked_from"];
  /** The newest step known. */
  last: number;
  /** How the conversation stands after its newest step, wherever the playhead is. */
  now: Summary;
  /** Where the playhead is, 0 … last. */
  at: number;
  /** The playhead follows what arrives. */
  following: boolean;
  playing: boolean;
  speed: Speed;
  /** The playhead is being dragged: nothing is fetched until it rests. */
  dragging: boolean;
  /** The session at the step `session.at`, which lags behind `at` while it is being loaded or the playhead moves fast. */
  session: Session;
  /** The session one step before, for what this step changed; null while it is being loaded or at step 0. */
  before: Session | null;
  /** The event of the step `at`; null at 0 or while it is being loaded. */
  event: SessionEvent | null;
  /** A view or events are on their way for the place of the playhead. */
  loading: boolean;
  /** Why the newest load failed, in words to show; null when it did not. */
  failure: string | null;
  connection: Connection;
  /** Slim rows: of the whole session, of a long one those around what is looked at. Null until loaded. */
  timeline: TimelineRows | null;
  /** What else is known of a session that is too long for all of its rows; null for others. */
  long: LongTimeline | null;
  /** How far the server has come with making a timeline that it cannot answer yet, as a share; null where it does not say. */
  making: number | null;

  /** Goes to a step (bounded to 0 … last) and stops following, unless it is the last. */
  seek(at: number): void;
  /** Goes to a step, or where `to` leads, as a place of its own: the browser's Back returns to where one was. */
  jump(to: number | (() => void)): void;
  /** Goes to the next or previous of a kind; stays where there is none. */
  step(unit: StepUnit, direction: 1 | -1): void;
  /** Looks for the next or previous of a kind, round the end where people look for it so; `then` is called where there is one. */
  find(unit: StepUnit, direction: 1 | -1, then: (row: TimelineRow) => void): void;
  /** These steps are in sight. */
  look(range: { from: number; to: number }): void;
  /** Returns to the newest step and follows. */
  goLive(): void;
  play(): void;
  pause(): void;
  setSpeed(speed: Speed): void;
  setDragging(dragging: boolean): void;
  /** Tries a failed load again. */
  retry(): void;
}
