import { DEFINITIONS } from "../events/definitions.ts";
import { isEventType } from "../events/kinds.ts";
import type { TimelineRow, TimelineRows } from "./timeline.ts";

/** The units of "previous" and "next". */
export type StepUnit = "step" | "call" | "message" | "run" | "error" | "approval" | "alert";

/** The event types of units that are found without rows; errors need rows. */
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

/** Rare units, for which the search wraps around. */
export const GO_ROUND: ReadonlySet<StepUnit> = new Set(["error", "approval", "alert"]);

/** The nearest step of a unit after or before `at`; null for none. Step 0 is before the first. */
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

/** The effects of steps: the first one, and their number. */
export type Effects = ReadonlyMap<number, { first: number; count: number }>;

/** Inverts causes: the effects of each step. */
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

/** The first step of the turn of `at`: the newest step with a person's message, else the first. */
export function turnStart(writtenAt: readonly number[], at: number): number {
  return writtenAt.findLast((seq) => seq <= at) ?? Math.min(at, 1);
}

/** A message by a person, a user or the manager. */
export function isPersonsMessage({ type, actor }: TimelineRow): boolean {
  return type === "message.created" && actor !== null && /^(user|operator)\b/.test(actor);
}
