import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, describe, expect, it } from "vitest";
import { storageEnvironment } from "../../../db/postgres/testing/for-data-dir.ts";
import { ROOT } from "../../../scripts/process.mjs";
import { serverProgram } from "../../../scripts/server-process.ts";
import { readEvents } from "../setup/event-source.ts";
import { addPeople, type Credentials, cookieOf, PASSWORD, signIn } from "../setup/people.ts";
import { logEvent, rawCall, temporaryDirectory, withServer } from "../setup/server.ts";

let people: Awaited<ReturnType<typeof addPeople>>;
const server = withServer(
  { OBELUS_AUTH: "1", OBELUS_TRUSTED_PROXIES: "loopback" },
  {
    prepare: async (dataDir) => {
      people = await addPeople(dataDir);
    },
  },
);
beforeAll(() => signIn(server.url, people));

const of = (name: Parameters<typeof people.get>[0]): Credentials => people.get(name) ?? {};

/** Attempts a sign-in from an address in the proxy's header. */
const attempt = (name: string, password: string, address: string, headers: Record<string, string> = {}) =>
  server.post("/api/sign-in", { name, password }, { "x-forwarded-for": address, ...headers });

/** Adds a user and signs them in. */
async function newUser(name: string, role: string): Promise<{ id: string; credentials: Credentials }> {
  const { body } = await server.post("/api/users", { name, role, password: PASSWORD }, of("admin"));
  return { id: body.id, credentials: await cookieOf(server.url, name) };
}

async function newKey(
  name: string,
  scopes: string[],
  more: object = {},
): Promise<{ id: string; credentials: Credentials }> {
  const { body } = await server.post("/api/keys", { name, scopes, ...more }, of("admin"));
  return { id: body.id, credentials: { authorization: `Bearer ${body.key}` } };
}

/** Runs a command on the server's data directory; returns its output and exit code. */
async function command(script: string, args: string[], { input = "", dataDir = server.dataDir } = {}) {
  const child = spawn(process.execPath, ["scripts/commands/main.ts", script, ...args], {
    cwd: ROOT,
    env: { ...process.env, OBELUS_DATA_DIR: dataDir, ...(await storageEnvironment(dataDir)) },
  });
  child.stdin.end(input);
  const closed = once(child, "close");
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: (await closed)[0], out, err };
}

