import type { Configuration } from "openid-client";
import type { User, UserStore } from "../../db/access.ts";
import type { Fetch } from "../outgoing/fetch.ts";
import type { Origin, SignedIn } from "./access.ts";
import type { Role } from "./caller.ts";
import { type Claims, hasClaim, nameFrom, roleFrom } from "./claims.ts";
import type { Cookies } from "./cookies.ts";
import { ownPath } from "./own-path.ts";

/** The configuration of an OpenID Connect provider. */
export interface OidcConfig {
  issuer: string;
  clientId: string;
  /** Null for a public client, which uses PKCE alone. */
  clientSecret: string | null;
  /** The claim with a user's roles: `roles`, `realm_access.roles`. Null: none. */
  rolesClaim: string | null;
  /** The role of users without the claim; null: they are refused. */
  defaultRole: Role | null;
  /** The public address of this server, for redirects. */
  publicUrl: string;
}

/** Why a sign-in failed: refused by the provider, an error, or no role. */
export type OidcError = "oidc_refused" | "oidc_failed" | "no_role";

/** Sign-in with OpenID Connect by redirects. */
export interface Oidc {
  /** Redirects to the provider; `to` is the final path on this server. */
  start(to: string | null, secure: boolean): Promise<Away | { kind: "failed"; error: OidcError }>;
  /** Handles the redirect back from the provider. */
  finish(search: string, cookie: string | undefined, origin: Origin): Promise<Back>;
}

interface Away {
  kind: "away";
  location: string;
  cookie: string;
}

/** `clear` is the header that deletes the cookie of the sign-in in progress. */
type Back = { clear: string } & (
  | { kind: "back"; signedIn: SignedIn; to: string; isNew: boolean; before: Role | null }
  | { kind: "failed"; error: OidcError }
);

interface Parts {
  users: UserStore;
  cookies: Cookies;
  begin(user: User, proven: null, origin: Origin): Promise<SignedIn>;
  /** Calls the provider. */
  fetch: Fetch;
  now(): number;
  logger: { warn(details: object, message: string): void };
}

/** The state of a sign-in in progress, in a signed cookie. */
interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
  to: string;
  /** Epoch ms. */
  since: number;
}

/** The maximum duration of a sign-in at the provider, in seconds. */
const MAX_SIGN_IN_S = 600;

/** The timeout of requests to the provider, in seconds. */
const PATIENCE = 10;

/** The redirect URI's path. */
const CALLBACK = "/api/sign-in/oidc/callback";

/** Creates it. The library is loaded and the provider discovered at the first sign-in. */
export function createOidc(config: OidcConfig, { users, cookies, begin, fetch, now, logger }: Parts): Oidc {
  const redirectUri = new URL(CALLBACK, config.publicUrl).href;
  let discovering: Promise<Configuration> | null = null;

  /** The discovered configuration; discovery is repeated after a failure. */
  async function provider(): Promise<Configuration> {
    discovering ??= discover(config, fetch);
    try {
      return await discovering;
    } catch (error) {
      discovering = null;
      throw error;
    }
  }

  function failed(error: unknown): { kind: "failed"; error: OidcError } {
    logger.warn({ err: error, issuer: config.issuer }, "OpenID Connect sign-in failed");
    return { kind: "failed", error: "oidc_failed" };
  }

  function pendingOf(cookie: string | undefined, secure: boolean): PendingSignIn | null {
    const text = cookies.read("obelus-oidc", cookie, secure);
    // Signed, so its content can be trusted.
    const pending: PendingSignIn | null = text === null ? null : JSON.parse(text);
    return pending && now() - pending.since < MAX_SIGN_IN_S * 1_000 ? pending : null;
  }

  async function finish(search: string, pending: PendingSignIn, origin: Origin) {
    const claims = await claimsOf(config, await provider(), new URL(search, redirectUri), pending);
    const role = (config.rolesClaim === null ? null : roleFrom(claims, config.rolesClaim)) ?? config.defaultRole;
    if (role === null) return { kind: "failed", error: "no_role" } as const;
    const subject = JSON.stringify([config.issuer, claims.sub]);
    const { user, before } = await users.fromElsewhere({ subject, name: nameFrom(claims), role });
    const signedIn = await begin(user, null, origin);
    return { kind: "back", signedIn, to: ownPath(pending.to) ?? "/", isNew: before === null, before } as const;
  }

  return {
    async start(to, secure) {
      try {
        const client = await import("openid-client");
        const pending: PendingSignIn = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          verifier: client.randomPKCECodeVerifier(),
          to: ownPath(to) ?? "/",
          since: now(),
        };
        const location = client.buildAuthorizationUrl(await provider(), {
          redirect_uri: redirectUri,
          scope: "openid profile email",
          state: pending.state,
          nonce: pending.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(pending.verifier),
          code_challenge_method: "S256",
        });
        const cookie = cookies.make("obelus-oidc", JSON.stringify(pending), MAX_SIGN_IN_S, secure);
        return { kind: "away", location: location.href, cookie };
      } catch (error) {
        return failed(error);
      }
    },
    async finish(search, cookie, origin) {
      const { secure = false } = origin.requester;
      const clear = cookies.clear("obelus-oidc", secure);
      const pending = pendingOf(cookie, secure);
      if (!pending) return { ...failed(new Error("The sign-in took too long, or was not started here")), clear };
      try {
        return { ...(await finish(search, pending, origin)), clear };
      } catch (error) {
        if (isRefusal(error)) return { kind: "failed", error: "oidc_refused", clear };
        return { ...failed(error), clear };
      }
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: OidcConfig, fetch: Fetch): Promise<Configuration> {
  const client = await import("openid-client");
  const server = new URL(issuer);
  return client.discovery(
    server,
    clientId,
    undefined,
    clientSecret === null ? client.None() : client.ClientSecretBasic(clientSecret),
    {
      timeout: PATIENCE,
      // Requests only have form bodies.
      [client.customFetch]: (url, { body, ...options }) => fetch(url, { ...options, body: body ? String(body) : null }),
      // Only on localhost, as the configuration has checked.
      ...(server.protocol === "http:" && { execute: [client.allowInsecureRequests] }),
    },
  );
}

/** The claims of the ID token, or of userinfo if the role is not in it. */
async function claimsOf(
  { rolesClaim }: OidcConfig,
  provider: Configuration,
  address: URL,
  { state, nonce, verifier }: PendingSignIn,
): Promise<Claims & { sub: string }> {
  const client = await import("openid-client");
  const tokens = await client.authorizationCodeGrant(provider, address, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
  });
  const claims = tokens.claims();
  if (!claims) throw new Error("The provider sent no ID token");
  const isWhole = rolesClaim === null || hasClaim(claims, rolesClaim);
  if (isWhole && claims.preferred_username !== undefined) return claims;
  if (provider.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await client.fetchUserInfo(provider, tokens.access_token, claims.sub)), ...claims };
}

/** Whether the user or the provider refused. By code: the class is loaded lazily. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && "error" in error && error.error === "access_denied";
}
