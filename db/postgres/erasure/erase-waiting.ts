import type { Queries } from "../database.ts";

/** Runs of a conversation that nobody carries on any more: their keys may name a person. */
const FORGET_RUN_OWNERS = `DELETE FROM run_owners WHERE run_id IN (SELECT run_id FROM events
  WHERE conversation_id = $1 AND type = 'run.started' AND origin = 'engine')`;

/** Erases what is queued for a conversation outside the log. The ids of updates stay, so that one that is delivered again is recognized. */
export async function eraseWaiting(queries: Queries, id: string, renamed: string): Promise<void> {
  await queries.run(
    `UPDATE telegram_updates SET content = NULL, handled_at = coalesce(handled_at, 0), conversation_id = $2
     WHERE conversation_id = $1`,
    [id, renamed],
  );
  await queries.run("DELETE FROM telegram_progress WHERE name = $1", [id]);
  await queries.run(FORGET_RUN_OWNERS, [id]);
  await forgetTraces(
    queries,
    "SELECT substr(id, 6, 32) FROM events WHERE conversation_id = $1 AND starts_with(id, 'otlp:')",
    id,
  );
}

/** Erases waiting traces that contain the name of a user or a conversation. */
export async function eraseTracesNaming(queries: Queries, name: string): Promise<void> {
  // As JSON has it.
  const printed = JSON.stringify(name).slice(1, -1);
  await forgetTraces(queries, "SELECT trace_id FROM spans WHERE strpos(content, $1) > 0", printed);
}

/** Without its claim, a replica that maps one of them appends nothing. */
async function forgetTraces(queries: Queries, which: string, value: string): Promise<void> {
  const traces = await queries.rows<{ trace_id: string }>(
    `DELETE FROM spans WHERE trace_id IN (${which}) RETURNING trace_id`,
    [value],
  );
  await queries.run("DELETE FROM span_claims WHERE trace_id = ANY($1)", [traces.map(({ trace_id }) => trace_id)]);
}
