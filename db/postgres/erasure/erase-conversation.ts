import type { Renames } from "../../../lib/session/erasure/erasure.ts";
import type { SessionEvent } from "../../../lib/session/event.ts";
import { indexColumnsOf } from "../../../lib/session/events/event-index-columns.ts";
import { emptySummary, summarize } from "../../../lib/session/summary/summary.ts";
import { caseNameOf } from "../../../lib/suites/case-id.ts";
import { erasedEvent, searchedText } from "../../erasure/erased-event.ts";
import { EVENT_COLUMNS, type EventRow, toEvent } from "../../log/event-row.ts";
import { changesWhatStands, projectMessage, projectStanding, saveConversation } from "../../projections/projections.ts";
import { placeOf } from "../../search/search-place.ts";
import type { Queries, Value } from "../database.ts";
import type { Direct, DirectWriter } from "../log/writer.ts";
import { rollUpAgain } from "../rollup/rollup-writes.ts";
import { wordsWithPlaces } from "../search/words.ts";
import { markErased } from "./marks.ts";

// How many events are erased at a time, and how much of payload, in bytes: other writes wait for the log meanwhile.
const A_PAGE = 200;
const LARGEST_PAGE = 1_000_000;

// How many are renamed at a time.
const A_MOVE = 1_000;

export interface Erased {
  events: number;
  /** Positions of events that wrote agent state. */
  states: number[];
}

/** A conversation's row, as it was before. */
interface Listed {
  position: number;
}

/** Erases a conversation page by page, and at the end everything derived from it. */
export async function eraseConversation(
  writer: DirectWriter,
  database: Queries,
  id: string,
  renames: Renames,
): Promise<Erased> {
  const states: number[] = [];
  const renamed = renames.id(id);
  const [listed] = await database.rows<Listed>("SELECT position FROM conversations WHERE id = $1", [id]);
  const forkedAt = await firstOwn(database, id, renamed);
  let summary = emptySummary();
  /** The first step that was not indexed yet when it was erased. */
  let unindexedFrom = Number.POSITIVE_INFINITY;
  // A fork's history is indexed before the event that makes the fork visible.
  const isIndexed = (position: number, searchedTo: number) => {
    const indexedWith = position < 0 ? forkedAt : position;
    return indexedWith !== null && indexedWith <= searchedTo;
  };
  for (let more = true; more; ) {
    const page = await writer.submitDirectPart(async (queries, direct) => {
      const rows = await readPage(queries, id, summary.last_seq);
      if (rows.length === 0 && renamed !== id) rows.push(...(await readPage(queries, renamed, summary.last_seq)));
      if (listed) await markErased(queries, id, listed.position);
      const searchedTo = await readSearchedTo(queries);
      const events = await eraseRows(queries, rows, renames);
      await queries.run("DELETE FROM messages WHERE position = ANY($1)", [rows.map(({ position }) => position)]);
      const indexed = (event: SessionEvent) => isIndexed(event.position, searchedTo);
      if (listed) await searchAnew(queries, direct, events, { conversation: listed.position, indexed });
      await direct.project((writes) => {
        for (const event of events) projectMessage(writes, event);
      });
      return { events, unindexed: events.find((event) => !indexed(event))?.seq };
    });
    for (const event of page.events) {
      summary = summarize(summary, event);
      if (event.type.startsWith("agent_state.")) states.push(event.position);
    }
    unindexedFrom = Math.min(unindexedFrom, page.unindexed ?? Number.POSITIVE_INFINITY);
    more = page.events.length > 0;
  }
  // From the end, so that what remains under the old name has no gaps.
  if (renamed !== id)
    for (let from = summary.last_seq; from > 0; from -= A_MOVE)
      await writer.submitDirectPart(async (queries) => {
        for (const table of ["events", "messages"])
          await queries.run(`UPDATE ${table} SET conversation_id = $1 WHERE conversation_id = $2 AND seq > $3`, [
            ...[renamed, id, from - A_MOVE],
          ]);
      });
  // Nobody writes to it: this needs no lock.
  const standing = await database.rows<EventRow>(STANDING, [renamed]);
  const events = standing.map(toEvent).filter(changesWhatStands);
  await writer.submitDirect(async (queries, direct) => {
    await forgetDerived(queries, id);
    await forgetCases(queries, id);
    await direct.project((writes) => {
      for (const event of events) if (!event.type.startsWith("agent_state.")) projectStanding(writes, event);
    });
    // Also of one that retention has removed: a case of it may be under way.
    await markErased(queries, id, listed?.position ?? null);
    if (!listed) return;
    await queries.run("DELETE FROM conversations WHERE position = $1", [listed.position]);
    await direct.project((writes) => saveConversation(writes, renamed, listed.position, summary));
    await rollUpAgain(queries, listed.position);
  });
  if (listed) await indexRest(writer, { renamed, position: listed.position, from: unindexedFrom, isIndexed });
  return { events: summary.event_count, states };
}

