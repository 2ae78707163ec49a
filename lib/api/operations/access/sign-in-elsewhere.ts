import { z } from "zod";
import type { Access } from "../../../access/access.ts";
import type { Oidc, OidcError } from "../../../access/oidc.ts";
import { refusal } from "../../answers/answers.ts";
import { operation } from "../../operation.ts";
import { Problem } from "../../problem.ts";

const notHere = {
  404: refusal("OpenID Connect is not configured."),
};

/** Redirects to the OpenID Connect provider. */
export const startSignIn = operation({
  name: "startSignIn",
  permission: "public",
  method: "GET",
  path: "/api/sign-in/oidc",
  summary: "Redirects to the OpenID Connect provider to sign in.",
  query: z.strictObject({
    to: z.string().max(4_000).optional().describe("The page to return to; `/` by default."),
  }),
  answers: { 303: { description: "Redirect to the provider, or back to `/sign-in?error=…`." }, ...notHere },
  async run({ query: { to = null }, requester: { secure = false } }, { access }) {
    const outcome = await oidcOf(access).start(to, secure);
    if (outcome.kind === "failed") return back(outcome.error, []);
    return on(outcome.location, [outcome.cookie]);
  },
});

/** Handles the redirect from the provider. */
export const finishSignIn = operation({
  name: "finishSignIn",
  permission: "public",
  method: "GET",
  path: "/api/sign-in/oidc/callback",
  summary: "The OpenID Connect callback: signs the person in.",
  query: z.looseObject({}).catchall(z.string()).describe("The provider's parameters."),
  answers: { 303: { description: "Redirect to the requested page, or back to `/sign-in?error=…`." }, ...notHere },
  async run({ query, requester, headers }, { access, audit }) {
    const cookie = headers.get("cookie") ?? undefined;
    const origin = { requester, userAgent: headers.get("user-agent") };
    const outcome = await oidcOf(access).finish(`?${new URLSearchParams(query)}`, cookie, origin);
    if (outcome.kind === "failed") return back(outcome.error, [outcome.clear]);
    const { signedIn, to, before, clear } = outcome;
    const { caller } = signedIn;
    const { role } = caller;
    const target = `user:${caller.name}`;
    const them = { ...requester, caller };
    if (before === null) await audit.append({ action: "user.added", target, after: { role } }, them);
    else if (before !== role)
      await audit.append({ action: "user.changed", target, before: { role: before }, after: { role } }, them);
    await audit.append({ action: "signed_in", target, after: { with: "oidc" } }, them);
    await access.rightsChanged();
    return on(to, [clear, signedIn.cookie]);
  },
});

function oidcOf({ oidc }: Access): Oidc {
  if (!oidc) throw new Problem("not_found", "OpenID Connect is not configured; set OBELUS_OIDC_ISSUER.");
  return oidc;
}

function back(error: OidcError, cookies: readonly string[]): Response {
  return on(`/sign-in?error=${error}`, cookies);
}

function on(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location, "cache-control": "no-store" });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}
