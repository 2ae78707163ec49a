import type { ApprovalOutcome } from "@/lib/session/timeline/lanes/lanes.ts";

/** The texts of the canvas, in the reader's language and time zone. */
export interface Words {
  run(number: number): string;
  delegate: string;
  plan: string;
  answer: string;
  quote(text: string): string;
  duration(ms: number): string;
  offset(ms: number): string;
  /** With fractional digits of the seconds, if any. */
  clock(ms: number, digits?: 1 | 2 | 3): string;
  /** An approval: its tool and decision; `ms` is null without times. */
  approval(tool: string, outcome: ApprovalOutcome, ms: number | null): string;
  /** What the tint says: the turn up to the playhead, its steps and its time. */
  turnSoFar(from: number, to: number, ms: number | null): string;
}
