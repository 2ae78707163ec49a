import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { createEgressPolicy, type Lookup } from "../../outgoing/egress.ts";
import type { DataMessage } from "../../plan/message.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { json, type Loopback, listen, loopback } from "../testing/loopback.ts";
import { type ActivityCall, ActivityError, Choice, type ProgressReport } from "./activity.ts";
import { allowHosts } from "./http/allowed-hosts.ts";
import { type SecretPlace, sealHeader } from "./http/headers.ts";
import { httpHandler } from "./http-activity.ts";
import { createSealing } from "./sealing.ts";
import { httpActivity } from "./tool-definition.ts";

const sealing = createSealing(new Uint8Array(32));
const TOOL = "refund";

const call: ActivityCall = {
  conversation_id: "c1",
  run_id: "r1",
  iteration: 2,
  call_id: "refund",
  instance: "",
  tool: "issueRefund",
  attempt: 1,
  idempotency_key: "r1/2/refund",
  signal: new AbortController().signal,
  report: () => undefined,
};

interface Asked {
  hosts?: string[];
  params?: JsonObject;
  scopes?: DataMessage[];
  call?: Partial<ActivityCall>;
  activity?: JsonObject;
}

/** Carries out a call of a tool at this address. */
function ask(url: string, { hosts = ["127.0.0.1", "localhost"], params = {}, scopes = [], ...rest }: Asked = {}) {
  const definition = httpActivity.parse({ type: "http", url, ...rest.activity });
  const { activity } = httpHandler(TOOL, definition, {
    refuse: allowHosts(hosts),
    way: createEgressPolicy([])({ hosts }),
    sealing,
  });
  return activity(params, scopes, { ...call, ...rest.call });
}

/** Keeps what an activity reports; `next` resolves at the next report. */
function reports() {
  const all: ProgressReport[] = [];
  let wake = Promise.withResolvers<void>();
  return {
    all,
    report(progress: ProgressReport) {
      all.push(JSON.parse(JSON.stringify(progress)));
      wake.resolve();
    },
    async next() {
      await wake.promise;
      wake = Promise.withResolvers<void>();
    },
  };
}

/** What a call fails with. */
async function failure(result: Promise<unknown>): Promise<ActivityError> {
  const error = await result.then(
    (value) => new Error(`it gave ${JSON.stringify(value)}`),
    (thrown) => thrown,
  );
  if (error instanceof ActivityError) return error;
  throw error;
}

/** What a tool fails with whose server answers so. */
async function failureOf(answer: Parameters<typeof loopback>[0], asked?: Asked): Promise<ActivityError> {
  await using server = await loopback(answer);
  return await failure(ask(server.url, asked));
}

async function resultOf(answer: Parameters<typeof loopback>[0], asked?: Asked): Promise<Json | Choice> {
  await using server = await loopback(answer);
  return await ask(server.url, asked);
}

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, "close");
  return port;
}

