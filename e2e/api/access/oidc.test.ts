import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServerProcess, startServerProcess } from "../../../scripts/server-process.ts";
import { type RunningProvider, startProvider } from "../setup/provider.ts";
import { temporaryDirectory } from "../setup/server.ts";

/** The server's public address; the tests use another one. */
const PUBLIC = "https://obelus.example.org";
const CLIENT = { client_id: "obelus", client_secret: "a secret of the test" };

let provider: RunningProvider;
let server: ServerProcess;
let dataDir: string;

beforeAll(async () => {
  provider = await startProvider({ ...CLIENT, redirect_uris: [`${PUBLIC}/api/sign-in/oidc/callback`] });
  dataDir = await temporaryDirectory();
  server = await startServerProcess(dataDir, {
    env: {
      ...{ OBELUS_AUTH: "1", OBELUS_DEMO: "0", OBELUS_PUBLIC_URL: PUBLIC, OBELUS_LOG_LEVEL: "fatal" },
      ...{ OBELUS_OIDC_ISSUER: provider.issuer, OBELUS_OIDC_ROLES_CLAIM: "roles" },
      ...{ OBELUS_OIDC_CLIENT_ID: CLIENT.client_id, OBELUS_OIDC_CLIENT_SECRET: CLIENT.client_secret },
    },
  });
});

afterAll(async () => {
  await server.stop();
  await provider.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** A minimal browser: it follows redirects and has cookies by host. */
function browser() {
  const jars = new Map<string, Map<string, string>>();
  async function open(address: string): Promise<Response> {
    const url = new URL(address);
    const jar = jars.get(url.origin) ?? new Map<string, string>();
    jars.set(url.origin, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const target = url.origin === PUBLIC ? `${server.address}${url.pathname}${url.search}` : address;
    const response = await fetch(target, { redirect: "manual", headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = set.split("; ");
      const [name = "", value = ""] = pair.split(/=(.*)/s);
      if (value === "" || attributes.includes("Max-Age=0")) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }
  return {
    open,
    /** Follows redirects until the path matches; returns the address. */
    async follow(address: string, isEnd: (url: URL) => boolean): Promise<string> {
      let url = new URL(address);
      for (let n = 0; n < 12 && !isEnd(url); n++) {
        const response = await open(url.href);
        const location = response.headers.get("location");
        if (location === null) throw new Error(`${url} leads nowhere: ${response.status} ${await response.text()}`);
        url = new URL(location, url);
      }
      return url.href;
    },
    me: async () => (await open(`${PUBLIC}/api/me`)).json(),
    cookies: () => [...(jars.get(PUBLIC)?.keys() ?? [])],
  };
}

const START = `${PUBLIC}/api/sign-in/oidc`;
const isPage = ({ origin, pathname }: URL) => origin === PUBLIC && !pathname.startsWith("/api/");

/** A user signs in with a browser; returns it and the final page. */
async function comes(subject: string | null, query = "", tab = browser()) {
  provider.next = subject;
  return { tab, page: await tab.follow(`${START}${query}`, isPage) };
}

it("Security: a user of the provider signs in with the provider's role, and returns to the requested page", async () => {
  provider.accounts.set("1", { preferred_username: "anna", roles: ["staff", "obelus:operator"] });
  const { tab, page } = await comes("1", "?to=/approvals%3Fstatus%3Drequested");
  expect(page).toBe(`${PUBLIC}/approvals?status=requested`);
  expect(await tab.me()).toMatchObject({ kind: "person", name: "anna", role: "operator", signs_in: "elsewhere" });
  expect(tab.cookies()).toEqual(["__Host-obelus-sign-in"]);
});

it("Security: a role removed at the provider is removed at the next sign-in, in all browsers", async () => {
  provider.accounts.set("2", { preferred_username: "bob", roles: ["admin"] });
  const { tab } = await comes("2");
  provider.accounts.set("2", { preferred_username: "bob", roles: ["viewer"] });
  const { tab: another } = await comes("2");
  expect(await another.me()).toMatchObject({ name: "bob", role: "viewer" });
  expect(await tab.me()).toMatchObject({ status: 401 });
  provider.accounts.set("2", { preferred_username: "bob" });
  expect((await comes("2")).page).toBe(`${PUBLIC}/sign-in?error=no_role`);
});

it("Security: without a role, or on refusal, sign-in fails with a message", async () => {
  provider.accounts.set("3", { preferred_username: "carl", roles: ["staff"] });
  const { tab, page } = await comes("3");
  expect(page).toBe(`${PUBLIC}/sign-in?error=no_role`);
  expect(tab.cookies()).toEqual([]);
  expect((await comes(null)).page).toBe(`${PUBLIC}/sign-in?error=oidc_refused`);
});

it("Security: nobody is redirected to another site", async () => {
  provider.accounts.set("4", { preferred_username: "dora", roles: ["viewer"] });
  for (const to of ["//evil.example", "https://evil.example", "/\\evil.example", "/%09/evil.example"])
    expect(new URL((await comes("4", `?to=${encodeURIComponent(to)}`)).page).origin).toBe(PUBLIC);
});

it("Security: a response that this browser did not request is refused", async () => {
  provider.accounts.set("5", { preferred_username: "eve", roles: ["admin"] });
  provider.next = "5";
  const mallory = browser();
  const isBack = ({ pathname }: URL) => pathname === "/api/sign-in/oidc/callback";
  const answer = await mallory.follow(START, isBack);
  // In a browser without a sign-in in progress, and in one with another one.
  const fresh = browser();
  expect(await fresh.follow(answer, isPage)).toBe(`${PUBLIC}/sign-in?error=oidc_failed`);
  const sent = browser();
  await sent.open(START);
  expect(await sent.follow(answer, isPage)).toBe(`${PUBLIC}/sign-in?error=oidc_failed`);
  expect([fresh.cookies(), sent.cookies()]).toEqual([[], []]);
  // It is still valid where it was requested, once.
  expect(await mallory.follow(answer, isPage)).toBe(`${PUBLIC}/`);
  expect(await mallory.follow(answer, isPage)).toBe(`${PUBLIC}/sign-in?error=oidc_failed`);
});
