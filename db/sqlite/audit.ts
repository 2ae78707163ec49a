import { createHash, randomBytes } from "node:crypto";
import { actorOf } from "../../lib/access/caller.ts";
import type { AuditStore } from "../access.ts";
import type { Connection } from "./connection.ts";
import type { Writer } from "./writer.ts";

/** The audit in SQLite; each entry has the hash of the one before it, so that a change of any breaks the chain. */
export function createAuditStore(writing: Connection, writer: Writer): AuditStore {
  const newest = writing.prepare<[], string>("SELECT hash FROM audit ORDER BY id DESC LIMIT 1").pluck();
  const insert = writing.prepare(
    `INSERT INTO audit (at, action, actor, address, request_id, target, before, after, salt, digest, hash)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    append: ({ action, target, before, after }, { caller, address, request_id }) =>
      writer.submit(({ recordedAt }) => {
        const values = [target, textOf(before), textOf(after)];
        const salt = randomBytes(16).toString("hex");
        const digest = hashOf(salt, ...values);
        const plain = [recordedAt, action, actorOf(caller), address, request_id] as const;
        insert.run(...plain, ...values, salt, digest, hashOf(newest.get() ?? "", ...plain, digest));
      }),
  };
}

function textOf(values: object | undefined): string | null {
  return values === undefined ? null : JSON.stringify(values);
}

function hashOf(...values: readonly (string | number | null)[]): string {
  return createHash("sha256").update(JSON.stringify(values)).digest("hex");
}