/** Erases events without a conversation. */
export async function eraseOutside(
  writer: DirectWriter,
  positions: readonly number[],
  renames: Renames,
): Promise<void> {
  for (let from = 0; from < positions.length; from += A_PAGE)
    await writer.submitDirectPart(async (queries) => {
      const rows = await queries.rows<EventRow>(`SELECT ${EVENT_COLUMNS} FROM events WHERE position = ANY($1)`, [
        positions.slice(from, from + A_PAGE),
      ]);
      await eraseRows(queries, rows, renames);
    });
}

/** Erases events in place. */
async function eraseRows(queries: Queries, rows: readonly EventRow[], renames: Renames): Promise<SessionEvent[]> {
  const events = rows.map((row) => erasedEvent(row, renames));
  const columns = events.map((event) => ({ event, ...indexColumnsOf(event) }));
  const each = (value: (one: (typeof columns)[number]) => string | number | null): Value => columns.map(value);
  if (events.length > 0)
    await queries.run(REWRITE, [
      each(({ event }) => event.position),
      each(({ event }) => event.id),
      each(({ event }) => event.actor),
      each(({ event }) => event.agent_id),
      each(({ event }) => event.run_id),
      each(({ event }) => event.parent_run_id),
      each(({ event }) => event.caused_by),
      each(({ call_id }) => call_id),
      each(({ instance }) => instance),
      each(({ event }) => JSON.stringify(event.payload)),
    ]);
  return events;
}

/** Replaces the indexed words of events by those of their remaining content, where they are indexed. */
async function searchAnew(
  queries: Queries,
  direct: Direct,
  events: readonly SessionEvent[],
  { conversation, indexed }: { conversation: number; indexed: (event: SessionEvent) => boolean },
): Promise<void> {
  const placed = events.flatMap((event) => {
    const place = placeOf(conversation, event.seq, event.type);
    return place === null ? [] : { place, text: indexed(event) ? searchedText(event) : "" };
  });
  await queries.run("DELETE FROM event_search WHERE place = ANY($1)", [placed.map(({ place }) => place)]);
  await direct.project((writes) => {
    for (const { place, text } of placed) if (text !== "") writes.insertSearched.run(place, wordsWithPlaces(text));
  });
}

interface Rest {
  renamed: string;
  position: number;
  from: number;
  isIndexed: (position: number, searchedTo: number) => boolean;
}

/** While it had two names, the index passed over its events under the new one. */
async function indexRest(writer: DirectWriter, { renamed, position, from: first, isIndexed }: Rest): Promise<void> {
  for (let from = first; Number.isFinite(from); ) {
    const after = from - 1;
    from = await writer.submitDirectPart(async (queries, direct) => {
      const events = (await readPage(queries, renamed, after)).map(toEvent);
      const searchedTo = await readSearchedTo(queries);
      const indexed = (event: SessionEvent) => isIndexed(event.position, searchedTo);
      await searchAnew(queries, direct, events, { conversation: position, indexed });
      const last = events.at(-1);
      return last ? last.seq + 1 : Number.POSITIVE_INFINITY;
    });
  }
}

async function firstOwn(queries: Queries, ...ids: string[]): Promise<number | null> {
  const [row] = await queries.rows<{ position: number }>(
    "SELECT position FROM events WHERE conversation_id = ANY($1) AND position >= 0 ORDER BY seq LIMIT 1",
    [ids],
  );
  return row?.position ?? null;
}

async function readSearchedTo(queries: Queries): Promise<number> {
  const [row] = await queries.rows<{ position: number }>("SELECT position FROM search_progress");
  return row?.position ?? -1;
}

