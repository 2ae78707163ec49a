import type { ApprovalOutcome } from "@/lib/session/timeline/timeline-lanes.ts";

/** What the drawn parts say, in the reader's language and time zone. */
export interface Words {
  run(number: number): string;
  delegate: string;
  plan: string;
  answer: string;
  quote(text: string): string;
  duration(ms: number): string;
  offset(ms: number): string;
  clock(ms: number): string;
  /** An approval: its tool and what became of it; `ms` is null where no times are told. */
  approval(tool: string, outcome: ApprovalOutcome, ms: number | null): string;
  /** The steps of the turn so far. */
  range(from: number, to: number, ms: number | null): string;
}
