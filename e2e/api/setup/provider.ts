import { once } from "node:events";
import { createServer } from "node:http";
import Provider from "oidc-provider";

/** An account at the provider. */
export interface Account {
  preferred_username: string;
  roles?: string[];
}

/** A local OpenID Connect provider that signs users in without interaction. */
export interface RunningProvider {
  issuer: string;
  /** Accounts by subject. */
  accounts: Map<string, Account>;
  /** Who signs in next; null: they refuse. */
  next: string | null;
  close(): Promise<void>;
}

/** Starts it for one client, with required PKCE. */
export async function startProvider(client: {
  client_id: string;
  client_secret: string;
  redirect_uris: string[];
}): Promise<RunningProvider> {
  const http = createServer().listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const accounts = new Map<string, Account>();
  const running: RunningProvider = {
    ...{ issuer, accounts, next: null },
    async close() {
      http.closeAllConnections();
      http.close();
    },
  };
  const provider = new Provider(issuer, {
    clients: [client],
    claims: { openid: ["sub"], profile: ["preferred_username", "roles"], email: [] },
    cookies: { keys: ["a key of the test"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
    findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId, ...accounts.get(accountId) }) }),
  });
  const answer = provider.callback();
  http.on("request", async (request, response) => {
    if (!request.url?.startsWith("/interaction/")) return answer(request, response);
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    const accountId = running.next ?? undefined;
    if (accountId === undefined) return provider.interactionFinished(request, response, { error: "access_denied" });
    if (prompt.name === "login") return provider.interactionFinished(request, response, { login: { accountId } });
    const grant = new provider.Grant({
      accountId: session?.accountId ?? accountId,
      clientId: String(params.client_id),
    });
    grant.addOIDCScope(String(params.scope));
    const grantId = await grant.save();
    return provider.interactionFinished(request, response, { consent: { grantId } });
  });
  return running;
}
