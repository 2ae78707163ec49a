import type { KeyStore, SignIn, SignInStore } from "../../db/access.ts";
import type { Caller } from "./caller.ts";
import type { Cookies } from "./cookies.ts";
import { tokenHash } from "./tokens.ts";

/** What a request shows of who sends it. */
export interface Credentials {
  cookie: string | undefined;
  authorization: string | undefined;
  /** It came over TLS. */
  secure: boolean;
}

/** Who it is, and whether a browser's cookie says so, which it sends whoever made it ask; or why it is nobody we know. */
export type Identified = { caller: Caller; byCookie: boolean } | { refused: string };

export interface Identification {
  identify(credentials: Credentials): Promise<Identified>;
  /** Whether the caller still has the rights that they came with. */
  isCurrent(caller: Caller): Promise<boolean>;
}

/** How exactly uses are noted, in ms: a write for each request would be too many. */
const NOTE_EVERY_MS = 60_000;

interface Parts {
  signIns: Pick<SignInStore, "find" | "seen">;
  keys: Pick<KeyStore, "find" | "get" | "used">;
  cookies: Cookies;
  /** How long a sign-in lasts unused, in ms. */
  idle: number;
  now(): number;
  /** Takes that a use could not be noted. */
  onFailure(error: unknown): void;
}

/** Tells callers by their cookies and keys. Storage is asked for each request: what a command has changed counts at once. */
export function createIdentification({ signIns, keys, cookies, idle, now, onFailure }: Parts): Identification {
  const noting = new Set<string>();

  /** Notes a use unless it is being noted; nobody waits for it. When it fails, the next use is noted. */
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
      // What a proxy asks for itself (Basic) is not for us.
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
