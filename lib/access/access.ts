import type { KeyStore, SignInStore, User, UserStore } from "../../db/access.ts";
import type { Fetch } from "../outgoing/fetch.ts";
import type { Caller, Requester } from "./caller.ts";
import { type Cookies, createCookies } from "./cookies.ts";
import { type Credentials, createIdentification, type Identified } from "./identify.ts";
import { createOidc, type Oidc, type OidcConfig } from "./oidc.ts";
import { createPasswords } from "./passwords.ts";
import { createSlowDown } from "./slow-down.ts";
import { newKey, newToken, tokenHash } from "./tokens.ts";
import { createWatch, RightsEnded } from "./watch.ts";

/** Who may come in, and who it is. */
export interface Access {
  /** Somebody has to sign in, or send a key, for all that is not public. */
  required: boolean;
  /** Who sends a request. */
  identify(credentials: Credentials): Promise<Identified>;
  /** Throws `RightsEnded` when the caller has not the rights any more that they came with. */
  checkRights(caller: Caller): Promise<void>;
  /** Aborts when the caller's rights end: they signed out, were removed, or their key was revoked; by `RightsEnded`. */
  ended(caller: Caller): AbortSignal;
  /** Ends what those still have open whose rights were just taken; without it that takes a moment longer. */
  rightsChanged(): Promise<void>;
  /** How people can sign in here. */
  ways(): Promise<Ways>;
  /** Signs somebody in by name and password. */
  signIn(given: { name: string; password: string }, origin: Origin): Promise<SignedIn | Refusal>;
  /** Signs the caller out in this browser, and answers the header that takes the cookie away. */
  signOut(requester: Requester): Promise<string>;
  /** Gives a person another password, if they know the one they have. Their other browsers are signed out. */
  changePassword(
    given: { current: string; password: string },
    requester: Requester,
  ): Promise<{ kind: "changed"; user: User } | Refusal>;
  hashPassword(password: string): Promise<string>;
  /** Makes a key, which is told once, and what is kept of it. */
  newKey(): { key: string; token_hash: string; shown: string };
  /** Null where people do not sign in elsewhere. */
  oidc: Oidc | null;
  stop(): void;
}

/** What the page for signing in offers. */
export interface Ways {
  password: boolean;
  oidc: boolean;
  /** How many users there are; where there is none, the page says how to add one. */
  users: number;
}

/** Where somebody signs in. */
export interface Origin {
  requester: Requester;
  userAgent: string | null;
}

/** Somebody is signed in now. `cookie` is the header `Set-Cookie`. */
export interface SignedIn {
  kind: "signed_in";
  caller: Extract<Caller, { kind: "person" }>;
  cookie: string;
}

/** The wrong password, or the name of nobody; `known` names the user, for the audit and not for the answer. Or too many tries. */
export type Refusal = { kind: "refused"; known: string | null } | { kind: "wait"; seconds: number };

export interface AccessParts {
  required: boolean;
  /** How long a sign-in lasts unused, in ms. */
  idle: number;
  /** The address by which browsers come back from a provider of OpenID Connect. */
  oidc: OidcConfig | null;
  secretKey: Uint8Array;
  users: UserStore;
  signIns: SignInStore;
  keys: KeyStore;
  /** By which a provider is called. */
  fetch: Fetch;
  now(): number;
  logger: { warn(details: object, message: string): void };
}

/** However much it is used, a sign-in ends after so long, in seconds. */
const LONGEST_SIGN_IN = 30 * 24 * 3_600;

const NOBODY_SIGNS_IN: Ways = { password: false, oidc: false, users: 0 };

/** Makes the access of a server. Where it is not required, everybody may do everything. */
export function createAccess(parts: AccessParts): Access {
  const { required, users, signIns, now, logger } = parts;
  const passwords = createPasswords();
  const slowDown = createSlowDown();
  const cookies = createCookies(parts.secretKey);
  const onFailure = (error: unknown) => logger.warn({ err: error }, "Users and keys could not be read or updated");
  const { identify, isCurrent } = createIdentification({ ...parts, cookies, onFailure });
  const watch = createWatch(isCurrent, onFailure);
  const begin = (user: User, proven: string | null, origin: Origin) =>
    beginSignIn({ signIns, cookies, now }, user, proven, origin);

  /** Checks a password, slowed down. Null: it is right. */
  async function refuse(
    name: string,
    password: string,
    found: Awaited<ReturnType<UserStore["named"]>>,
    address: string,
  ): Promise<Refusal | null> {
    const isKnown = found !== null && (await signIns.knows(found.user.id, address));
    const seconds = await slowDown.begin(name, address, isKnown);
    if (seconds !== null) return { kind: "wait", seconds };
    if (!(await passwords.verify(password, found?.password_hash ?? null)))
      return { kind: "refused", known: found?.user.name ?? null };
    await slowDown.succeeded(name, address);
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
    ways: async () => (required ? waysOf(await users.list(), parts.oidc !== null) : NOBODY_SIGNS_IN),
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

/** Where there is a provider, a form for passwords is there for those who have one. */
function waysOf(users: readonly User[], oidc: boolean): Ways {
  const password = !oidc || users.some(({ signs_in }) => signs_in === "here");
  return { password, oidc, users: users.length };
}

/** Signs a user in, in a browser that gets a token which nobody else has ever had. */
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
  // The browser has one cookie: what it was signed in by before would live on unseen.
  if (caller.kind === "person" && caller.sign_in !== undefined) await signIns.end(caller.sign_in);
  const { id, name, role } = user;
  return {
    kind: "signed_in",
    caller: { kind: "person", id, name, role, sign_in: hash },
    cookie: cookies.make("obelus-sign-in", token, LONGEST_SIGN_IN, secure),
  };
}
