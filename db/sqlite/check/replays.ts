import type { SessionEvent } from "../../../lib/session/event.ts";
import type { Json } from "../../../lib/session/json/json.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "../../log/event-row.ts";
import type { ReplayRun } from "../../replay.ts";
import type { Connection } from "../connection.ts";
import { type Check, counted } from "./check-context.ts";

const IS_OWN = "origin = 'engine'";
/** Progress is told after so many runs. */
const TELL_EVERY = 100;

/** The runs that the engine recorded: their answers, given to today's engine, have to make the same events. */
export function checkReplays(replay: ReplayRun): Check {
  return {
    name: "replay",
    remedy:
      "The engine decides differently from when these runs were recorded, or tools were defined otherwise: look at the steps named.",
    run({ connection, tell }, faults) {
      const roots = connection
        .prepare<[], string>(
          `SELECT run_id FROM events WHERE type = 'run.started' AND ${IS_OWN} AND parent_run_id IS NULL ORDER BY position`,
        )
        .pluck()
        .all();
      const reasons = new Map<string, number>();
      for (const [index, runId] of roots.entries()) {
        const { outcome, why = "" } = replay(readTree(connection, runId));
        if (outcome === "differs") faults.add(`The run ${runId} differs ${why}`);
        else if (outcome === "cannot") reasons.set(why, (reasons.get(why) ?? 0) + 1);
        if (index % TELL_EVERY === 0) tell(`${index} of ${counted(roots.length, "run")}`);
      }
      const left = [...reasons].map(([why, count]) => `${count} not compared (${why})`);
      return [counted(roots.length, "run"), ...left].join(", ");
    },
  };
}

/** What is registered under an agent of the server's own. */
export function readValues(connection: Connection, agentId: string): Json[] {
  const values = connection
    .prepare<[string], string>("SELECT value FROM agent_state WHERE agent_id = ? ORDER BY key")
    .pluck();
  return values.all(agentId).map((value): Json => JSON.parse(value));
}

/** The events of a run and of its delegates' runs, in log order. */
function readTree(connection: Connection, rootId: string): SessionEvent[] {
  const rows = connection.prepare<[string], EventRow>(
    `WITH RECURSIVE run (id) AS (
       SELECT ? UNION SELECT events.run_id FROM run JOIN events ON parent_run_id = run.id
         WHERE type = 'run.started' AND ${IS_OWN})
     SELECT ${EVENT_COLUMNS} FROM events WHERE run_id IN (SELECT id FROM run) AND ${IS_OWN} ORDER BY position`,
  );
  return rows.all(rootId).map(toEvent);
}
