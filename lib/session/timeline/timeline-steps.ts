import { DEFINITIONS } from "../definitions.ts";
import { isEventType } from "../kinds.ts";
import type { TimelineRow, TimelineRows } from "./timeline.ts";

/** What "previous" and "next" go by. */
export type StepUnit = "step" | "call" | "message" | "run" | "error" | "approval" | "alert";

/** The types by which a unit is found without looking at rows; an error is one by its row alone. */
export const TYPES_OF_UNIT = {
  call: stopsOf("call"),
  message: stopsOf("message"),
  run: stopsOf("run"),
  approval: stopsOf("approval"),
  alert: stopsOf("alert"),
} as const satisfies Partial<Record<StepUnit, readonly string[]>>;

function stopsOf(unit: StepUnit): string[] {
  return Object.entries(DEFINITIONS).flatMap(([type, { stop }]) => (stop === unit ? [type] : []));
}

function isUnit({ type, error }: TimelineRow, unit: StepUnit): boolean {
  if (unit === "step") return true;
  return unit === "error" ? error : isEventType(type) && DEFINITIONS[type].stop === unit;
}

/** What a session has few of, looked for from wherever one stands: after the last comes the first. */
export const GO_ROUND: ReadonlySet<StepUnit> = new Set(["error", "approval", "alert"]);

/** The nearest step of a unit after or before `at`; null where there is none. Before the first step lies step 0. */
export function nextStep(rows: TimelineRows, at: number, unit: StepUnit, direction: 1 | -1): number | null {
  const isIt = (seq: number) => {
    const row = rows[seq - 1];
    return row !== undefined && isUnit(row, unit);
  };
  for (let seq = at + direction; seq >= 1 && seq <= rows.length; seq += direction) if (isIt(seq)) return seq;
  if (GO_ROUND.has(unit)) {
    for (let seq = direction === 1 ? 1 : rows.length; seq !== at && seq >= 1 && seq <= rows.length; seq += direction)
      if (isIt(seq)) return seq;
  }
  return unit === "step" && direction === -1 && at === 1 ? 0 : null;
}

/** What steps brought about, by step: the first effect, and how many there are. */
export type Effects = ReadonlyMap<number, { first: number; count: number }>;

/** Turns causes round: which steps name each step as theirs. */
export function effectsOf(rows: TimelineRows): Effects {
  const effects = new Map<number, { first: number; count: number }>();
  for (const { seq, cause } of rows) {
    if (cause === null) continue;
    const known = effects.get(cause);
    if (known) known.count += 1;
    else effects.set(cause, { first: seq, count: 1 });
  }
  return effects;
}

/** The first step of the turn that `at` belongs to: the newest of the steps at which a person wrote, else the first. */
export function turnStart(writtenAt: readonly number[], at: number): number {
  return writtenAt.findLast((seq) => seq <= at) ?? Math.min(at, 1);
}

/** A message that a person wrote, from outside or as the manager. */
export function isPersonsMessage({ type, actor }: TimelineRow): boolean {
  return type === "message.created" && actor !== null && /^(user|operator)\b/.test(actor);
}
