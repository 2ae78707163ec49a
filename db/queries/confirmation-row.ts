import type { Confirmation, ListedConfirmation } from "../repositories.ts";
import { toIso } from "../times.ts";
import { type Sql, sql } from "./sql.ts";

/** A person who looks in once a day has seen what waits for less. */
const OVERDUE_MS = 24 * 60 * 60 * 1000;

/** A row, with its place in the list. */
export interface ConfirmationRow
  extends Omit<Confirmation, "action" | "before" | "own" | "overdue" | "requested_at" | "decided_at" | "approvals"> {
  position: number;
  action: string;
  before: string | null;
  approvals: string | null;
  own: 0 | 1;
  requested_at: number;
  decided_at: number | null;
}

/** The columns of a `ConfirmationRow`, for a SELECT. */
export const CONFIRMATION_COLUMNS = `confirmations.position, confirmations.id, confirmations.conversation_id, own,
  confirmations.status, confirmations.run_id, confirmations.call_id, confirmations.iteration, confirmations.instance, key,
  cause, requested_seq, requested_at, decided_seq, decided_at, decided_by, reason, description, action, before,
  approvals`;

/** The confirmation of a row, as of now. */
export function toConfirmation({ position: _, approvals, ...row }: ConfirmationRow): Confirmation {
  return {
    ...row,
    ...(approvals !== null && { approvals: JSON.parse(approvals) }),
    own: row.own === 1,
    action: JSON.parse(row.action),
    before: row.before === null ? null : JSON.parse(row.before),
    requested_at: toIso(row.requested_at),
    decided_at: row.decided_at === null ? null : toIso(row.decided_at),
    overdue: row.status === "requested" && Date.now() - row.requested_at > OVERDUE_MS,
  };
}

/** Who looks after the conversation of a confirmation, and who stands in for them now; null for nobody. */
export interface OwnerColumns {
  owner: string | null;
  deputy: string | null;
}

/** The columns of `OwnerColumns`, for a SELECT at a time, epoch ms. */
export function ownerColumns(now: number): Sql {
  const owner = "(SELECT assignee FROM queue WHERE queue.conversation_id = confirmations.conversation_id)";
  return sql`${{ text: owner, values: [] }} AS owner,
    (SELECT deputy FROM absences WHERE name = ${{ text: owner, values: [] }} AND from_at <= ${now} AND until_at > ${now}) AS deputy`;
}

/** What is said of an owner: nothing where there is none. */
export function toOwner({ owner, deputy }: OwnerColumns): Pick<ListedConfirmation, "owner" | "deputy"> {
  return { ...(owner !== null && { owner }), ...(deputy !== null && { deputy }) };
}