function readPage(queries: Queries, id: string, after: number): Promise<EventRow[]> {
  return queries.rows<EventRow>(PAGE, [id, after]);
}

/** Removes what is made from a conversation's events. */
export async function forgetDerived(queries: Queries, id: string): Promise<void> {
  for (const statement of DERIVED) await queries.run(statement, [id]);
}

const PAGE = `SELECT ${EVENT_COLUMNS} FROM (
    SELECT *, sum(octet_length(payload)) OVER (ORDER BY seq) - octet_length(payload) AS before
    FROM (SELECT * FROM events WHERE conversation_id = $1 AND seq > $2 ORDER BY seq LIMIT ${A_PAGE}) AS wanted
  ) AS page WHERE before < ${LARGEST_PAGE} ORDER BY seq`;

const REWRITE = `UPDATE events SET id = row.id, actor = row.actor, agent_id = row.agent_id, run_id = row.run_id,
    parent_run_id = row.parent_run_id, caused_by = row.caused_by, call_id = row.call_id, instance = row.instance,
    payload = row.payload
  FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::text[], $10::text[])
    AS row (position, id, actor, agent_id, run_id, parent_run_id, caused_by, call_id, instance, payload)
  WHERE events.position = row.position`;

const STANDING = `SELECT ${EVENT_COLUMNS} FROM events WHERE conversation_id = $1 AND position >= 0
    AND (starts_with(type, 'confirmation.') OR type IN ('manager.alerted', 'conversation.handed_back')
      OR (type = 'call.started' AND strpos(payload, '"confirmation_id"') > 0))
  ORDER BY position`;

const DERIVED = [
  `DELETE FROM notices WHERE subject IN (SELECT 'confirmation:' || id FROM confirmations WHERE conversation_id = $1
     UNION SELECT 'alert:' || id FROM alerts WHERE conversation_id = $1
     UNION SELECT 'mention:' || id FROM notes WHERE conversation_id = $1)`,
  "DELETE FROM confirmations WHERE conversation_id = $1",
  "DELETE FROM alerts WHERE conversation_id = $1",
  "DELETE FROM bookmarks WHERE conversation_id = $1",
  "DELETE FROM scores WHERE conversation_id = $1",
  "DELETE FROM queue WHERE conversation_id = $1",
  "DELETE FROM notes WHERE conversation_id = $1",
  "DELETE FROM snapshots WHERE conversation_id = $1",
  "DELETE FROM timeline_chunks WHERE conversation_id = $1",
];

/** Runs that may have cases of a conversation: of those with such an id, which begins with $2, and of those with its cases. */
const HAS_CASE = `(strpos(cases, '"' || $2) > 0 OR suite IN (SELECT suite FROM suite_cases WHERE conversation_id = $1))`;

/** Whether an id of a run's is such: the step follows the prefix, or the case is the conversation's. */
const IS_CASE = `((starts_with(value, $2) AND substr(value, length($2) + 1) ~ '^[0-9]*$')
  OR value IN (SELECT id FROM suite_cases WHERE conversation_id = $1 AND suite_cases.suite = suite_runs.suite))`;

/**
 * Removes the cases of a conversation, and what came of them, also of those that were removed before: their ids have the
 * conversation's, and runs keep them. All tries are too many to look through.
 */
async function forgetCases(queries: Queries, id: string): Promise<void> {
  const named = [id, `${caseNameOf(id)}:`];
  // A try that is being stored holds its case, and is removed next.
  await queries.rows("SELECT 1 FROM suite_cases WHERE conversation_id = $1 FOR UPDATE", [id]);
  await queries.run(
    `DELETE FROM suite_tries WHERE (run_id, case_id) IN (SELECT suite_runs.id, value
       FROM suite_runs, json_array_elements_text(cases::json) AS value WHERE ${HAS_CASE} AND ${IS_CASE})`,
    named,
  );
  await queries.run(
    `UPDATE suite_runs SET cases = (SELECT coalesce(json_agg(value), '[]')::text
       FROM json_array_elements_text(cases::json) AS value WHERE NOT ${IS_CASE}) WHERE ${HAS_CASE}`,
    named,
  );
  await queries.run("DELETE FROM suite_cases WHERE conversation_id = $1", [id]);
}
