import type { AuditAction, AuditValues, Deed } from "../lib/access/audit.ts";
import type { Requester } from "../lib/access/caller.ts";

/** What was done, as the audit tells it. What an erasure took away is null. */
export interface AuditEntry {
  id: number;
  at: string;
  action: AuditAction;
  actor: string;
  address: string;
  request_id: string;
  target: string | null;
  before: AuditValues | null;
  after: AuditValues | null;
}

/** The audit: it only grows. */
export interface AuditStore {
  /** Writes what somebody did; an answer means it is on disk. */
  append(deed: Deed, requester: Requester): Promise<void>;
}
