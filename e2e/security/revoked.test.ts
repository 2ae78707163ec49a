import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { addPeople, type Credentials, cookieOf } from "../api/setup/people.ts";
import { logEvent, withServer } from "../api/setup/server.ts";

const server = withServer({ OBELUS_AUTH: "1" }, { prepare: async (dataDir) => void (await addPeople(dataDir)) });

/** A request whose body is sent in two parts; between them `between` is awaited. Returns the whole response. */
async function inTwoParts(
  path: string,
  credentials: Credentials,
  [first, second]: readonly [string, string],
  between: () => Promise<unknown>,
): Promise<string> {
  const { host, port } = new URL(server.url);
  const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
  // The response may arrive, and the connection close, before everything is sent.
  socket.on("error", () => undefined);
  const type = path === "/api/events" ? "application/json" : "application/x-ndjson";
  const headers = { host, connection: "close", "content-type": type, ...credentials };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  // Without the last chunk, the body is incomplete.
  const length = Buffer.byteLength(first + (second || " "));
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}content-length: ${length}\r\nexpect: 100-continue\r\n\r\n`);
  const [goOn] = await once(socket, "data");
  expect(String(goOn)).toContain("100 Continue");
  const answer = text(socket);
  socket.write(first);
  await between();
  // A server aborts a request whose client has closed.
  socket.write(second);
  return answer;
}

/** Credentials that may ingest, and ways to revoke them. */
const WAYS: Record<string, () => Promise<{ credentials: Credentials; end: () => Promise<{ status: number }> }>> = {
  "a key is revoked": async () => {
    const admin = await cookieOf(server.url, "admin");
    const { body } = await server.post("/api/keys", { name: crypto.randomUUID(), scopes: ["ingest"] }, admin);
    return {
      credentials: { authorization: `Bearer ${body.key}` },
      end: () => server.send("DELETE", `/api/keys/${body.id}`, undefined, admin),
    };
  },
  "somebody signs out": async () => {
    const credentials = await cookieOf(server.url, "operator");
    return { credentials, end: () => server.send("POST", "/api/sign-out", undefined, credentials) };
  },
};

describe.each(Object.keys(WAYS))("Security: what is sent while %s", (way) => {
  const chat = (id: string) => `${JSON.stringify({ id, messages: [{ role: "user", content: "Hello" }] })}\n`;

  it("is refused, even if sent completely", async () => {
    const { credentials, end } = (await WAYS[way]?.()) ?? expect.unreachable();
    const id = crypto.randomUUID();
    const whole = JSON.stringify(logEvent(id, 1));
    const answer = await inTwoParts("/api/events", credentials, [whole.slice(0, 9), whole.slice(9)], end);
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
    const admin = await cookieOf(server.url, "admin");
    expect((await server.get(`/api/conversations/${id}`, admin)).status).toBe(404);
  });

  it("is refused in the middle of an import, and nothing is kept", async () => {
    const { credentials, end } = (await WAYS[way]?.()) ?? expect.unreachable();
    const admin = await cookieOf(server.url, "admin");
    const id = crypto.randomUUID();
    const answer = await inTwoParts(`/api/import?id=${id}`, credentials, [chat(id), chat(`${id}-2`)], async () => {
      await expect.poll(async () => (await server.get(`/api/import/${id}`, admin)).body.bytes).toBeGreaterThan(0);
      await end();
    });
    expect(answer).toMatch(
      /^HTTP\/1.1 401 [\s\S]*"code":"unauthorized","detail":"The key was revoked or the session ended/,
    );
    expect((await server.get(`/api/conversations/${id}`, admin)).status).toBe(404);
  });

  it("ends a waiting stream with an error", async () => {
    const { credentials, end } = (await WAYS[way]?.()) ?? expect.unreachable();
    const admin = await cookieOf(server.url, "admin");
    const threadId = crypto.randomUUID();
    const begun = JSON.stringify({ type: "RUN_STARTED", threadId, runId: "one" });
    const answer = await inTwoParts("/api/ag-ui", credentials, [`${begun}\n`, ""], async () => {
      const isThere = async () => (await server.get(`/api/conversations/${threadId}`, admin)).status;
      await expect.poll(isThere).toBe(200);
      await end();
    });
    expect(answer).toMatch(/^HTTP\/1.1 401 /);
  });
});
