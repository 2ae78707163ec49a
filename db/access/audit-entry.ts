import { createHash, randomBytes } from "node:crypto";
import { actorOf, type Requester } from "../../lib/access/caller.ts";
import type { AuditEntry, AuditStore } from "../access.ts";
import { toIso } from "../times.ts";

/** An entry as it is stored. `salt` is null where an erasure took `target`, `before` and `after` away. */
export interface AuditRow extends Omit<AuditEntry, "at" | "before" | "after" | "erased"> {
  at: number;
  before: string | null;
  after: string | null;
  salt: string | null;
  digest: string;
  hash: string;
}

/**
 * An entry to be stored, its values in the order of the columns. Each has the hash of the one before it, so that a change of any
 * breaks the chain; `before` is that hash.
 */
export function newEntry(
  { action, target, before, after }: Parameters<AuditStore["append"]>[0],
  requester: Requester | null,
  chain: { recordedAt: number; before: string },
): Omit<AuditRow, "id"> {
  const salt = randomBytes(16).toString("hex");
  const { address, request_id } = requester ?? { address: "", request_id: "" };
  const actor = requester ? actorOf(requester.caller) : "system";
  const entry = { at: chain.recordedAt, action, actor, address, request_id };
  const values = { target, before: textOf(before), after: textOf(after) };
  const digest = digestOf({ ...values, salt });
  return { ...entry, ...values, salt, digest, hash: chainedHash(chain.before, { ...entry, digest }) };
}

export function holds({ target, before, after, salt, digest }: AuditRow): boolean {
  if (salt !== null) return digest === digestOf({ target, before, after, salt });
  return target === null && before === null && after === null;
}

export function toEntry({ salt, digest: _, hash: __, at, before, after, ...row }: AuditRow): AuditEntry {
  return { ...row, at: toIso(at), before: valuesOf(before), after: valuesOf(after), erased: salt === null };
}

function valuesOf(text: string | null): AuditEntry["before"] {
  return text === null ? null : JSON.parse(text);
}

function textOf(values: object | undefined): string | null {
  return values === undefined ? null : JSON.stringify(values);
}

function digestOf({
  salt,
  target,
  before,
  after,
}: Pick<AuditRow, "target" | "before" | "after"> & { salt: string }): string {
  return hashOf(salt, target, before, after);
}

export function chainedHash(
  before: string,
  {
    at,
    action,
    actor,
    address,
    request_id,
    digest,
  }: Omit<AuditRow, "id" | "target" | "before" | "after" | "salt" | "hash">,
): string {
  return hashOf(before, at, action, actor, address, request_id, digest);
}

function hashOf(...values: readonly (string | number | null)[]): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("hex");
}
