import type { KeyStore, SignInStore, User, UserStore } from "../../db/access.ts";
import type { Replicas } from "../../db/replicas.ts";
import type { Fetch } from "../outgoing/fetch.ts";
import type { Caller, Requester } from "./caller.ts";
import { type Cookies, createCookies } from "./cookies.ts";
import { type Credentials, createIdentification, type Identified } from "./identify.ts";
import { createOidc, type Oidc, type OidcConfig } from "./oidc.ts";
import { createPasswords } from "./passwords.ts";
import { createSignInLimiter } from "./sign-in-limiter.ts";
import { newKey, newToken, tokenHash } from "./tokens.ts";
import { createWatch, RightsEnded } from "./watch.ts";

/** Authentication and permissions. */
export interface Access {
  /** Whether everything that is not public needs a sign-in or a key. */
  required: boolean;
  /** Identifies the caller of a request. */
  identify(credentials: Credentials): Promise<Identified>;
  /** Throws `RightsEnded` if the caller has lost permissions since the request. */
  checkRights(caller: Caller): Promise<void>;
  /** Aborts with `RightsEnded` when the caller signs out or is deleted, or their key is revoked. */
  ended(caller: Caller): AbortSignal;
  /** Checks open streams at once after permissions were removed; otherwise that takes a moment longer. */
  rightsChanged(): Promise<void>;
  /** The available methods to sign in. */
  methods(): Promise<SignInMethods>;
  /** Signs a user in by name and password. */
  signIn(given: { name: string; password: string }, origin: Origin): Promise<SignedIn | Refusal>;
  /** Signs the caller out in this browser; returns the header that deletes the cookie. */
  signOut(requester: Requester): Promise<string>;
  /** Changes a user's password after verifying the current one. Ends their other sign-ins. */
  changePassword(
    given: { current: string; password: string },
    requester: Requester,
  ): Promise<{ kind: "changed"; user: User } | Refusal>;
  hashPassword(password: string): Promise<string>;
  /** Creates a key, which is shown once, and what is stored of it. */
  newKey(): { key: string; token_hash: string; shown: string };
  /** Null without an OpenID Connect provider. */
  oidc: Oidc | null;
  stop(): void;
}

/** What the sign-in page offers. */
export interface SignInMethods {
  password: boolean;
  oidc: boolean;
  /** The number of users; if it is 0, the page explains how to add one. */
  users: number;
}

/** The client of a sign-in. */
export interface Origin {
  requester: Requester;
  userAgent: string | null;
}

/** A successful sign-in. `cookie` is the `Set-Cookie` header. */
export interface SignedIn {
  kind: "signed_in";
  caller: Extract<Caller, { kind: "person" }>;
  cookie: string;
}

/**
 * A wrong password or an unknown name; `known` is the user, for the audit log and not for the response. Or too many
 * attempts.
 */
export type Refusal = { kind: "refused"; known: string | null } | { kind: "wait"; seconds: number };

export interface AccessParts {
  required: boolean;
  /** How long an unused sign-in lasts, ms. */
  idle: number;
  /** The configuration of the OpenID Connect provider. */
  oidc: OidcConfig | null;
  secretKey: Uint8Array;
  users: UserStore;
  signIns: SignInStore;
  keys: KeyStore;
  /** Attempts to sign in are counted over all. */
  replicas: Pick<Replicas, "tell" | "hear">;
  /** Calls the provider. */
  fetch: Fetch;
  now(): number;
  logger: { warn(details: object, message: string): void };
}

/** The maximum duration of a sign-in, in seconds. */
const LONGEST_SIGN_IN = 30 * 24 * 3_600;

const NOBODY_SIGNS_IN: SignInMethods = { password: false, oidc: false, users: 0 };