describe("HTTP tools: what is sent", () => {
  it("posts the call with its parameters, the scopes (P28) and the run, and takes the JSON answer as the result", async () => {
    await using server = await loopback((response) => json(response, { receipt: "R-1" }));
    const scopes: DataMessage[] = [
      { kind: "state", instance: "", data: { a: 1 } },
      { kind: "input", instance: "①", data: { b: 2 }, description: "what is asked" },
    ];
    const params = { amount: 12.5, items: [{ id: "x" }] };
    expect(await ask(server.url, { params, scopes, call: { instance: "①" } })).toEqual({ receipt: "R-1" });
    const [request] = server.received;
    expect([request?.method, request?.headers["content-type"]]).toEqual(["POST", "application/json"]);
    expect(JSON.parse(request?.body ?? "")).toEqual({
      call: { _tool: "issueRefund", _id: "refund", _instance: "①", amount: 12.5, items: [{ id: "x" }] },
      scopes: [
        { type: "data", kind: "state", data: { a: 1 } },
        { type: "data", kind: "input", _instance: "①", data: { b: 2 }, description: "what is asked" },
      ],
      run: { conversation_id: "c1", run_id: "r1", iteration: 2 },
    });
  });

  it("P23: sends the Idempotency-Key, and the same bytes on every try", async () => {
    await using server = await loopback((response) => json(response, null));
    for (const attempt of [1, 2]) await ask(server.url, { params: { a: 1 }, call: { attempt } });
    const [first, second] = server.received;
    expect(first?.headers["idempotency-key"]).toBe("r1/2/refund");
    expect(second?.headers["idempotency-key"]).toBe("r1/2/refund");
    expect(second?.body).toBe(first?.body);
  });

  it.each(["GET", "DELETE"])("puts the parameters of %s into the query, and sends no body", async (method) => {
    await using server = await loopback((response) => json(response, { ok: true }));
    await ask(`${server.url}/find?lang=en`, { activity: { method }, params: { q: "a & b", n: 3, tags: ["x"] } });
    const [request] = server.received;
    expect([request?.method, request?.path, request?.body]).toEqual([
      method,
      "/find?lang=en&q=a+%26+b&n=3&tags=%5B%22x%22%5D",
      "",
    ]);
    expect(request?.headers["idempotency-key"]).toBe("r1/2/refund");
  });

  it("sends the definition's headers, sealed ones opened for their own tool and whole address only", async () => {
    await using server = await loopback((response) => json(response, null));
    const place = { tool: TOOL, method: "POST", url: server.url };
    const sealed = (at: Partial<SecretPlace>, name = "Authorization") =>
      sealHeader(name, "Bearer 42", { ...place, ...at }, sealing);
    await ask(server.url, { activity: { headers: { Authorization: sealed({}), "X-Team": "crm" } } });
    expect(server.received[0]?.headers).toMatchObject({ authorization: "Bearer 42", "x-team": "crm" });
    const copied = [
      ...[sealed({ tool: "other" }), sealed({ method: "PUT" }), sealed({ url: "http://127.0.0.1:1" })],
      ...[sealed({ url: `${server.url}/x` }), sealed({ url: `${server.url}/?x` }), sealed({}, "X-Key")],
      // As earlier versions sealed it.
      sealing.seal("Bearer 42", `${server.url}\nauthorization`),
    ];
    for (const value of copied) {
      const error = await failure(ask(server.url, { activity: { headers: { Authorization: value } } }));
      expect(error).toMatchObject({ code: "sealed_header", did_not_happen: true, transient: false });
    }
    expect(server.received).toHaveLength(1);
  });

  it("keeps a parameter named __proto__ plain data (P8)", async () => {
    await using server = await loopback((response, { body }) => {
      response.end(JSON.stringify(JSON.parse(body).call));
    });
    const params = JSON.parse('{"__proto__": {"a": 1}}');
    expect(JSON.stringify(await ask(server.url, { params }))).toContain('"__proto__":{"a":1}');
  });
});

