import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { logEvent, rawCall, withServer } from "../setup/server.ts";

const server = withServer();
const JSON_TYPE = "application/json";
const NDJSON = "application/x-ndjson";

/** A refused request must have no effects. */
async function expectNothingStored() {
  expect((await server.get("/api/conversations")).body.items).toEqual([]);
}

const NO_ADDRESS = "must not contain . or .. between slashes, because URLs cannot contain them";

function nested(depth: number): string {
  return `{"conversation_id":"deep","type":"log","payload":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
}

describe("E10: invalid input gets a problem with a remedy", () => {
  it.each([
    ["an unknown field", { conversation_id: "c", type: "log", color: "red" }, "/color", "is not a known field"],
    ["a missing field", { type: "log" }, "/conversation_id", "is required"],
    ["a wrong type", { conversation_id: 7, type: "log" }, "/conversation_id", "must be a string"],
    ["an empty id", { conversation_id: "", type: "log" }, "/conversation_id", "must not be empty"],
    [
      "a control character in an id",
      { conversation_id: "a\nb", type: "log" },
      "/conversation_id",
      "must not contain control characters",
    ],
    ["an id that no address can hold", { conversation_id: "..", type: "log" }, "/conversation_id", NO_ADDRESS],
    ["one that is encoded", { conversation_id: "x/%2e%2e/y", type: "log" }, "/conversation_id", NO_ADDRESS],
    [
      "an impossible time",
      { conversation_id: "c", type: "log", occurred_at: "2026-02-30T00:00:00Z" },
      "/occurred_at",
      "must be a time such as 2026-01-31T12:00:00Z",
    ],
    ["a number where an event is expected", 5, "", "must be an object"],
    ["an empty batch", [], "", "must have at least one entry"],
  ])("refuses %s", async (_name, body, path, message) => {
    const reply = await server.post("/api/events", body);
    expect(reply.status).toBe(400);
    expect(reply.headers.get("content-type")).toBe("application/problem+json");
    expect(reply.body).toEqual({
      type: "urn:obelus:problem:invalid_input",
      title: "Bad request",
      status: 400,
      code: "invalid_input",
      detail: `${path || "The input"} ${message}.`,
      errors: [{ path, message }],
    });
    await expectNothingStored();
  });

  it("names every invalid field of a batch and stores nothing of it", async () => {
    const { body } = await server.post("/api/events", [
      logEvent("c", 1),
      { type: 1 },
      { ...logEvent("c", 3), extra: 1 },
    ]);
    expect(body.errors).toEqual([
      { path: "/1/conversation_id", message: "is required" },
      { path: "/1/type", message: "must be a string" },
      { path: "/2/extra", message: "is not a known field" },
    ]);
    await expectNothingStored();
  });

  it.each([
    ["/api/conversations?colour=red", "/colour"],
    ["/api/conversations?limit=0", "/limit"],
    ["/api/conversations?limit=201", "/limit"],
    ["/api/conversations?limit=ten", "/limit"],
    ["/api/conversations?limit=1&limit=2", "/limit"],
    ["/api/conversations?status=asleep", "/status"],
    ["/api/conversations?from=yesterday", "/from"],
    ["/api/conversations?cursor=made-up", "/cursor"],
    ["/api/conversations/c/events?limit=1001", "/limit"],
    ["/api/conversations/c/events?after=-1", "/after"],
    ["/api/conversations/c/events?after=1&cursor=2", "/cursor"],
    ["/api/conversations/c/view?at=last", "/at"],
    ["/api/agent-state?prefix=", "/prefix"],
    ["/api/stream?after=soon", "/after"],
  ])("refuses the query of %s", async (path, place) => {
    const { status, body } = await server.get(path);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ path: place }]);
  });

  it.each(["", "/messages", "/events", "/timeline", "/view", "/view?at=1", "/export"])(
    "answers 404 for an unknown conversation%s",
    async (rest) => {
      const { status, body } = await server.get(`/api/conversations/no-such${rest}`);
      expect(status).toBe(404);
      expect(body).toMatchObject({ code: "not_found", detail: "There is no conversation no-such." });
    },
  );

  it("responds to unknown addresses and methods", async () => {
    expect(await server.get("/api/nothing/here")).toMatchObject({ status: 404, body: { code: "not_found" } });
    const { status, headers, body } = await server.send("DELETE", "/api/events");
    expect([status, headers.get("allow"), body.code]).toEqual([405, "OPTIONS, POST", "method_not_allowed"]);
    for (const method of ["PROPFIND", "LOCK", "QUERY"]) {
      const answers = ["/api/events", "/api/nothing/here", "/", "/api/events/"].map(async (path) => {
        const answer = await rawCall(server.url, method, path, { host: "localhost" });
        return [answer.status, answer.headers.get("allow") ?? undefined];
      });
      expect(await Promise.all(answers)).toEqual([
        [405, "OPTIONS, POST"],
        [404, undefined],
        [405, "GET, HEAD"],
        [405, "GET, HEAD"],
      ]);
    }
    const options = await server.send("OPTIONS", "/api/conversations");
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS, POST"]);
  });

  it("refuses an invalid path", async () => {
    expect(await rawCall(server.url, "OPTIONS", "*", { host: "localhost" })).toMatchObject({
      status: 400,
      body: { code: "invalid_input" },
    });
  });

  it("ignores an unknown Expect", async () => {
    const expecting = { host: "localhost", expect: "the-impossible" };
    expect(await rawCall(server.url, "GET", "/api/health", expecting)).toMatchObject({ status: 200 });
  });

  it("refuses a badly encoded path", async () => {
    expect(await server.get("/api/conversations/%E0%A4%A")).toMatchObject({
      status: 400,
      body: { code: "invalid_input" },
    });
  });
});

describe("E11: bodies are limited and decoded strictly", () => {
  it("refuses a body of 6 MB, also without a Content-Length", async () => {
    const large = { conversation_id: "large", type: "log", payload: "x".repeat(6 * 1024 * 1024) };
    expect(await server.post("/api/events", large)).toMatchObject({ status: 413, body: { code: "too_large" } });

    const chunk = new Uint8Array(64 * 1024).fill(0x20);
    let left = 100;
    const body = new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const init = { method: "POST", headers: { "content-type": JSON_TYPE }, body, duplex: "half" } as const;
    const streamed = await fetch(`${server.url}/api/events`, init);
    expect(streamed.status).toBe(413);
    await expectNothingStored();
  });

  it("refuses more than 1,000 entries, in either form", async () => {
    const events = Array.from({ length: 1_001 }, (_, n) => logEvent("many", n));
    expect(await server.post("/api/events", events)).toMatchObject({ status: 413, body: { code: "too_many" } });
    const lines = events.map((event) => JSON.stringify(event)).join("\n");
    expect(await server.postRaw("/api/events", lines, NDJSON)).toMatchObject({
      status: 413,
      body: { code: "too_many" },
    });
    await expectNothingStored();
  });

  it.each([[65], [1_500], [200_000]])("refuses JSON nested %i deep", async (depth) => {
    expect(await server.postRaw("/api/events", nested(depth), JSON_TYPE)).toMatchObject({
      status: 400,
      body: { code: "too_deep" },
    });
    await expectNothingStored();
  });

  it("names the line that is nested too deeply", async () => {
    const { body } = await server.postRaw("/api/events", `${JSON.stringify(logEvent("c", 1))}\n${nested(65)}`, NDJSON);
    expect(body).toMatchObject({ code: "too_deep", errors: [{ path: "/1" }] });
    await expectNothingStored();
  });

  it("refuses broken UTF-8", async () => {
    const event = Buffer.from(JSON.stringify({ conversation_id: "c", type: "log", payload: "é" }), "latin1");
    expect(await server.postRaw("/api/events", event, JSON_TYPE)).toMatchObject({
      status: 400,
      body: { code: "bad_encoding" },
    });
    await expectNothingStored();
  });

  it.each(["\\ud800", "\\udc00", "\\ud800x", "\\ud800\\u0041", "\\udc00\\ud800"])(
    "refuses the lone surrogate %s",
    async (escaped) => {
      const event = `{"conversation_id":"c","type":"log","payload":"${escaped}"}`;
      expect(await server.postRaw("/api/events", event, JSON_TYPE)).toMatchObject({
        status: 400,
        body: { code: "bad_encoding" },
      });
      await expectNothingStored();
    },
  );

  const LOST = ["1e400", "9007199254740993", "123456789012345678901234567890", "1e-400", "-0", "0.10000000000000001"];
  const IMPORTED = '{"format":"obelus.conversation","version":1,"conversation":{"id":"c","last_seq":1}}';
  const WAYS_IN: [path: string, textOf: (value: string) => string, place: string][] = [
    ["/api/events", (n: string) => `{"conversation_id":"c","type":"log","payload":[${n}]}`, "/payload/0"],
    [
      "/api/messages",
      (n: string) => `[{"conversation_id":"c","role":"user","content":"x","metadata":{"n":${n}}}]`,
      "/0",
    ],
    ["/api/agent-state/c/key", (n: string) => n, ""],
    ["/api/agent-state/memory:c/memory", (n: string) => `{"goals":[${n}]}`, ""],
    ["/api/plans/run", (n: string) => `{"plan":[{"id":"a","tool":"x","params":{"n":${n}}}]}`, "/plan/0/params/n"],
    ["/api/import", (n: string) => `{"id":"c","metadata":{"n":${n}},"messages":[]}`, "/metadata/n"],
    ["/api/import", (n: string) => `${IMPORTED}\n{"conversation_id":"c","seq":1,"payload":{"n":${n}}}`, "/payload/n"],
  ];
  const sendJson = async (path: string, body: string) => {
    const method = path.startsWith("/api/agent-state") ? "PUT" : "POST";
    const headers = { "content-type": path === "/api/import" ? NDJSON : JSON_TYPE };
    const reply = await fetch(`${server.url}${path}`, { method, headers, body });
    return { status: reply.status, body: await reply.json() };
  };

  it.each(WAYS_IN)("refuses numbers on %s that would become others, %#", async (path, textOf, place) => {
    for (const number of LOST) {
      const { body, ...reply } = await sendJson(path, textOf(number));
      expect([reply.status, body.code], `${number}: ${JSON.stringify(body)}`).toEqual([400, "invalid_input"]);
      expect(body.detail).toContain(number);
      expect(body.detail).toContain(place);
    }
    await expectNothingStored();
  });

  it.each(WAYS_IN)(
    "refuses a name on %s that stands twice, for others may take its first value, %#",
    async (path, textOf, place) => {
      const { status, body } = await sendJson(path, textOf('{"twice":1,"twice":2}'));
      expect([status, body.code], JSON.stringify(body)).toEqual([400, "invalid_input"]);
      expect(body.detail).toContain("twice");
      expect(body.detail).toContain(place);
      await expectNothingStored();
    },
  );

  it.each(["application/octet-stream", NDJSON])("refuses a compressed import as %s", async (type) => {
    const body = gzipSync('{"id":"c","messages":[]}');
    const headers = { "content-type": type, "content-encoding": "gzip" };
    expect((await fetch(`${server.url}/api/import`, { method: "POST", headers, body })).status).toBe(415);
    await expectNothingStored();
  });

  it("E11: refuses compressed events that are too large, of another encoding or broken", async () => {
    const sendGzip = (path: string, text: string | Buffer, encoding = "gzip") =>
      fetch(`${server.url}${path}`, {
        method: "POST",
        headers: { "content-type": JSON_TYPE, "content-encoding": encoding },
        body: gzipSync(text),
      });
    const bomb = JSON.stringify({ ...logEvent("gzipped", 1), payload: "x".repeat(6 * 1024 * 1024) });
    const event = JSON.stringify(logEvent("gzipped", 1));
    const refused = await Promise.all([
      ...[
        sendGzip("/api/events", bomb),
        sendGzip("/api/events", event, "br"),
        sendGzip("/api/events", event, "deflate"),
      ],
      ...[sendGzip("/api/events", Buffer.from([0xff])), sendGzip("/api/tools", "{}")],
    ]);
    expect(refused.map(({ status }) => status)).toEqual([413, 415, 400, 400, 415]);
    await expectNothingStored();
  });

  it.each(["", "{", '{"a":1,}', "{'a':1}", "nul"])("refuses the broken JSON %j", async (text) => {
    expect(await server.postRaw("/api/events", text, JSON_TYPE)).toMatchObject({
      status: 400,
      body: { code: "malformed_json" },
    });
    await expectNothingStored();
  });

  it("names an invalid line of NDJSON", async () => {
    const { body } = await server.postRaw("/api/events", `${JSON.stringify(logEvent("c", 1))}\n{oops\n`, NDJSON);
    expect(body).toMatchObject({ code: "malformed_json", errors: [{ path: "/1", message: "is not valid JSON" }] });
    await expectNothingStored();
  });

  it.each([["text/plain"], ["application/x-www-form-urlencoded"], ["application/json; charset=utf-16"]])(
    "refuses the media type %s",
    async (type) => {
      const reply = await server.postRaw("/api/events", JSON.stringify(logEvent("c", 1)), type);
      expect(reply).toMatchObject({ status: 415, body: { code: "unsupported_media_type" } });
      await expectNothingStored();
    },
  );
});
