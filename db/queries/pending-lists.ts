import type { AlertQuery, ConfirmationQuery } from "../repositories.ts";
import { type Cursor, isNumberKey, type SortKey } from "./cursor.ts";
import { and, type Sql, sql } from "./sql.ts";

/** The order of a list: its sort key, and which rows come from a cursor on, with their ORDER BY. */
interface Order<Key extends readonly number[], Row> extends SortKey<Key, Row> {
  from(cursor: Cursor<Key> | null, filter: Sql | null): Sql;
}

/** What `readPage` and `readRemotePage` take, of an order and a storage's reading of rows. */
export function keysetOf<Key extends readonly number[], Row, Rows>(
  order: Order<Key, Row>,
  filter: Sql | null,
  read: (which: Sql) => Rows,
) {
  return {
    ...order,
    read: (cursor: Cursor<Key> | null, limit: number) => read(sql`${order.from(cursor, filter)} LIMIT ${limit}`),
  };
}

/** Which confirmations are asked for. `notImported`: nobody waits for a decision about what was imported. */
export function confirmationFilter(
  { status, conversation_id }: Pick<ConfirmationQuery, "status" | "conversation_id">,
  notImported: Sql,
): Sql {
  return and(
    status === undefined ? null : sql`confirmations.status = ${status}`,
    status === "requested" ? notImported : null,
    conversation_id === undefined ? null : sql`confirmations.conversation_id = ${conversation_id}`,
  );
}

/** Whether the newest decision comes first; else the oldest request does. */
export function isByDecision({ status }: Pick<ConfirmationQuery, "status">): boolean {
  return status === "approved" || status === "denied";
}

export const OLDEST_REQUEST_FIRST: Order<readonly [number], { position: number }> = {
  list: ["confirmations", "requested"],
  isKey: isNumberKey,
  keyOf: (row) => [row.position],
  from(cursor, filter) {
    const back = cursor?.direction === "prev";
    const [position = 0] = cursor?.key ?? [];
    const beyond = back ? sql`confirmations.position < ${position}` : sql`confirmations.position > ${position}`;
    const order = back ? sql`confirmations.position DESC` : sql`confirmations.position`;
    return sql`${and(filter, beyond)} ORDER BY ${order}`;
  },
};

type Decision = readonly [decidedAt: number, position: number];

export const NEWEST_DECISION_FIRST: Order<Decision, { id: string; decided_at: number | null; position: number }> = {
  list: ["confirmations", "decided"],
  isKey: (parts): parts is Decision => parts.length === 2 && parts.every(Number.isSafeInteger),
  keyOf: ({ id, decided_at, position }) => {
    if (decided_at === null) throw new Error(`The confirmation ${id} is decided and tells no time`);
    return [decided_at, position];
  },
  from(cursor, filter) {
    const back = cursor?.direction === "prev";
    const order = back ? sql`decided_at, confirmations.position` : sql`decided_at DESC, confirmations.position DESC`;
    return sql`${and(filter, cursor && beyondDecision(cursor))} ORDER BY ${order}`;
  },
};

function beyondDecision({ direction, key: [decidedAt, position] }: Cursor<Decision>): Sql {
  return direction === "prev"
    ? sql`(decided_at, confirmations.position) > (${decidedAt}, ${position})`
    : sql`(decided_at, confirmations.position) < (${decidedAt}, ${position})`;
}

/** Which alerts are asked for; null: all. */
export function alertFilter({ status }: Pick<AlertQuery, "status">): Sql | null {
  return status === "open" ? sql`closed_at IS NULL` : null;
}

export const NEWEST_ALERT_FIRST: Order<readonly [number], { position: number }> = {
  list: ["alerts"],
  isKey: isNumberKey,
  keyOf: (row) => [row.position],
  from(cursor, filter) {
    const back = cursor?.direction === "prev";
    const [position] = cursor?.key ?? [Number.MAX_SAFE_INTEGER];
    const beyond = back ? sql`alerts.position > ${position}` : sql`alerts.position < ${position}`;
    const order = back ? sql`alerts.position` : sql`alerts.position DESC`;
    return sql`${and(filter, beyond)} ORDER BY ${order}`;
  },
};
