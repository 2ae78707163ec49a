import type { Cluster } from "../cluster.ts";
import type { Told } from "./clients.ts";
import { ONCE, type ToolsServer } from "./tools-server.ts";

/** What is wrong with what is stored, compared with what clients were told. Empty if nothing is. */
export async function faultsOf({ rows }: Pick<Cluster, "rows">, told: Told, { calls }: ToolsServer): Promise<string[]> {
  const faults: string[] = [];
  const none = async (what: string, text: string, values: unknown[] = []) => {
    const found = await rows(text, values);
    if (found.length > 0) faults.push(`${what}: ${found.length}, such as ${JSON.stringify(found[0])}`);
  };
  const is = (what: string, wrong: readonly unknown[]) => {
    if (wrong.length > 0) faults.push(`${what}: ${wrong.length}, such as ${JSON.stringify(wrong[0])}`);
  };

  await none(
    "Conversations with a gap in seq",
    `SELECT conversation_id, count(*), max(seq) FROM events WHERE conversation_id IS NOT NULL
     GROUP BY conversation_id HAVING count(*) <> max(seq) OR min(seq) <> 1`,
  );
  await none(
    "Acknowledged events that are lost",
    "SELECT posted FROM unnest($1::text[]) AS posted WHERE posted NOT IN (SELECT id FROM events)",
    [told.events],
  );
  await none(
    "Acknowledged imports that are not whole",
    `SELECT conversation, told, count(events.id) FROM unnest($1::text[], $2::int[]) AS imported (conversation, told)
     LEFT JOIN events ON conversation_id = conversation GROUP BY 1, 2 HAVING count(events.id) <> told`,
    [[...told.imports.keys()], [...told.imports.values()]],
  );
  await none("Imports or forks that were left unfinished", "SELECT conversation_id FROM unfinished_forks");

  const endings = "('run.finished', 'run.failed', 'run.cancelled')";
  await none(
    "Acknowledged runs that have not ended once",
    `SELECT run, count(events.id) FROM unnest($1::text[]) AS run
     LEFT JOIN events ON run_id = run AND type IN ${endings} GROUP BY 1 HAVING count(events.id) <> 1`,
    [told.runs.map(({ run_id }) => run_id)],
  );
  await none(
    "Runs that have not ended once",
    `SELECT run_id FROM events WHERE origin = 'engine' AND run_id IS NOT NULL GROUP BY run_id
     HAVING count(*) FILTER (WHERE type IN ${endings}) <> 1 OR count(*) FILTER (WHERE type = 'run.started') <> 1`,
  );
  await none(
    "Events of runs after their end",
    `SELECT later.run_id, later.type FROM events AS ending JOIN events AS later USING (run_id)
     WHERE ending.type IN ${endings} AND ending.origin = 'engine' AND later.position > ending.position
       AND later.type NOT IN ('memory.updated', 'agent_state.written')`,
  );
  await none(
    "Calls that have ended more than once, or have started twice with one number",
    `SELECT run_id, call_id, type, count(*) FROM events
     WHERE origin = 'engine' AND type IN ('call.succeeded', 'call.failed', 'call.denied', 'call.cancelled')
     GROUP BY 1, 2, 3 HAVING count(*) > 1
     UNION ALL SELECT run_id, call_id, payload::json ->> 'attempt', count(*) FROM events
     WHERE origin = 'engine' AND type = 'call.started' GROUP BY 1, 2, 3 HAVING count(*) > 1`,
  );
  await none("Runs that somebody still has to carry on", "SELECT run_id FROM run_owners WHERE ready = 1");
  is(
    "Calls that must not happen twice, and did",
    [...calls].filter(([call, times]) => times > 1 && ONCE.some((tool) => call.startsWith(`${tool} `))),
  );

  await none(
    "Confirmations that were not decided once",
    `SELECT payload::json ->> 'confirmation_id' AS id FROM events
     WHERE origin = 'engine' AND type IN ('confirmation.requested', 'confirmation.approved', 'confirmation.denied')
     GROUP BY 1 HAVING count(*) <> 2`,
  );
  const decided = await rows<{ id: string; type: string }>(
    `SELECT payload::json ->> 'confirmation_id' AS id, type FROM events
     WHERE origin = 'engine' AND type IN ('confirmation.approved', 'confirmation.denied')`,
  );
  const statuses = new Map(decided.map(({ id, type }) => [id, type === "confirmation.approved" ? "approve" : "deny"]));
  is(
    "Acknowledged decisions that are not in the log",
    [...told.decisions].filter(([id, answers]) => answers.some((answer) => answer !== statuses.get(id))),
  );

  for (const [conversation, messages] of told.messages) {
    const events = await rows<{ type: string; run_id: string | null; answers: string | null }>(
      `SELECT type, run_id, payload::json ->> 'answers' AS answers FROM events
       WHERE conversation_id = $1 AND type IN ('run.started', 'run.finished', 'run.failed', 'run.cancelled') ORDER BY position`,
      [conversation],
    );
    const begun = events.filter(({ type }) => type === "run.started");
    const ended = events.filter(({ type }) => type !== "run.started");
    const answered = begun.map(({ answers }) => answers);
    // The last one may have been sent without an answer.
    is(
      `Messages of ${conversation} that are not answered once, in order`,
      messages.filter((id, index) => answered[index] !== id),
    );
    is(
      `Turns of ${conversation} that did not end in order`,
      begun.filter(({ run_id }, index) => ended[index]?.run_id !== run_id),
    );
  }

  const log = await rows<{ position: string; id: string }>(
    "SELECT position, id FROM events WHERE position > 0 ORDER BY position",
  );
  for (const [number, seen] of told.followers.entries()) {
    is(
      `Events that follower ${number} did not see in order, once`,
      seen.filter(({ id, position }, index) => log[index]?.id !== id || Number(log[index]?.position) !== position),
    );
    if (seen.length !== log.length) faults.push(`Follower ${number} saw ${seen.length} events of ${log.length}`);
  }
  return faults;
}
