import type { AuditAction, AuditValues, Deed } from "../lib/access/audit.ts";
import type { Requester, Role, Scope } from "../lib/access/caller.ts";
import type { Page } from "./repositories.ts";

/** What was done, as the audit tells it. */
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
  /** An erasure took away what it was done to, and what was before and after. */
  erased: boolean;
}

export interface AuditQuery {
  action?: AuditAction | undefined;
  actor?: string | undefined;
  target?: string | undefined;
  /** At or after. */
  from?: string | undefined;
  /** Before. */
  to?: string | undefined;
  cursor?: string;
  limit: number;
}

/** The audit: it only grows. */
export interface AuditStore {
  /** Writes what somebody did, or the server by itself (null); an answer means it is on disk. */
  append(deed: Deed, requester: Requester | null): Promise<void>;
  /** What was done, newest first. Throws `BadCursor`. */
  list(query: AuditQuery): Promise<Page<AuditEntry>>;
  /** Who has done something, by their names. */
  actors(): Promise<string[]>;
}

/** Somebody who signs in. */
export interface User {
  id: string;
  name: string;
  role: Role;
  /** Where they sign in: here, or with the OpenID Connect provider. */
  signs_in: "here" | "elsewhere";
  created_at: string;
  /** When they were last active; null if not signed in. */
  seen_at: string | null;
}

/** Who signs in here. Names are unique, whatever their case. Whoever loses rights is signed out with the same write. */
export interface UserStore {
  /** By their names. */
  list(): Promise<User[]>;
  get(id: string): Promise<User | null>;
  /** The user by that name, whatever its case, with what their password is checked by. */
  named(name: string): Promise<{ user: User; password_hash: string | null } | null>;
  count(): Promise<number>;
  /** Throws `Conflict` where the name is taken. */
  add(user: { name: string; role: Role; password_hash: string }): Promise<User>;
  /** Gives a role and signs them out. Null: no such user. Throws `Conflict` for the last administrator. */
  setRole(id: string, role: Role): Promise<{ before: Role; user: User } | null>;
  /** Sets a password and signs them out, but for the sign-in `keep`. Null: no such user. Throws `Conflict` for those who sign in elsewhere. */
  setPassword(id: string, password_hash: string, keep?: string): Promise<User | null>;
  /** Removes a user and signs them out. Null: no such user. Throws `Conflict` for the last administrator. */
  remove(id: string): Promise<User | null>;
  /**
   * The user whom a provider knows by this subject: made when they come for the first time, and given the role that the
   * provider says. Where the name is another's, theirs gets a number.
   */
  fromElsewhere(user: { subject: string; name: string; role: Role }): Promise<{ user: User; before: Role | null }>;
}

/** A browser in which somebody is signed in. Times are epoch ms. */
export interface SignIn {
  user_id: string;
  name: string;
  role: Role;
  seen_at: number;
  expires_at: number;
}

export interface SignInStore {
  /** Throws `Conflict` where the user was removed or has another password than the one of `proven`, which was checked. */
  add(signIn: {
    token_hash: string;
    user_id: string;
    /** Null for those who sign in elsewhere. */
    proven: string | null;
    expires_at: number;
    address: string;
    user_agent: string | null;
  }): Promise<void>;
  find(tokenHash: string): Promise<SignIn | null>;
  /** Notes that it was used now. */
  seen(tokenHash: string): Promise<void>;
  end(tokenHash: string): Promise<void>;
  /** Whether the user is signed in from this address in some browser. */
  knows(userId: string, address: string): Promise<boolean>;
}

/** A program's key, without what it is. */
export interface ApiKey {
  id: string;
  name: string;
  /** How it begins. */
  shown: string;
  scopes: Scope[];
  created_at: string;
  created_by: string;
  expires_at: string | null;
  used_at: string | null;
  revoked_at: string | null;
}

export interface KeyStore {
  /** The newest first. */
  list(): Promise<ApiKey[]>;
  get(id: string): Promise<ApiKey | null>;
  find(tokenHash: string): Promise<ApiKey | null>;
  /** Throws `Conflict` where a key has or had the name: the audit knows keys by it. */
  add(key: {
    name: string;
    token_hash: string;
    shown: string;
    scopes: readonly Scope[];
    expires_at: number | null;
    created_by: string;
  }): Promise<ApiKey>;
  /** Notes that it was used now. */
  used(id: string): Promise<void>;
  /** Revokes a key, if it is not yet. Null: no such key. */
  revoke(id: string): Promise<ApiKey | null>;
}

/** What a model has taken. */
export interface UsedModel {
  model: string;
  input_tokens: number;
  output_tokens: number;
}

/** What the models of this server's own runs have taken. Runs without an agent have the agent "". */
export interface UsageStore {
  /** By model, on a UTC day (`2026-01-31`). */
  of(agentId: string, day: string): Promise<UsedModel[]>;
  /** Whether managers were alerted of the agent for this reason since then. */
  wasAlerted(agentId: string, reason: string, since: string): Promise<boolean>;
}
