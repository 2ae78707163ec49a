import type { TimelineRow, TimelineRows } from "./timeline.ts";

/** What "previous" and "next" go by. */
export type StepUnit = "step" | "call" | "message" | "run" | "error";

const IS_UNIT = {
  step: () => true,
  call: ({ type }) => type.startsWith("call."),
  message: ({ type }) => type === "message.created",
  run: ({ type }) => type === "run.started",
  error: ({ error }) => error,
} as const satisfies Record<StepUnit, (row: TimelineRow) => boolean>;

/** The nearest step of a unit after or before `at`; null where there is none. Before the first step lies step 0. */
export function nextStep(rows: TimelineRows, at: number, unit: StepUnit, direction: 1 | -1): number | null {
  for (let seq = at + direction; seq >= 1 && seq <= rows.length; seq += direction) {
    const row = rows[seq - 1];
    if (row && IS_UNIT[unit](row)) return seq;
  }
  return unit === "step" && direction === -1 && at === 1 ? 0 : null;
}

/** The steps that `seq` brought about, oldest first. */
export function effectsOf(rows: TimelineRows, seq: number): number[] {
  return rows.filter(({ cause }) => cause === seq).map((row) => row.seq);
}

/** The first step of the turn that `at` belongs to: the newest message of a person up to then, else the first step. */
export function turnStart(rows: TimelineRows, at: number): number {
  for (let seq = at; seq > 1; seq -= 1) {
    const row = rows[seq - 1];
    if (row && isPersonsMessage(row)) return seq;
  }
  return Math.min(at, 1);
}

/** A message that a person wrote, from outside or as the manager. */
export function isPersonsMessage({ type, actor }: TimelineRow): boolean {
  return type === "message.created" && actor !== null && /^(user|operator)\b/.test(actor);
}