/** Creates a server's access control. If it is not required, everybody has all permissions. */
export function createAccess(parts: AccessParts): Access {
  const { required, users, signIns, now, logger } = parts;
  const passwords = createPasswords();
  const limiter = createSignInLimiter(parts.replicas);
  const cookies = createCookies(parts.secretKey);
  const onFailure = (error: unknown) => logger.warn({ err: error }, "Users and keys could not be read or updated");
  const { identify, isCurrent } = createIdentification({ ...parts, cookies, onFailure });
  const watch = createWatch(isCurrent, onFailure);
  const begin = (user: User, proven: string | null, origin: Origin) =>
    beginSignIn({ signIns, cookies, now }, user, proven, origin);

  /** Verifies a password with rate limiting. Null: it is correct. */
  async function refuse(
    name: string,
    password: string,
    found: Awaited<ReturnType<UserStore["named"]>>,
    address: string,
  ): Promise<Refusal | null> {
    const isKnown = found !== null && (await signIns.knows(found.user.id, address));
    const seconds = await limiter.begin(name, address, isKnown);
    if (seconds !== null) return { kind: "wait", seconds };
    if (!(await passwords.verify(password, found?.password_hash ?? null)))
      return { kind: "refused", known: found?.user.name ?? null };
    await limiter.succeeded(name, address);
    return null;
  }

  return {
    required,
    identify: required ? identify : async () => ({ caller: { kind: "everybody" }, byCookie: false }),
    async checkRights(caller) {
      if (!(await isCurrent(caller))) throw new RightsEnded();
    },
    ended: watch.ended,
    rightsChanged: watch.look,
    methods: async () => (required ? methodsOf(await users.list(), parts.oidc !== null) : NOBODY_SIGNS_IN),
    async signIn({ name, password }, origin) {
      const found = await users.named(name);
      const refusal = await refuse(name, password, found, origin.requester.address);
      if (refusal || !found) return refusal ?? { kind: "refused", known: null };
      return begin(found.user, found.password_hash, origin);
    },
    async signOut({ caller, secure = false }) {
      if (caller.kind === "person" && caller.sign_in !== undefined) await signIns.end(caller.sign_in);
      await watch.look();
      return cookies.clear("obelus-sign-in", secure);
    },
    async changePassword({ current, password }, requester) {
      const { caller, address } = requester;
      if (caller.kind !== "person") return { kind: "refused", known: null };
      const refusal = await refuse(caller.name, current, await users.named(caller.name), address);
      if (refusal) return refusal;
      const user = await users.setPassword(caller.id, await passwords.hash(password), caller.sign_in);
      await watch.look();
      return user ? { kind: "changed", user } : { kind: "refused", known: null };
    },
    hashPassword: passwords.hash,
    newKey,
    oidc: required && parts.oidc ? createOidc(parts.oidc, { ...parts, cookies, begin }) : null,
    stop: watch.stop,
  };
}

/** With a provider, the password form is shown only if some users have a password. */
function methodsOf(users: readonly User[], oidc: boolean): SignInMethods {
  const password = !oidc || users.some(({ signs_in }) => signs_in === "here");
  return { password, oidc, users: users.length };
}

/** Signs a user in; the browser gets a new token. */
async function beginSignIn(
  { signIns, cookies, now }: { signIns: SignInStore; cookies: Cookies; now(): number },
  user: User,
  proven: string | null,
  { requester: { caller, address, secure = false }, userAgent }: Origin,
): Promise<SignedIn> {
  const token = newToken();
  const hash = tokenHash(token);
  const expires_at = now() + LONGEST_SIGN_IN * 1_000;
  await signIns.add({ token_hash: hash, user_id: user.id, proven, expires_at, address, user_agent: userAgent });
  // The browser has one cookie: its previous sign-in would stay valid.
  if (caller.kind === "person" && caller.sign_in !== undefined) await signIns.end(caller.sign_in);
  const { id, name, role } = user;
  return {
    kind: "signed_in",
    caller: { kind: "person", id, name, role, sign_in: hash },
    cookie: cookies.make("obelus-sign-in", token, LONGEST_SIGN_IN, secure),
  };
}
