import { FORKED } from "../runs/run-reasons.ts";
import type { Run } from "../session.ts";
import type { Compared, Sides } from "./sides.ts";

/**
 * Names of a session's runs for a comparison: the first turn is `1` whatever its id; a delegate's run is named by its
 * call, the n-th with the same name. A fork's continued turn has the name of the forked one.
 */
export function runNames(session: Compared): Map<string, string> {
  const { runs, runs_before } = session;
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  let turn = runs_before;
  for (const run of runs.values()) {
    const parent = run.parent_run_id === null ? undefined : names.get(run.parent_run_id);
    if (run.id === "") names.set("", "");
    else if (parent === undefined) {
      const before = names.get(run.continues ?? closedBefore(session, run)?.id ?? "");
      if (!before) turn += 1;
      names.set(run.id, before || String(turn));
    } else {
      const place = [run.delegate, run.parent_call_id, run.parent_instance];
      const key = JSON.stringify([run.parent_run_id, ...place]);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      names.set(run.id, JSON.stringify([parent, ...place, count]));
    }
  }
  return names;
}

/**
 * The run that a fork closed and this one continues, if not recorded (older logs): the newest, of the first that starts
 * after it and answers no message.
 */
function closedBefore(session: Compared, { id, started_seq }: Run): Run | null {
  const turns = turnsOf(session);
  const closed = turns.findLast(
    ({ reason, ended_seq }) => reason === FORKED && (ended_seq ?? started_seq) < started_seq,
  );
  const end = closed?.ended_seq ?? null;
  if (!closed || end === null || turns.find((turn) => turn.started_seq > end)?.id !== id) return null;
  const isAnswer = session.messages.some(({ role, seq }) => role === "user" && seq > end && seq < started_seq);
  return isAnswer ? null : closed;
}

/** The turn number of each run; a delegate's run has that of its caller. */
export function turnNumbers(session: Compared): Map<string, number> {
  const names = runNames(session);
  const numbers = new Map<string, number>();
  for (const { id, parent_run_id: parent } of session.runs.values())
    numbers.set(id, (parent === null ? undefined : numbers.get(parent)) ?? Number(names.get(id)));
  return numbers;
}

/** A turn on both sides, and its number. */
export interface TurnPair extends Sides<Run> {
  number: number;
}

/** Matches the turns of two sessions by number; a turn that a fork continues includes its continuation. */
export function alignTurns(a: Compared, b: Compared): TurnPair[] {
  const [ofA, ofB] = [turnsByName(a), turnsByName(b)];
  const numbers = [...new Set([...ofA.keys(), ...ofB.keys()])].sort((one, two) => one - two);
  return numbers.map((number) => ({ number, a: ofA.get(number) ?? null, b: ofB.get(number) ?? null }));
}

function turnsByName(session: Compared): Map<number, Run> {
  return new Map([...runsByTurn(session)].flatMap(([number, runs]) => runs.slice(-1).map((run) => [number, run])));
}

/** The runs of each turn by number: of one that a fork continues, those before and after the fork. */
export function runsByTurn(session: Compared): Map<number, Run[]> {
  const names = runNames(session);
  return Map.groupBy(turnsOf(session), (run) => Number(names.get(run.id)));
}

/** The number of a run among all top-level runs, from 1, as in the studio. */
export function runNumber(session: Compared, { id }: Run): number {
  return session.runs_before + turnsOf(session).findIndex((turn) => turn.id === id) + 1;
}

/** The top-level runs; events without a run count only if there is nothing else. */
export function turnsOf({ runs }: Compared): Run[] {
  const turns = [...runs.values()].filter(({ parent_run_id: parent }) => parent === null || !runs.has(parent));
  const named = turns.filter(({ id }) => id !== "");
  return named.length > 0 ? named : turns;
}
