import type { Scope } from "../../lib/access/caller.ts";
import type { ApiKey } from "../access.ts";
import { toIso } from "../times.ts";

export interface KeyRow {
  id: string;
  name: string;
  shown: string;
  /** A JSON array. */
  scopes: string;
  created_at: number;
  created_by: string;
  expires_at: number | null;
  used_at: number | null;
  revoked_at: number | null;
}

export function toKey({ scopes, created_at, expires_at, used_at, revoked_at, ...plain }: KeyRow): ApiKey {
  const parsed: Scope[] = JSON.parse(scopes);
  const time = (ms: number | null) => (ms === null ? null : toIso(ms));
  return {
    ...plain,
    scopes: parsed,
    created_at: toIso(created_at),
    expires_at: time(expires_at),
    used_at: time(used_at),
    revoked_at: time(revoked_at),
  };
}
