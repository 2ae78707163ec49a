import type { KeyStore, SignIn, SignInStore } from "../../db/access.ts";
import type { Caller } from "./caller.ts";
import type { Cookies } from "./cookies.ts";
import { tokenHash } from "./tokens.ts";

/** The credentials of a request. */
export interface Credentials {
  cookie: string | undefined;
  authorization: string | undefined;
  /** It came over TLS. */
  secure: boolean;
}

/**
 * The caller, and whether identified by a cookie, which browsers also send with cross-site requests; or why there is
 * none.
 */
export type Identified = { caller: Caller; byCookie: boolean } | { refused: string };

export interface Identification {
  identify(credentials: Credentials): Promise<Identified>;
  /** Whether the caller still has their permissions. */
  isCurrent(caller: Caller): Promise<boolean>;
}

/** The resolution of last-use times, ms: a write per request would be too many. */
const NOTE_EVERY_MS = 60_000;

interface Parts {
  signIns: Pick<SignInStore, "find" | "seen">;
  keys: Pick<KeyStore, "find" | "get" | "used">;
  cookies: Cookies;
  /** How long an unused sign-in lasts, ms. */
  idle: number;
  now(): number;
  /** Reports that a last use could not be stored. */
  onFailure(error: unknown): void;
}

/**
 * Identifies callers by cookies and keys. Each request reads storage, so that changes by commands take effect at once.
 */
export function createIdentification({ signIns, keys, cookies, idle, now, onFailure }: Parts): Identification {
  const noting = new Set<string>();

  /** Stores a use in the background unless that is in progress. If it fails, the next use is stored. */
  function note(id: string, before: number | null, write: () => Promise<void>): void {
    if (before !== null && now() - before < NOTE_EVERY_MS) return;
    if (noting.has(id)) return;
    noting.add(id);
    void write()
      .catch(onFailure)
      .finally(() => noting.delete(id));
  }

  function isAlive({ seen_at, expires_at }: SignIn): boolean {
    return now() < expires_at && now() - seen_at < idle;
  }

  async function byKey(authorization: string): Promise<Identified> {
    const token = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (token === undefined)
      return { refused: "The Authorization header has no key; send Authorization: Bearer <key>." };
    const key = await keys.find(tokenHash(token));
    if (!key) return { refused: "The key is unknown; check that it is complete, or create a new one." };
    const { id, name, scopes, expires_at, used_at } = key;
    if (key.revoked_at !== null) return { refused: `The key ${name} was revoked; create a new one.` };
    if (isOver(expires_at)) return { refused: `The key ${name} expired at ${expires_at}; create a new one.` };
    note(id, used_at === null ? null : Date.parse(used_at), () => keys.used(id));
    return { caller: { kind: "key", id, name, scopes }, byCookie: false };
  }

  function isOver(expiresAt: string | null): boolean {
    return expiresAt !== null && Date.parse(expiresAt) <= now();
  }

  return {
    async identify({ cookie, authorization, secure }) {
      // Basic credentials are for a proxy.
      if (authorization !== undefined && /^Bearer\b/i.test(authorization)) return byKey(authorization);
      const token = cookies.read("obelus-sign-in", cookie, secure);
      const hash = token === null ? null : tokenHash(token);
      const signIn = hash === null ? null : await signIns.find(hash);
      if (hash === null || !signIn || !isAlive(signIn)) return { caller: { kind: "nobody" }, byCookie: false };
      const { user_id, name, role, seen_at } = signIn;
      note(hash, seen_at, () => signIns.seen(hash));
      return { caller: { kind: "person", id: user_id, name, role, sign_in: hash }, byCookie: true };
    },
    async isCurrent(caller) {
      switch (caller.kind) {
        case "person": {
          const signIn = caller.sign_in === undefined ? null : await signIns.find(caller.sign_in);
          return signIn !== null && isAlive(signIn) && signIn.role === caller.role;
        }
        case "key": {
          const key = await keys.get(caller.id);
          return key !== null && key.revoked_at === null && !isOver(key.expires_at);
        }
        case "everybody":
        case "nobody":
          return true;
        default:
          return caller satisfies never;
      }
    },
  };
}