describe("Security: signing in", () => {
  it("sets a cookie that is HttpOnly and not sent with cross-site requests", async () => {
    const { status, headers, body } = await attempt("Viewer", PASSWORD, "192.0.2.1");
    expect([status, body]).toEqual([200, { name: "viewer", role: "viewer" }]);
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^obelus-sign-in=[\w-]{43}\.[^;]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  it("behind TLS, sets a cookie for this host and TLS only", async () => {
    const { headers } = await attempt("viewer", PASSWORD, "192.0.2.1", { "x-forwarded-proto": "https" });
    const [cookie = ""] = headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-obelus-sign-in=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const sent = { cookie: cookie.split(";", 1)[0] ?? "" };
    expect((await server.get("/api/me", { ...sent, "x-forwarded-proto": "https" })).status).toBe(200);
    expect((await server.get("/api/me", sent)).status).toBe(401);
  });

  it("refuses forged cookies", async () => {
    const { cookie = "" } = of("admin");
    const [token] = cookie.split(".");
    const other = cookie.replace(/=(.)/, (_, first: string) => `=${first === "_" ? "-" : "_"}`);
    for (const forged of [`${token}`, `${token}.`, cookie.slice(0, -3), other])
      expect((await server.get("/api/me", { cookie: forged })).status).toBe(401);
  });

  it("gives the same error for a wrong password and an unknown name, and only audits user names", async () => {
    const wrong = await attempt("operator", "not the password", "192.0.2.2");
    const unknown = await attempt("mallory", "not the password", "192.0.2.2");
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(unknown.body).toEqual(wrong.body);
    const { body } = await server.get("/api/audit?action=sign_in_refused&limit=2", of("admin"));
    expect(body.items.map(({ target, address }: { target: string; address: string }) => [target, address])).toEqual([
      [null, "192.0.2.2"],
      ["user:operator", "192.0.2.2"],
    ]);
  });

  it("limits failed attempts, but not of the same person elsewhere", async () => {
    const outcomes = [];
    for (let n = 0; n < 7; n++) outcomes.push(await attempt("admin", `guess ${n}`, "198.51.100.1"));
    expect(outcomes.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const [waits] = outcomes.slice(-1);
    expect(waits?.body).toMatchObject({ code: "too_many_requests" });
    expect(Number(waits?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await attempt("admin", PASSWORD, "198.51.100.1")).status).toBe(429);
    expect((await attempt("admin", PASSWORD, "198.51.100.2")).status).toBe(200);
  });

  it("again in the same browser, ends the previous sign-in", async () => {
    const before = await cookieOf(server.url, "viewer");
    expect((await attempt("operator", PASSWORD, "192.0.2.1", before)).body.name).toBe("operator");
    expect((await server.get("/api/me", before)).status).toBe(401);
  });

  it("returns the caller", async () => {
    expect((await server.get("/api/me", of("operator"))).body).toEqual({
      ...{ kind: "person", name: "operator", role: "operator", signs_in: "here" },
      permissions: ["public", "known", "read", "ingest", "decide", "test", "operate"],
    });
    expect((await server.get("/api/me", of("decide"))).body).toMatchObject({ kind: "key", scopes: ["decide"] });
  });
});

describe("Security: permissions end at once", () => {
  it("for a deleted user: open streams end, and the cookie is invalid", async () => {
    const { id, credentials } = await newUser("leaver", "viewer");
    const stream = await readEvents(server.url, "/api/stream", credentials);
    expect((await server.send("DELETE", `/api/users/${id}`, undefined, of("admin"))).status).toBe(204);
    await stream.ended;
    expect((await server.get("/api/me", credentials)).status).toBe(401);
    expect((await attempt("leaver", PASSWORD, "192.0.2.3")).status).toBe(401);
  });

  it("for a user deleted by a command while the server runs", async () => {
    const { credentials } = await newUser("left by command", "operator");
    const stream = await readEvents(server.url, "/api/stream", credentials);
    expect(await command("users", ["remove", "left by command"])).toMatchObject({
      ...{ code: 0, out: "left by command was removed and signed out.\n" },
    });
    await stream.ended;
    expect((await server.get("/api/me", credentials)).status).toBe(401);
    const { body } = await server.get("/api/audit?action=user.removed&limit=1", of("admin"));
    expect(body.items[0]).toMatchObject({ actor: "operator:command-line", target: "user:left by command" });
  });

  it("for a changed role, in all browsers", async () => {
    const { id, credentials } = await newUser("lowered", "operator");
    const other = await cookieOf(server.url, "lowered");
    expect((await server.send("PUT", `/api/users/${id}`, { role: "viewer" }, of("admin"))).body.role).toBe("viewer");
    for (const each of [credentials, other]) expect((await server.get("/api/me", each)).status).toBe(401);
  });

  it("for a changed password, in all browsers but the one that changed it", async () => {
    const { credentials } = await newUser("careful", "viewer");
    const other = await cookieOf(server.url, "careful");
    const stream = await readEvents(server.url, "/api/stream", other);
    const change = (current: string, password: string) =>
      server.send("PUT", "/api/me/password", { current, password }, credentials);
    expect((await change("not it at all", "another password")).body.errors).toEqual([
      { path: "/current", message: "is not your current password" },
    ]);
    expect((await change(PASSWORD, "short")).body.errors[0].path).toBe("/password");
    expect((await change(PASSWORD, "another password")).status).toBe(204);
    await stream.ended;
    expect((await server.get("/api/me", other)).status).toBe(401);
    expect((await server.get("/api/me", credentials)).status).toBe(200);
    expect((await attempt("careful", "another password", "192.0.2.4")).status).toBe(200);
  });

  it("for a revoked key, also in open streams", async () => {
    const { id, credentials } = await newKey("streaming", ["read"]);
    const stream = await readEvents(server.url, "/api/stream", credentials);
    expect((await server.send("DELETE", `/api/keys/${id}`, undefined, of("admin"))).status).toBe(204);
    await stream.ended;
    const { status, body } = await server.get("/api/conversations", credentials);
    expect([status, body.detail]).toEqual([401, "The key streaming was revoked; create a new one."]);
  });

  it("never for the last administrator", async () => {
    const { body } = await server.get("/api/users", of("admin"));
    const { id } = body.items.find(({ role }: { role: string }) => role === "admin");
    expect((await server.send("PUT", `/api/users/${id}`, { role: "viewer" }, of("admin"))).status).toBe(409);
    expect((await server.send("DELETE", `/api/users/${id}`, undefined, of("admin"))).status).toBe(409);
    expect((await command("users", ["remove", "admin"])).err).toBe(
      "admin is the last administrator; make another user administrator first.\n",
    );
  });
});

describe("Security: a cookie does not prove that a request is same-site", () => {
  const write = (headers: Record<string, string>) => server.post("/api/events", logEvent("forged", 1), headers);

  it("requests with effects must come from our pages", async () => {
    const { cookie = "" } = of("operator");
    const sites = ["cross-site", "same-site", "none"].map((site) => ({ "sec-fetch-site": site }));
    const kinds: Credentials[] = [{}, ...sites];
    for (const headers of kinds)
      expect((await write({ cookie, ...headers })).body).toMatchObject({ status: 403, code: "foreign_origin" });
    expect((await write({ cookie, origin: "https://evil.example" })).status).toBe(403);
    expect((await server.get("/api/conversations/forged", of("operator"))).status).toBe(404);
    expect((await write({ cookie, "sec-fetch-site": "same-origin" })).status).toBe(201);
    expect((await write({ cookie, origin: server.url })).status).toBe(201);
  });

  it("requests with keys need not", async () => {
    expect((await write(of("ingest"))).status).toBe(201);
  });
});

describe("Security: API keys", () => {
  const run = [
    { type: "RUN_STARTED", threadId: "ag", runId: "r" },
    { type: "RUN_FINISHED", threadId: "ag", runId: "r" },
  ];
  const calls = {
    "the native API": (headers: Credentials) => server.post("/api/events", logEvent("told", 1), headers),
    "OTLP/HTTP": (headers: Credentials) => server.post("/v1/traces", { resourceSpans: [] }, headers),
    "AG-UI": (headers: Credentials) =>
      fetch(`${server.url}/api/ag-ui`, {
        method: "POST",
        headers: { "content-type": "text/event-stream", ...headers },
        body: run.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""),
      }),
  };

  it.each(Object.entries(calls))("%s takes what a key with the scope ingest tells, and no other's", async (_, call) => {
    expect((await call(of("ingest"))).status).toBeLessThan(300);
    for (const name of ["read", "decide"] as const) expect((await call(of(name))).status).toBe(403);
    for (const name of ["nobody", "revoked", "expired"] as const) expect((await call(of(name))).status).toBe(401);
    expect((await call({ authorization: "Bearer obl_nonsense" })).status).toBe(401);
  });

  it("MCP accepts a key that may read, and no other", async () => {
    const connect = async (credentials: Credentials) => {
      const client = new Client({ name: "test", version: "1" });
      const requestInit = { headers: credentials };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/api/mcp`), { requestInit }));
      const answer = await client.callTool({ name: "list_conversations", arguments: {} });
      await client.close();
      return answer.isError ?? false;
    };
    expect(await connect(of("read"))).toBe(false);
    await expect(connect(of("ingest"))).rejects.toThrow();
    await expect(connect(of("nobody"))).rejects.toThrow();
  });

  it("may record users' messages, but not an operator's", async () => {
    await server.post("/api/conversations", { id: "turns" }, of("ingest"));
    const say = (role: string, credentials: Credentials) =>
      server.post("/api/conversations/turns/messages", { content: "hello", role }, credentials);
    expect((await say("operator", of("ingest"))).status).toBe(403);
    expect((await say("user", of("ingest"))).status).toBe(202);
    expect((await say("operator", of("operator"))).status).toBe(202);
  });

  it("import scores of programs, but of people, judges and rules only with decide", async () => {
    const send = (id: string, source: string, by: string | null, credentials: Credentials) => {
      const head = {
        format: "obelus.conversation",
        version: 3,
        conversation: { id, last_seq: 1, bookmarks: 0, scores: 1 },
      };
      const event = {
        ...{ id: `${id}-1`, conversation_id: id, seq: 1, type: "log", actor: null, agent_id: null, run_id: null },
        ...{ parent_run_id: null, caused_by: null, payload: {}, occurred_at: "2026-11-20T09:00:00.000Z" },
        recorded_at: "2026-11-20T09:00:00.000Z",
      };
      const score = {
        ...{ seq: null, run_id: null, call_id: null, name: "quality", value: 1, source, comment: null, by },
        at: "2026-11-20T09:00:00.000Z",
      };
      return fetch(`${server.url}/api/import`, {
        ...{ method: "POST", body: [head, event, { score }].map((line) => JSON.stringify(line)).join("\n") },
        headers: { ...credentials, "content-type": "application/x-ndjson" },
      });
    };
    expect((await send("scored-1", "program", null, of("ingest"))).status).toBe(201);
    for (const [id, source, by] of [
      ["scored-2", "evaluator", "judge:careful"],
      ["scored-3", "evaluator", null],
      ["scored-4", "person", "operator:admin"],
    ] as const) {
      const refused = await send(id, source, by, of("ingest"));
      expect([refused.status, (await refused.json()).detail]).toEqual([
        403,
        expect.stringContaining(`a score of ${by ?? source} requires`),
      ]);
      const { credentials } = await newKey(`mover of ${id}`, ["ingest", "decide"]);
      expect((await send(id, source, by, credentials)).status).toBe(201);
    }
  });

  it("are shown once, and show their last use", async () => {
    const made = await server.post("/api/keys", { name: "billing", scopes: ["read", "ingest", "read"] }, of("admin"));
    expect(made.body).toMatchObject({ scopes: ["ingest", "read"], created_by: "operator:admin", used_at: null });
    expect(made.body.key).toMatch(/^obl_[\w-]{43}$/);
    await server.get("/api/me", { authorization: `Bearer ${made.body.key}` });
    const listKeys = async () => (await server.get("/api/keys", of("admin"))).body.items;
    // The use is stored after the answer.
    const usedAt = async () => (await listKeys()).find(({ name }: { name: string }) => name === "billing").used_at;
    await expect.poll(async () => (await usedAt()) >= made.body.created_at).toBe(true);
    expect(JSON.stringify(await listKeys())).not.toContain(made.body.key);
    expect((await server.post("/api/keys", { name: "billing", scopes: ["read"] }, of("admin"))).status).toBe(409);
  });

  it("expire, also in open streams", async () => {
    // Long enough to open a stream on a busy machine.
    const { credentials } = await newKey("brief", ["read"], { expires_at: new Date(Date.now() + 5_000).toISOString() });
    const stream = await readEvents(server.url, "/api/stream", credentials);
    await stream.ended;
    expect((await server.get("/api/me", credentials)).body.detail).toMatch(/^The key brief expired at /);
    const late = { name: "late", scopes: ["read"], expires_at: "2020-01-01T00:00:00Z" };
    expect((await server.post("/api/keys", late, of("admin"))).body.errors[0].path).toBe("/expires_at");
  });

  it("are created and revoked by a command while the server runs, and take effect at once", async () => {
    const { out } = await command("keys", ["add", "from the terminal", "--scopes", "read"]);
    const credentials = { authorization: `Bearer ${out.trim()}` };
    expect((await server.get("/api/conversations", credentials)).status).toBe(200);
    expect((await command("keys", ["revoke", "from the terminal"])).code).toBe(0);
    expect((await server.get("/api/conversations", credentials)).status).toBe(401);
  });
});

describe("Security: pages", () => {
  it("redirect to sign-in, and back", async () => {
    const leads = async (path: string) =>
      (await rawCall(server.url, "GET", path, { host: "localhost" })).headers.get("location");
    expect(await leads("/conversations/c-1?at=5&_rsc=abc")).toBe(
      `/sign-in?to=${encodeURIComponent("/conversations/c-1?at=5")}`,
    );
    for (const path of ["//evil.example", "/\\evil.example", "/.//evil.example", "/%09/evil.example"])
      expect(await leads(path)).toBeNull();
  });

  it("are forbidden to roles without the permission", async () => {
    const page = await fetch(`${server.url}/admin/users`, { headers: of("operator") });
    expect([page.status, page.headers.get("content-type")]).toEqual([403, "text/html; charset=utf-8"]);
    const encoded = await rawCall(server.url, "GET", "/%61dmin/users", { host: "localhost", ...of("viewer") });
    expect(encoded.status).toBe(403);
  });

  it("have a request id, which only a trusted proxy can set", async () => {
    const id = "from-the-proxy.1";
    expect((await server.get("/api/health", { "x-request-id": id })).headers.get("x-request-id")).toBe(id);
    const made = (await server.get("/api/health", { "x-request-id": "bad id\t<b>" })).headers.get("x-request-id");
    expect(made).toMatch(/^[\da-f-]{36}$/);
  });
});

describe("Security: the first user", () => {
  it("is added by a command before the first start, with a piped password; otherwise a public server does not start", async () => {
    const dataDir = await temporaryDirectory();
    const start = async () => {
      const env = {
        ...{ ...process.env, OBELUS_DATA_DIR: dataDir, ...(await storageEnvironment(dataDir)) },
        ...{ OBELUS_AUTH: "1", HOST: "0.0.0.0", PORT: "0", OBELUS_DEMO: "0" },
      };
      const child = spawn(process.execPath, [serverProgram()], { cwd: ROOT, env });
      const said = text(child.stderr);
      child.stdout.setEncoding("utf8").on("data", (line: string) => {
        if (line.includes("is ready")) child.kill("SIGTERM");
      });
      const [code] = await once(child, "close");
      return { code, said: await said };
    };
    expect(await start()).toEqual({
      code: 1,
      said: "Nobody could sign in: OBELUS_AUTH is on with HOST=0.0.0.0, but there are no users. Add the first one with npm run users -- add NAME --role admin, or set OBELUS_OIDC_ISSUER.\n",
    });
    const add = (input: string) => command("users", ["add", "anna", "--role", "admin"], { input, dataDir });
    expect(await add("short\n")).toMatchObject({
      code: 1,
      err: "A password must have 10 to 200 characters; nothing was changed.\n",
    });
    expect(await add(`${PASSWORD}\nanother one\n`)).toMatchObject({
      code: 1,
      err: "The input has more than one line; pipe the password as one line. Nothing was changed.\n",
    });
    expect(await add(`${PASSWORD}\n`)).toMatchObject({ code: 0, out: "anna can now sign in as admin.\n" });
    expect((await start()).code).toBe(0);
  });
});
