import { QUEUE_VIEWS, type QueueFilter, type QueueItem, UNTOUCHED } from "../../lib/queue/queue.ts";
import { toIso, toMs } from "../times.ts";
import { type Among, and, isIn, type Sql, sql } from "./sql.ts";

/** A conversation in the queue as the table has it: times in epoch ms, each tag between line breaks. */
export interface QueueRow {
  assignee: string | null;
  due_at: number | null;
  snoozed_until: number | null;
  resolved_at: number | null;
  tags: string;
}

/** The values of a row, in the order of the table's columns. */
export type QueueValues = [
  conversation_id: string,
  assignee: string | null,
  due_at: number | null,
  snoozed_until: number | null,
  resolved_at: number | null,
  tags: string,
];

export const QUEUE_COLUMNS = "assignee, due_at, snoozed_until, resolved_at, tags";

export const saveQueueWith = (markers: string) => `INSERT INTO queue (conversation_id, ${QUEUE_COLUMNS})
  VALUES (${markers}) ON CONFLICT (conversation_id) DO UPDATE SET assignee = excluded.assignee, due_at = excluded.due_at,
    snoozed_until = excluded.snoozed_until, resolved_at = excluded.resolved_at, tags = excluded.tags`;

export function toQueueItem({ assignee, due_at, snoozed_until, resolved_at, tags }: QueueRow): QueueItem {
  return {
    assignee,
    due_at: isoOf(due_at),
    snoozed_until: isoOf(snoozed_until),
    resolved_at: isoOf(resolved_at),
    tags: tags.split("\n").filter((tag) => tag !== ""),
  };
}

export function toQueueRow({ assignee, due_at, snoozed_until, resolved_at, tags }: QueueItem): QueueRow {
  return {
    assignee,
    due_at: msOf(due_at),
    snoozed_until: msOf(snoozed_until),
    resolved_at: msOf(resolved_at),
    tags: tags.length === 0 ? "" : `\n${tags.join("\n")}\n`,
  };
}

/** What the list says of it, from the JSON array of its columns; null where nobody has touched it. */
export function listedItem(json: string | null): QueueItem | null {
  if (json === null) return null;
  const [assignee, due_at, snoozed_until, resolved_at, tags]: [
    string | null,
    number | null,
    number | null,
    number | null,
    string,
  ] = JSON.parse(json);
  const item = toQueueItem({ assignee, due_at, snoozed_until, resolved_at, tags });
  return JSON.stringify(item) === JSON.stringify(UNTOUCHED) ? null : item;
}

const PEOPLE_WAIT = sql`status IN ('waiting', 'escalated')`;

/** It was resolved, and nothing has happened since. */
const RESOLVED = sql`EXISTS (SELECT 1 FROM queue WHERE queue.conversation_id = conversations.id
  AND resolved_at >= conversations.updated_at)`;

/** The conversations of a view. */
export function queuedIn({ view, me, now }: QueueFilter): Sql {
  const asleep = sql`EXISTS (SELECT 1 FROM queue WHERE queue.conversation_id = conversations.id AND snoozed_until > ${now})`;
  const isThere = sql`NOT ${RESOLVED} AND NOT ${asleep}`;
  switch (view) {
    case "mine":
      return and(
        inQueue(sql`assignee = ${me} OR assignee IN (SELECT name FROM absences
          WHERE deputy = ${me} AND from_at <= ${now} AND until_at > ${now})`),
        isThere,
      );
    case "nobody":
      return and(PEOPLE_WAIT, sql`NOT ${inQueue(sql`assignee IS NOT NULL`)}`, isThere);
    case "open":
      return and(
        sql`id IN (SELECT conversation_id FROM queue WHERE assignee IS NOT NULL
          UNION SELECT id FROM conversations WHERE ${PEOPLE_WAIT})`,
        isThere,
      );
    case "overdue":
      return and(inQueue(sql`due_at < ${now}`), isThere);
    case "resolved":
      return and(inQueue(sql`resolved_at IS NOT NULL`), RESOLVED);
    default:
      return view satisfies never;
  }
}

export function assignedTo(assignee: string, among: Among): Sql {
  return inQueue(sql`assignee = ${assignee}`, among);
}

export function taggedWith(tag: string, among: Among): Sql {
  // LIKE ignores case in SQLite, and the position in a text has another name in each storage.
  return inQueue(sql`replace(tags, ${`\n${tag}\n`}, '') <> tags`, among);
}

/** Few conversations are in the queue: they are found before the list is read. */
function inQueue(condition: Sql, among: Among = isIn): Sql {
  return among("id", sql`SELECT conversation_id FROM queue WHERE ${condition}`);
}

/** Counts what each view of a person has, in one row. */
export function countViews(me: string, now: number): Sql {
  const counts = QUEUE_VIEWS.map((view) => sql`${countOf({ view, me, now })} AS ${{ text: view, values: [] }}`);
  return {
    text: `SELECT ${counts.map(({ text }) => text).join(", ")}`,
    values: counts.flatMap(({ values }) => values),
  };
}

function countOf(filter: QueueFilter): Sql {
  return sql`(SELECT count(*) FROM conversations WHERE ${queuedIn(filter)})`;
}

function isoOf(time: number | null): string | null {
  return time === null ? null : toIso(time);
}

function msOf(time: string | null): number | null {
  return time === null ? null : toMs(time);
}
