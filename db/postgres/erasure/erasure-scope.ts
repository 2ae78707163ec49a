import { z } from "zod";
import { isJsonObject, type Json } from "../../../lib/session/json/json.ts";
import { type ErasureScope, type StateEvent, StateScope, withDescendants } from "../../erasure/erasure-scope.ts";
import type { ErasureKind } from "../../erasures.ts";
import { IS_SEEN } from "../../log/unfinished.ts";
import type { Queries } from "../database.ts";

// What is in JSON is looked for as text first, and read here: Postgres' own functions refuse JSON with the character U+0000.

/** How many events are read at a time, and how much of payload at most, in bytes. */
const A_PAGE = 1_000;
const LARGEST_PAGE = 8_000_000;

/**
 * Finds what an erasure covers. Of a user: their conversations, those in which they have messages, those that only cases have left, and
 * entries under their name. Of a conversation: it, and agent state versions since it first wrote them. Of both: forks and copies.
 */
export async function readErasureScope(queries: Queries, kind: ErasureKind, target: string): Promise<ErasureScope> {
  const roots = kind === "user" ? await conversationsOf(queries, target) : [target];
  const conversations = withDescendants(roots, await forksOf(queries));
  const scope = new StateScope(kind, target, conversations);
  const outside: number[] = [];
  for await (const event of stateEvents(queries)) if (scope.covers(event)) outside.push(event.position);
  return { conversations: [...conversations], outside };
}

async function conversationsOf(queries: Queries, user: string): Promise<string[]> {
  const named = `"user_id":${JSON.stringify(user)}`;
  const listed = await queries.rows<{ id: string; text: string }>(
    "SELECT id, summary AS text FROM conversations WHERE strpos(summary, $1) > 0",
    [named],
  );
  const acted = await queries.rows<{ id: string }>(
    `SELECT DISTINCT conversation_id AS id FROM events WHERE conversation_id IS NOT NULL AND actor = $1 AND ${IS_SEEN}`,
    [`user:${user}`],
  );
  const told = await queries.rows<{ id: string; text: string }>(
    `SELECT conversation_id AS id, payload AS text FROM events WHERE conversation_id IS NOT NULL AND ${IS_SEEN}
       AND type IN ('conversation.created', 'run.started', 'memory.updated') AND strpos(payload, $1) > 0`,
    [named],
  );
  const saved = await queries.rows<{ id: string; users: string }>(
    "SELECT conversation_id AS id, users FROM suite_cases WHERE strpos(users, $1) > 0",
    [JSON.stringify(user)],
  );
  const cases = saved.filter(({ users }) => z.array(z.string()).parse(JSON.parse(users)).includes(user));
  const theirs = [...listed, ...told].filter(({ text }) => fieldOf(JSON.parse(text), "user_id") === user);
  return [...theirs, ...acted, ...cases].map(({ id }) => id);
}

async function forksOf(queries: Queries): Promise<{ parent: string; id: string }[]> {
  const forks = await queries.rows<{ parent: string; id: string }>(
    "SELECT forked_from AS parent, id FROM conversations WHERE forked_from IS NOT NULL",
  );
  const created = await queries.rows<{ id: string; payload: string }>(
    `SELECT conversation_id AS id, payload FROM events
     WHERE type = 'conversation.created' AND conversation_id IS NOT NULL AND strpos(payload, '"origin"') > 0 AND ${IS_SEEN}`,
  );
  const copies = created.flatMap(({ id, payload }) => {
    const parent = fieldOf(fieldOf(JSON.parse(payload), "origin"), "conversation_id");
    return typeof parent === "string" ? { parent, id } : [];
  });
  return [...forks, ...copies];
}

const entrySchema = z.object({ agent_id: z.string(), key: z.string() });

async function* stateEvents(queries: Queries): AsyncGenerator<StateEvent> {
  for (let after = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = await queries.rows<{ position: number; payload: string; cause: string | null }>(STATE_EVENTS, [after]);
    for (const { position, payload, cause } of rows) {
      const entry = entrySchema.safeParse(JSON.parse(payload));
      if (entry.success) yield { position, cause, ...entry.data };
      after = position;
    }
    if (rows.length === 0) return;
  }
}

const STATE_EVENTS = `SELECT position, payload,
    (SELECT conversation_id FROM events AS causes WHERE causes.id = page.caused_by) AS cause FROM (
    SELECT *, sum(octet_length(payload)) OVER (ORDER BY position) - octet_length(payload) AS before FROM (
      SELECT position, payload, caused_by FROM events WHERE position > $1 AND conversation_id IS NULL
        AND type IN ('agent_state.written', 'agent_state.deleted') AND ${IS_SEEN}
      ORDER BY position LIMIT ${A_PAGE}
    ) AS wanted
  ) AS page WHERE before < ${LARGEST_PAGE} ORDER BY position`;

function fieldOf(json: Json | undefined, name: string): Json | undefined {
  return json !== undefined && isJsonObject(json) ? json[name] : undefined;
}
