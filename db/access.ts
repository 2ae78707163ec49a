import type { AuditAction, AuditedAction, AuditValues } from "../lib/access/audit.ts";
import type { Requester, Role, Scope } from "../lib/access/caller.ts";
import type { Page } from "./repositories.ts";

/** An entry of the audit log. */
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
  /** An erasure has removed its target and its values before and after. */
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

/** The audit log. Entries are appended only. */
export interface AuditStore {
  /** Appends an entry for what a caller did, or the server itself (null). Durable when it resolves. */
  append(action: AuditedAction, requester: Requester | null): Promise<void>;
  /** Entries, newest first. Throws `BadCursor`. */
  list(query: AuditQuery): Promise<Page<AuditEntry>>;
  /** The names of all who have entries. */
  actors(): Promise<string[]>;
}

/** A user account. */
export interface User {
  id: string;
  name: string;
  role: Role;
  /** `elsewhere`: with the OpenID Connect provider. */
  signs_in: "here" | "elsewhere";
  created_at: string;
  /** When they were last active; null if not signed in. */
  seen_at: string | null;
}

/**
 * User accounts. Names are unique, ignoring case. Losing permissions also ends all sign-ins, in the same transaction.
 */
export interface UserStore {
  /** By name. */
  list(): Promise<User[]>;
  get(id: string): Promise<User | null>;
  /** The user with this name, ignoring case, and their password hash. */
  named(name: string): Promise<{ user: User; password_hash: string | null } | null>;
  count(): Promise<number>;
  /** Throws `Conflict` if the name exists. */
  add(user: { name: string; role: Role; password_hash: string }): Promise<User>;
  /** Changes a role and ends the user's sign-ins. Null: no such user. Throws `Conflict` for the last administrator. */
  setRole(id: string, role: Role): Promise<{ before: Role; user: User } | null>;
  /**
   * Changes a password and ends the user's sign-ins, except `keep`. Null: no such user. Throws `Conflict` for users of
   * the OpenID Connect provider.
   */
  setPassword(id: string, password_hash: string, keep?: string): Promise<User | null>;
  /** Deletes a user and ends their sign-ins. Null: no such user. Throws `Conflict` for the last administrator. */
  remove(id: string): Promise<User | null>;
  /**
   * The user with this subject at the OpenID Connect provider, created on the first sign-in, with the role that the
   * provider gives. A name that is taken gets a number.
   */
  fromElsewhere(user: { subject: string; name: string; role: Role }): Promise<{ user: User; before: Role | null }>;
}

/** A session cookie of a user in one browser. Times are epoch ms. */
export interface SignIn {
  user_id: string;
  name: string;
  role: Role;
  seen_at: number;
  expires_at: number;
}

export interface SignInStore {
  /** Throws `Conflict` if the user was deleted or the password is no longer `proven`, which was verified. */
  add(signIn: {
    token_hash: string;
    user_id: string;
    /** Null for users of the OpenID Connect provider. */
    proven: string | null;
    expires_at: number;
    address: string;
    user_agent: string | null;
  }): Promise<void>;
  find(tokenHash: string): Promise<SignIn | null>;
  /** Records that it was used now. */
  seen(tokenHash: string): Promise<void>;
  end(tokenHash: string): Promise<void>;
  /** Whether the user is signed in from this address in any browser. */
  knows(userId: string, address: string): Promise<boolean>;
}

/** An API key, without its secret. */
export interface ApiKey {
  id: string;
  name: string;
  /** Its first characters. */
  shown: string;
  scopes: Scope[];
  created_at: string;
  created_by: string;
  expires_at: string | null;
  used_at: string | null;
  revoked_at: string | null;
}

export interface KeyStore {
  /** Newest first. */
  list(): Promise<ApiKey[]>;
  get(id: string): Promise<ApiKey | null>;
  find(tokenHash: string): Promise<ApiKey | null>;
  /** Throws `Conflict` if a key has or had this name: the audit log identifies keys by name. */
  add(key: {
    name: string;
    token_hash: string;
    shown: string;
    scopes: readonly Scope[];
    expires_at: number | null;
    created_by: string;
  }): Promise<ApiKey>;
  /** Records that it was used now. */
  used(id: string): Promise<void>;
  /** Revokes a key unless it is revoked already. Null: no such key. */
  revoke(id: string): Promise<ApiKey | null>;
}

/** The token usage of one model. */
export interface UsedModel {
  model: string;
  input_tokens: number;
  output_tokens: number;
}

/** The token usage of this server's own runs. Runs without an agent have the agent "". */
export interface UsageStore {
  /** By model, for a UTC day (`2026-01-31`). */
  of(agentId: string, day: string): Promise<UsedModel[]>;
  /** Whether managers were alerted about the agent for this reason since then. */
  wasAlerted(agentId: string, reason: string, since: string): Promise<boolean>;
}

/** Users, keys and the audit log of stored data, which a server may be using. */
export interface AccessStorage {
  users: UserStore;
  keys: KeyStore;
  audit: AuditStore;
  close(): Promise<void>;
}