describe("HTTP tools: what is answered", () => {
  it("P10: chooses an alternative by _path, and fails when it does so by halves", async () => {
    const chosen = await resultOf((response) => json(response, { _path: "†state.error", value: { why: "sold out" } }));
    expect(chosen).toBeInstanceOf(Choice);
    expect(chosen).toMatchObject({ path: "†state.error", value: { why: "sold out" } });
    for (const broken of [{ _path: "†state.error" }, { _path: 1, value: 2 }]) {
      expect(await failureOf((response) => json(response, broken))).toMatchObject({ code: "invalid_answer" });
    }
  });

  it("takes an answer without a body as null", async () => {
    expect(await resultOf((response) => void response.writeHead(204).end())).toBeNull();
    expect(await resultOf((response) => void response.end())).toBeNull();
  });

  it("reads up to 1 MB and refuses more while it still streams in", async () => {
    const text = "x".repeat(999_998);
    expect(await resultOf((response) => json(response, text))).toBe(text);
    const large = await failureOf((response) => json(response, `${text}x`));
    expect(large).toMatchObject({ code: "answer_too_large" });
    const endless = await failureOf(async (response) => {
      const gone = once(response, "close");
      while (!response.destroyed) {
        if (!response.write("x".repeat(65_536))) await Promise.race([once(response, "drain"), gone]);
      }
    });
    expect(endless).toMatchObject({ code: "answer_too_large", transient: false, did_not_happen: false });
  });

  it.each([
    ["chunks of one byte", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\nx\r\n"],
    ["interim answers", "", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"],
  ])("refuses an answer that is mostly framing while it still streams in: %s", async (_, begin, piece) => {
    let sent = 0;
    const endless = await failureOf(async ({ socket }) => {
      if (!socket) return;
      const gone = once(socket, "close");
      socket.write(begin);
      while (!socket.destroyed) {
        sent += 2_000 * piece.length;
        if (!socket.write(piece.repeat(2_000))) await Promise.race([once(socket, "drain"), gone]);
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    expect(endless).toMatchObject({ code: "answer_too_large" });
    expect(sent).toBeLessThan(5_000_000);
  });

  describe("in lines: progress, and then the result", () => {
    const lines = { "content-type": "application/x-ndjson; charset=utf-8" };
    const answer = (body: string) => (response: ServerResponse) => void response.writeHead(200, lines).end(body);
    const done = '{"result": {"rows": 2}}\n';

    it("reports progress while it comes, and gives the result", async () => {
      await using server = await loopback(async (response) => {
        response.writeHead(200, lines).write('{"progress": 0.25, "message": "Reading"}\r\n{"prog');
        await told.next();
        response.write('ress": 0.5}\n');
        await told.next();
        response.write('{"message": "Writing"}\n');
        await told.next();
        response.end(`\n${done}\n`);
      });
      const told = reports();
      expect(await ask(server.url, { call: { report: told.report } })).toEqual({ rows: 2 });
      expect(told.all).toEqual([{ part: 0.25, message: "Reading" }, { part: 0.5 }, { message: "Writing" }]);
      expect(server.received[0]?.headers.accept).toBe("application/json, application/x-ndjson");
    });

    it("P10: the result chooses as one that comes alone does", async () => {
      const chosen = await resultOf(answer('{"result": {"_path": "†state.error", "value": 1}}'));
      expect(chosen).toMatchObject({ path: "†state.error", value: 1 });
    });

    it("fails as its last line says, or for want of a result", async () => {
      const failed = await failureOf(answer('{"progress": 0.5}\n{"error": {"message": "The disk is full"}}\n'));
      expect(failed).toMatchObject({ code: "tool_error", message: "The disk is full", transient: false });
      for (const broken of ["", '{"progress": 1}\n', `${done}{"progress": 1}\n`, '{"result"', "[1]"])
        expect(await failureOf(answer(broken))).toMatchObject({ code: "invalid_answer" });
    });

    it("Security: lines of any number and form do no harm, and a result is as large as it may be elsewhere", async () => {
      const told = reports();
      const flood = `{"progress": NaN}\n"x"\n{"progress": "0.5"}\n${'{"progress": 1e999}\n'.repeat(200_000)}`;
      await using server = await loopback(answer(`${flood}${done}`));
      expect(await ask(server.url, { call: { report: told.report } })).toEqual({ rows: 2 });
      // Of those that come together one is read.
      expect(told.all.length).toBeLessThan(2_000);
      const large = await failureOf(answer(`{"result": "${"x".repeat(1_000_000)}"}`));
      expect(large).toMatchObject({ code: "answer_too_large" });
      const endless = await failureOf(async (response) => {
        const gone = once(response.writeHead(200, lines), "close");
        const chunk = '{"progress": 0.5}\n'.repeat(4_000);
        while (!response.destroyed) {
          if (!response.write(chunk)) await Promise.race([once(response, "drain"), gone]);
        }
      });
      expect(endless).toMatchObject({ code: "answer_too_large" });
    });
  });

  it.each([
    ["no JSON", "<html>", {}],
    ["JSON cut short", '{"a": 1', {}],
    ["no UTF-8", Buffer.from([0x22, 0xff, 0x22]), {}],
    ["a lone surrogate", '"\\ud800"', {}],
    ["JSON nested 65 deep", "[".repeat(65) + "]".repeat(65), {}],
    ["something compressed", Buffer.from([0x1f, 0x8b]), { "content-encoding": "gzip" }],
  ])("refuses %s", async (_, body, headers) => {
    const error = await failureOf((response) => void response.writeHead(200, headers).end(body));
    expect(error).toMatchObject({ code: "invalid_answer", transient: false, did_not_happen: false });
    expect(error.message).toMatch(/^The response of 127\.0\.0\.1:\d+ /);
  });

  it("takes numbers that JavaScript would change as they were written", async () => {
    const body = '{"id":9007199254740993,"none":-0,"small":1e-400,"sum":[0.10,1e999]}';
    expect(await resultOf((response) => void response.end(body))).toEqual({
      ...{ id: "9007199254740993", none: "-0", small: "1e-400" },
      sum: [0.1, "1e999"],
    });
  });

  it("takes JSON nested 64 deep", async () => {
    const deep = "[".repeat(64) + "]".repeat(64);
    expect(JSON.stringify(await resultOf((response) => void response.end(deep)))).toBe(deep);
  });
});

describe("P24: HTTP tools: how a call fails", () => {
  it.each([
    [{ type: "about:blank", title: "Bad", status: 422, detail: "The order is closed." }, "The order is closed."],
    [{ message: "no such order" }, "no such order"],
    [{ error: "no such order" }, "no such order"],
    [{ error: { message: "no such order", code: 7 } }, "no such order"],
    [{ title: "Unprocessable" }, "Unprocessable"],
  ])("gives the message of a non-2xx answer %j", async (body, message) => {
    const error = await failureOf((response) => json(response, body, 422));
    expect(error).toMatchObject({ code: "http_422", message, transient: false, did_not_happen: false });
  });

  it("tells the status where the answer tells nothing", async () => {
    const error = await failureOf((response) => void response.writeHead(404).end("<h1>nope</h1>"));
    expect(error.code).toBe("http_404");
    expect(error.message).toContain("answered with status 404");
  });

  it.each([500, 502, 503, 504, 408])("%i may be tried again when the tool is idempotent", async (status) => {
    const error = await failureOf((response) => void response.writeHead(status).end());
    expect(error).toMatchObject({ code: `http_${status}`, transient: true, did_not_happen: false });
  });

  it("429 certainly did not happen, and Retry-After is heeded as seconds and as a date", async () => {
    const limited = await failureOf((response) => void response.writeHead(429, { "retry-after": "7" }).end());
    expect(limited).toMatchObject({ code: "http_429", did_not_happen: true, transient: true, retry_after_ms: 7_000 });
    const past = new Date(0).toUTCString();
    const busy = await failureOf((response) => void response.writeHead(503, { "retry-after": past }).end());
    expect(busy).toMatchObject({ code: "http_503", did_not_happen: false, retry_after_ms: 0 });
    const later = new Date(Date.now() + 3_600_000).toUTCString();
    const forever = await failureOf((response) => void response.writeHead(429, { "retry-after": "99999999" }).end());
    expect(forever.retry_after_ms).toBe(3_600_000);
    const closed = await failureOf((response) => void response.writeHead(503, { "retry-after": later }).end());
    expect(closed.retry_after_ms).toBeGreaterThan(3_000_000);
  });

  it("never asks again by itself: a 421, which fetch repeats, is asked once", async () => {
    await using server = await loopback((response) => void response.writeHead(421).end());
    expect(await failure(ask(server.url))).toMatchObject({ code: "http_421" });
    expect(server.received).toHaveLength(1);
  });

  it("does not follow redirects, and says so", async () => {
    await using target = await loopback((response) => json(response, "secret"));
    for (const status of [301, 302, 303, 307, 308]) {
      const error = await failureOf((response) => void response.writeHead(status, { location: target.url }).end());
      expect(error).toMatchObject({ code: `http_${status}`, transient: false });
      expect(error.message).toContain(`redirects to ${target.url}, and redirects are not followed`);
    }
    expect(target.received).toHaveLength(0);
  });

  it("a refused connection and an unknown host certainly did not happen", async () => {
    const refused = await failure(ask(`http://127.0.0.1:${await closedPort()}`));
    expect(refused).toMatchObject({ code: "connection_refused", did_not_happen: true, transient: true });
    const unknown = await failure(ask("http://no-such-host.invalid", { hosts: ["no-such-host.invalid"] }));
    expect(unknown).toMatchObject({ did_not_happen: true, transient: true });
  });

  it("a connection that broke before or within the answer may have happened", async () => {
    const silent = await failureOf((response) => void response.destroy());
    expect(silent).toMatchObject({ code: "connection_lost", did_not_happen: false, transient: true });
    const cut = await failureOf((response) => {
      response.writeHead(200, { "content-length": 100 }).write('{"a": 1}');
      setImmediate(() => response.destroy());
    });
    expect(cut).toMatchObject({ code: "connection_lost", did_not_happen: false, transient: true });
  });

  it("what is no HTTP is not asked again", async () => {
    const server = createServer((socket) => void socket.end("hello\r\n\r\n"));
    const port = await listen(server);
    expect(await failure(ask(`http://127.0.0.1:${port}`))).toMatchObject({ code: "invalid_answer", transient: false });
    server.close();
  });

  it("a call that is cancelled or whose time is up ends its request, with the signal's reason", async () => {
    const ended = Promise.withResolvers<void>();
    const reason = new Error("cancelled");
    const stop = new AbortController();
    await using server = await loopback((response) => {
      response.on("close", ended.resolve);
      stop.abort(reason);
    });
    await expect(ask(server.url, { call: { signal: stop.signal } })).rejects.toBe(reason);
    await ended.promise;
    await expect(ask(server.url, { call: { signal: stop.signal } })).rejects.toBe(reason);
    expect(server.received).toHaveLength(1);
  });

  it("an answer is not waited for to its end, either", async () => {
    const reason = new Error("cancelled");
    const stop = new AbortController();
    await using server = await loopback((response) => {
      response.writeHead(200).write("[1,");
      setImmediate(() => stop.abort(reason));
    });
    await expect(ask(server.url, { call: { signal: stop.signal } })).rejects.toBe(reason);
  });

  it("only idempotent tools take a connection that was left open", async () => {
    const connections = async (method: string, server: Loopback) => {
      await ask(server.url, { activity: { method } });
      return server.received.at(-1)?.headers.connection;
    };
    await using server = await loopback((response) => json(response, null));
    expect(await connections("POST", server)).toBe("close");
    expect(await connections("PUT", server)).toBe("keep-alive");
  });
});

describe("HTTP tools: which hosts", () => {
  it.each([
    [[], false],
    [["127.0.0.1"], true],
    [["127.0.0.1:PORT"], true],
    [["127.0.0.1:1"], false],
    [["localhost"], false],
    [["0.0.1", "7.0.0.1"], false],
  ])("the allow-list %j lets a call through: %s", async (hosts, allowed) => {
    await using server = await loopback((response) => json(response, null));
    const listed = hosts.map((host) => host.replace("127.0.0.1:PORT", server.host));
    const result = ask(server.url, { hosts: listed });
    if (allowed) expect(await result).toBeNull();
    else {
      const error = await failure(result);
      expect(error).toMatchObject({ code: "host_not_allowed", did_not_happen: true, transient: false });
      expect(error.message).toContain("OBELUS_HTTP_TOOL_HOSTS");
    }
    expect(server.received).toHaveLength(allowed ? 1 : 0);
  });

  it("Security: refuses a name that is allowed where it stands for a private address, and does not try again", async () => {
    await using server = await loopback((response) => json(response, null));
    const lookup: Lookup = (_host, _options, answer) => answer(null, [{ address: "127.0.0.1", family: 4 }]);
    const url = server.url.replace("127.0.0.1", "crm.example");
    const [hosts, asked] = [["crm.example"], httpActivity.parse({ type: "http", url })];
    const tools = (allowed: string[]) => ({
      refuse: allowHosts(hosts),
      way: createEgressPolicy(allowed, lookup)({ hosts }),
      sealing,
    });
    const error = await failure(httpHandler(TOOL, asked, tools([])).activity({}, [], call));
    expect(error).toMatchObject({ code: "host_not_allowed", did_not_happen: true, transient: false });
    expect(error.message).toContain("add it to OBELUS_PRIVATE_HOSTS");
    expect(server.received).toHaveLength(0);
    expect(await httpHandler(TOOL, asked, tools(["crm.example"])).activity({}, [], call)).toBeNull();
  });

  it("reads hosts as addresses do: letters of any case, default ports, IPv6", () => {
    const refuse = allowHosts(["CRM.example.org:443", "[::1]"]);
    expect(refuse(new URL("https://crm.EXAMPLE.org/x"))).toBeNull();
    expect(refuse(new URL("http://[0:0::1]:81/"))).toBeNull();
    for (const other of ["http://crm.example.org", "https://crm.example.org.", "https://crm.example.org:8443"]) {
      expect(refuse(new URL(other))).not.toBeNull();
    }
    expect(allowHosts(["127.0.0.1"])(new URL("http://0x7f.1/"))).toBeNull();
  });
});

describe("P24: HTTP tools: what may be done twice", () => {
  it.each([
    ["GET", true],
    ["PUT", true],
    ["DELETE", true],
    ["POST", false],
    ["PATCH", false],
  ])("%s is idempotent: %s, unless it is declared", (method, idempotent) => {
    const handler = (declared?: boolean) => {
      const own = declared === undefined ? {} : { idempotent: declared };
      const definition = httpActivity.parse({ type: "http", url: "http://127.0.0.1", method, ...own });
      return httpHandler(TOOL, definition, {
        refuse: allowHosts([]),
        way: createEgressPolicy([])({ hosts: [] }),
        sealing,
      });
    };
    expect(handler().idempotent).toBe(idempotent);
    expect(handler(!idempotent).idempotent).toBe(!idempotent);
    expect(handler()).toMatchObject({ timeout_ms: 30_000, retries: 2 });
  });
});
