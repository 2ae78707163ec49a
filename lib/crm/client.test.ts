import { once } from "node:events";
import { createServer } from "node:net";
import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readForm } from "../../demo/crm-portal/php-array.ts";
import { listen } from "../engine/testing/loopback.ts";
import { ActivityError } from "../engine/tools/activity.ts";
import type { Json } from "../session/json/json.ts";
import { commandText } from "./client/query.ts";
import { type BitrixClient, type BitrixOptions, createBitrixClient, InvalidWebhook, webhookFault } from "./client.ts";
import { fakePortal, type Method, type Reply, SECRET } from "./testing/fake-portal.ts";
import { TestClock } from "./testing/test-clock.ts";

const { signal } = new AbortController();
const TOO_MANY: Reply = { error: "QUERY_LIMIT_EXCEEDED", error_description: "Too many requests", status: 503 };

/** A client of a fake portal, with a test clock. */
async function portal(methods: Record<string, Method>, options: Partial<BitrixOptions> = {}) {
  const server = await fakePortal(methods);
  const clock = new TestClock();
  const logged: object[] = [];
  const logger = { warn: (fields: object, message: string) => void logged.push({ ...fields, message }) };
  const { webhookUrl } = server;
  const client = createBitrixClient({ webhookUrl, clock, random: () => 1, logger, ...options });
  return { ...server, client, clock, logged, [Symbol.asyncDispose]: server[Symbol.asyncDispose] };
}

/** The error of a call. */
async function failureOf(result: Promise<unknown>): Promise<ActivityError> {
  const error = await result.then(
    (value) => new Error(`it gave ${JSON.stringify(value)}`),
    (thrown) => thrown,
  );
  if (error instanceof ActivityError) return error;
  throw error;
}

/** Responds with these replies in turn, then with the last one. */
function inTurn(...replies: Reply[]): Method {
  return (_, request) => replies[Math.min(request, replies.length) - 1] ?? { result: null };
}

const getDeal = (client: BitrixClient) => client.call("crm.deal.get", { id: 7 }, { signal });
const addDeal = (client: BitrixClient) => client.call("crm.deal.add", { fields: { TITLE: "Servers" } }, { signal });

describe("M14: a call", () => {
  it("posts JSON to the webhook and returns the result with the portal's time", async () => {
    await using server = await portal({ "crm.deal.get": ({ id }) => ({ result: { ID: String(id) } }) });
    const answer = await getDeal(server.client);
    expect(answer.result).toEqual({ ID: "7" });
    expect(answer.time).toMatchObject({ operating: 0 });
    const [request] = server.received;
    expect(request).toMatchObject({ method: "POST", path: `/rest/1/${SECRET}/crm.deal.get.json` });
    expect(request?.headers).toMatchObject({ "content-type": "application/json", accept: "application/json" });
    expect(server.asked).toEqual([{ method: "crm.deal.get", params: { id: 7 } }]);
  });

  it("accepts a webhook's address without its trailing slash", async () => {
    await using server = await fakePortal({ "user.current": () => ({ result: { ID: "1" } }) });
    const client = createBitrixClient({ webhookUrl: server.webhookUrl.slice(0, -1) });
    expect((await client.call("user.current", {}, { signal })).result).toEqual({ ID: "1" });
  });

  it.each<[string, Reply, object]>([
    [
      "its code and words",
      { error: "ERROR_CORE", error_description: "Task title not specified<br>", status: 400 },
      { code: "ERROR_CORE", message: "Task title not specified<br>", transient: false },
    ],
    [
      "its status where it has no code",
      { error: "", error_description: "Not found", status: 400 },
      { code: "http_400", message: "Not found", transient: false },
    ],
    ["a code that every object has", { error: "constructor", error_description: "No", status: 400 }, { message: "No" }],
    ["a number as code", { error: 0, error_description: "wrong task id", status: 400 }, { code: "0" }],
    ["an error under a status of success", { error: "X", error_description: "No", status: 200 }, { code: "X" }],
    [
      "what to do about a webhook that is gone",
      { error: "INVALID_CREDENTIALS", error_description: "Invalid request credentials", status: 401 },
      {
        code: "INVALID_CREDENTIALS",
        message:
          "Invalid request credentials; create a new inbound webhook in the portal and set BITRIX24_WEBHOOK_URL to its address",
        transient: false,
      },
    ],
    [
      "what to do about a missing right",
      { error: "insufficient_scope", error_description: "The request requires higher privileges", status: 401 },
      { message: "The request requires higher privileges; give the inbound webhook this right in the portal" },
    ],
  ])("passes a portal's error on as it is: %s", async (_, reply, expected) => {
    await using server = await portal({ "crm.deal.get": () => reply });
    expect(await failureOf(getDeal(server.client))).toMatchObject(expected);
    expect(server.asked).toHaveLength(1);
  });

  it.each<[string, Reply, RegExp]>([
    [
      "HTML",
      { status: 200, text: "<html>Sign in</html>" },
      /text\/html instead of JSON; check that BITRIX24_WEBHOOK_URL/,
    ],
    [
      "broken JSON",
      { status: 200, text: '{"result": ', headers: { "content-type": "application/json" } },
      /something that is no JSON/,
    ],
    [
      "JSON of something else",
      { status: 200, text: '{"hello": 1}', headers: { "content-type": "application/json" } },
      /JSON that no portal answers/,
    ],
  ])("says what came instead of an answer: %s", async (_, reply, message) => {
    await using server = await portal({ "crm.deal.get": () => reply });
    const error = await failureOf(getDeal(server.client));
    expect(error).toMatchObject({ code: "invalid_answer", transient: false });
    expect(error.message).toMatch(message);
    expect(server.asked).toHaveLength(1);
  });

  it("does not follow a redirect, and only reports its server", async () => {
    const location = `https://moved.example.org/rest/1/${SECRET}/crm.deal.get.json`;
    await using server = await portal({ "crm.deal.get": () => ({ status: 302, text: "", headers: { location } }) });
    const error = await failureOf(getDeal(server.client));
    expect(error).toMatchObject({ code: "http_302", transient: false });
    expect(error.message).toContain("redirects to https://moved.example.org, and redirects are not followed");
  });

  it("reads at most 1 MB of a response", async () => {
    await using server = await portal({ "crm.deal.get": () => ({ result: "x".repeat(1_000_000) }) });
    const error = await failureOf(getDeal(server.client));
    expect(error).toMatchObject({ code: "answer_too_large", transient: false });
    expect(error.message).toContain("ask for less with select, filter or limit");
  });
});

describe("M14: retries", () => {
  it.each<[string, Reply]>([
    ["QUERY_LIMIT_EXCEEDED", TOO_MANY],
    ["OPERATION_TIME_LIMIT", { error: "OPERATION_TIME_LIMIT", error_description: "Method is blocked", status: 429 }],
    ["a 429 that is no portal's", { status: 429, text: "slow down" }],
  ])("a storm of %s that ends is waited out, longer each time, also for a change", async (_, storm) => {
    await using server = await portal({ "crm.deal.add": inTurn(storm, storm, storm, { result: 12 }) });
    expect((await addDeal(server.client)).result).toBe(12);
    expect(server.clock.waits).toEqual([500, 1_000, 2_000]);
    expect(server.logged).toHaveLength(3);
    expect(server.logged[0]).toMatchObject({ method: "crm.deal.add", tries: 1, wait_ms: 500 });
  });

  it("an endless series fails with the portal's error", async () => {
    await using server = await portal({ "crm.deal.add": () => TOO_MANY });
    const error = await failureOf(addDeal(server.client));
    expect(error).toMatchObject({ code: "QUERY_LIMIT_EXCEEDED", did_not_happen: true, transient: true });
    expect(error.message).toBe("Too many requests (asked 5 times; try again later)");
    expect(server.asked).toHaveLength(5);
    expect(server.clock.waits).toEqual([500, 1_000, 2_000, 4_000]);
  });

  it("calls that were refused together are not retried together", async () => {
    const waits = await Promise.all(
      [0, 0.5, 1].map(async (random) => {
        await using server = await portal(
          { "user.current": inTurn(TOO_MANY, { result: {} }) },
          { random: () => random },
        );
        await server.client.call("user.current", {}, { signal });
        return server.clock.waits;
      }),
    );
    expect(waits).toEqual([[250], [375], [500]]);
  });

  it("respects Retry-After, unless it is too long", async () => {
    const waitFor = (seconds: string): Reply => ({ status: 429, text: "", headers: { "retry-after": seconds } });
    await using server = await portal({
      "crm.deal.get": inTurn(waitFor("3"), { result: {} }),
      "crm.deal.add": () => waitFor("90"),
    });
    await getDeal(server.client);
    expect(server.clock.waits).toEqual([3_000]);
    const error = await failureOf(addDeal(server.client));
    expect(error).toMatchObject({ code: "http_429", retry_after_ms: 90_000 });
    expect(error.message).toContain("retry after 90 s");
    expect(server.clock.waits).toHaveLength(1);
  });

  it.each<[string, Reply, string]>([
    ["a 502 of a proxy", { status: 502, text: "<html>Bad gateway</html>" }, "http_502"],
    [
      "an error of the portal's own",
      { error: "INTERNAL_SERVER_ERROR", error_description: "!", status: 500 },
      "INTERNAL_SERVER_ERROR",
    ],
    ["a connection that breaks off", "break off", "connection_lost"],
  ])("P24: %s is tried again for a read, and never for a change", async (_, reply, code) => {
    await using server = await portal({
      "crm.deal.get": inTurn(reply, reply, { result: { ID: "7" } }),
      "crm.deal.add": () => reply,
    });
    expect((await getDeal(server.client)).result).toEqual({ ID: "7" });
    server.asked.length = 0;
    const error = await failureOf(addDeal(server.client));
    expect(error).toMatchObject({ code, did_not_happen: false, transient: true });
    expect(error.message).toContain("the outcome is unknown, so check the portal before you retry");
    expect(server.asked).toHaveLength(1);
  });

  it("P24: a timeout is retried for a read, and never for a write", async () => {
    const late: Method = () => {
      setImmediate(() => server.clock.pass(30_000));
      return "hang";
    };
    await using server = await portal({
      "crm.deal.get": (params, request) => (request === 1 ? late(params, request) : { result: {} }),
      "crm.deal.add": late,
    });
    expect((await getDeal(server.client)).result).toEqual({});
    server.asked.length = 0;
    const error = await failureOf(addDeal(server.client));
    expect(error).toMatchObject({ code: "timed_out", did_not_happen: false });
    expect(error.message).toContain("did not answer crm.deal.add within 30000 ms");
    expect(server.asked).toHaveLength(1);
    expect(server.clock.held).toBe(0);
  });

  it("P24: a write uses a new connection, as delivery over a dead one would be unknown", async () => {
    await using server = await portal({
      "crm.deal.get": () => ({ result: {} }),
      "crm.deal.add": () => ({ result: 1 }),
    });
    await getDeal(server.client);
    await addDeal(server.client);
    expect(server.received.map(({ headers }) => headers.connection)).toEqual(["keep-alive", "close"]);
  });

  it("P24: a refused connection is retried for a write, too, since it was not executed", async () => {
    const closed = createServer();
    const port = await listen(closed);
    closed.close();
    await once(closed, "close");
    const clock = new TestClock();
    const client = createBitrixClient({ webhookUrl: `http://127.0.0.1:${port}/rest/1/${SECRET}/`, clock });
    const error = await failureOf(addDeal(client));
    expect(error).toMatchObject({ code: "connection_refused", did_not_happen: true });
    expect(error.message).toBe(
      `Nothing is listening on 127.0.0.1:${port}; check that the portal runs and that BITRIX24_WEBHOOK_URL is its address (asked 5 times; try again later)`,
    );
    expect(clock.waits).toHaveLength(4);
  });

  it("ends within the caller's time limit, including retries", async () => {
    await using server = await portal({
      "crm.deal.get": inTurn(TOO_MANY, "hang"),
    });
    const asked = server.client.call("crm.deal.get", { id: 7 }, { signal, within: 6_000 });
    await expect.poll(() => server.asked.length).toBe(2);
    server.clock.pass(6_000);
    const error = await failureOf(asked);
    expect(error.code).toBe("timed_out");
    expect(error.message).toBe(`${server.host} did not answer crm.deal.get within 6000 ms`);
    expect(server.logged).toHaveLength(1);
  });
});

describe("M14: aborting", () => {
  it("during a request, throws the signal's reason and ends the request", async () => {
    const stop = new AbortController();
    const late: Method = () => {
      setImmediate(() => stop.abort(new Error("cancelled")));
      return "hang";
    };
    await using server = await portal({ "crm.deal.get": late });
    await expect(server.client.call("crm.deal.get", { id: 7 }, { signal: stop.signal })).rejects.toThrow("cancelled");
    expect(server.asked).toHaveLength(1);
    expect(server.clock.held).toBe(0);
  });

  it("during a wait for a retry, sends no more requests", async () => {
    const stop = new AbortController();
    await using server = await portal(
      { "crm.deal.get": () => TOO_MANY },
      { logger: { warn: () => stop.abort(new Error("cancelled")) } },
    );
    await expect(server.client.call("crm.deal.get", { id: 7 }, { signal: stop.signal })).rejects.toThrow("cancelled");
    expect(server.asked).toHaveLength(1);
  });
});

describe("M14: lists", () => {
  /** A list of this many items, in pages of 50. */
  const deals =
    (total: number): Method =>
    ({ start = 0 }) => {
      const from = Number(start);
      const items = Array.from({ length: Math.min(50, total - from) }, (_, index) => ({
        ID: String(from + index + 1),
      }));
      return { result: items, total, ...(from + 50 < total ? { next: from + 50 } : {}) };
    };

  it("reads pages until the limit", async () => {
    await using server = await portal({ "crm.deal.list": deals(120) });
    const { items, total, next } = await server.client.list(
      "crm.deal.list",
      { filter: { CLOSED: "N" } },
      { signal, limit: 500 },
    );
    expect(items).toEqual(Array.from({ length: 120 }, (_, n) => ({ ID: String(n + 1) })));
    expect([total, next]).toEqual([120, null]);
    expect(server.asked.map(({ params }) => params)).toEqual([
      { filter: { CLOSED: "N" } },
      { filter: { CLOSED: "N" }, start: 50 },
      { filter: { CLOSED: "N" }, start: 100 },
    ]);
  });

  it("returns where the rest begins", async () => {
    await using server = await portal({ "crm.deal.list": deals(120) });
    const first = await server.client.list("crm.deal.list", {}, { signal, limit: 50 });
    expect([first.items.length, first.next]).toEqual([50, 50]);
    const rest = await server.client.list("crm.deal.list", { start: 50 }, { signal, limit: 51 });
    expect([rest.items.length, rest.next]).toEqual([70, null]);
  });

  it("reads at most 10 pages, also of an endless list", async () => {
    await using server = await portal({ "crm.deal.list": () => ({ result: [{ ID: "1" }], next: 50 }) });
    const { items, total, next } = await server.client.list("crm.deal.list", {}, { signal, limit: 10_000 });
    expect([items.length, total, next]).toEqual([10, null, 50]);
    expect(server.asked).toHaveLength(10);
  });

  it("sends one request for a page of less than 50, as if the user may not see some", async () => {
    await using server = await portal({ "crm.deal.list": () => ({ result: [{ ID: "1" }], total: 99, next: 50 }) });
    const page = await server.client.list("crm.deal.list", {}, { signal, limit: 50 });
    expect(page).toEqual({ items: [{ ID: "1" }], total: 99, next: 50 });
    expect(server.asked).toHaveLength(1);
  });

  it("stops before the pages exceed 1 MB", async () => {
    const page = Array.from({ length: 50 }, () => ({ COMMENTS: "x".repeat(8_000) }));
    await using server = await portal({
      "crm.deal.list": ({ start = 0 }) => ({ result: page, next: Number(start) + 50 }),
    });
    const { items, next } = await server.client.list("crm.deal.list", {}, { signal, limit: 500 });
    expect([items.length, next]).toEqual([100, 100]);
  });

  it("finds the items under any key", async () => {
    await using server = await portal({ "tasks.task.list": () => ({ result: { tasks: [{ id: "1" }] }, total: 1 }) });
    expect(await server.client.list("tasks.task.list", {}, { signal, limit: 50 })).toEqual({
      items: [{ id: "1" }],
      total: 1,
      next: null,
    });
  });

  it("refuses a result that is not a list", async () => {
    await using server = await portal({ "crm.deal.list": () => ({ result: true }) });
    const error = await failureOf(server.client.list("crm.deal.list", {}, { signal, limit: 50 }));
    expect(error).toMatchObject({ code: "invalid_answer" });
  });
});

describe("M14: batches", () => {
  const methods: Record<string, Method> = {
    "crm.deal.get": ({ id }) =>
      id === "404" ? { error: "", error_description: "Not found", status: 400 } : { result: { ID: String(id) } },
    "crm.deal.list": () => ({ result: [{ ID: "1" }], total: 61, next: 50 }),
    "crm.deal.update": ({ fields }) => ({ result: fields ?? null }),
  };

  it("sends all commands in one request and returns results and errors by name", async () => {
    await using server = await portal(methods);
    const commands = {
      one: { method: "crm.deal.get", params: { id: 1 } },
      gone: { method: "crm.deal.get", params: { id: 404 } },
      all: { method: "crm.deal.list", params: { select: ["ID"], filter: { ">=OPPORTUNITY": 100 } } },
    };
    expect(await server.client.batch(commands, { halt: false, signal })).toEqual({
      result: { one: { ID: "1" }, all: [{ ID: "1" }] },
      result_error: { gone: { error: "", error_description: "Not found" } },
      result_total: { all: 61 },
      result_next: { all: 50 },
    });
    expect(server.asked).toHaveLength(1);
  });

  it("with halt, the first error ends it", async () => {
    await using server = await portal(methods);
    const commands = {
      gone: { method: "crm.deal.get", params: { id: 404 } },
      one: { method: "crm.deal.get", params: { id: 1 } },
    };
    const { result, result_error } = await server.client.batch(commands, { halt: true, signal });
    expect([result, Object.keys(result_error)]).toEqual([{}, ["gone"]]);
  });

  it("supports 50 commands, and refuses 51 before a request", async () => {
    await using server = await portal(methods);
    const commands = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`deal_${n}`, { method: "crm.deal.get", params: { id: n + 1 } }]),
      );
    const { result } = await server.client.batch(commands(50), { halt: false, signal });
    expect(Object.keys(result)).toHaveLength(50);
    const error = await failureOf(server.client.batch(commands(51), { halt: false, signal }));
    expect(error).toMatchObject({ code: "too_many_commands", did_not_happen: true, transient: false });
    expect(server.asked).toHaveLength(1);
  });

  it("P24: is retried after a 502 if all of its commands are reads", async () => {
    const get = { method: "crm.deal.get", params: { id: 1 } };
    const update = { method: "crm.deal.update", params: { id: 1, fields: { TITLE: "B" } } };
    const busy: Reply = { status: 502, text: "" };
    const done: Reply = { result: { result: { a: {} }, result_error: [], result_total: [], result_next: [] } };
    await using reading = await portal({ batch: inTurn(busy, done) });
    expect((await reading.client.batch({ a: get }, { halt: false, signal })).result).toEqual({ a: {} });
    await using changing = await portal({ batch: inTurn(busy, done) });
    const error = await failureOf(changing.client.batch({ a: get, b: update }, { halt: false, signal }));
    expect(error.code).toBe("http_502");
    expect(changing.asked).toHaveLength(1);
  });

  it("serializes parameters so that a portal can parse them", () => {
    const value = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: "grapheme" }),
        fc.dictionary(fc.stringMatching(/^[A-Z%>=!_][\w%>=&+ ]{0,8}$/), tie("value"), { minKeys: 1, maxKeys: 4 }),
      ),
    })).value;
    const params = fc.dictionary(fc.stringMatching(/^[a-zA-Z]\w{0,8}$/), value, { minKeys: 1 });
    fc.assert(
      fc.property(params, (given) => {
        const [method, ...query] = commandText("crm.deal.list", given).split("?");
        expect(method).toBe("crm.deal.list");
        expect(readForm(query.join("?"))).toEqual(given);
      }),
    );
  });

  it("serializes other types as PHP parses them", () => {
    const params = { start: 50, halt: true, open: false, select: ["ID", "TITLE"], note: null };
    expect(readForm(commandText("m", params).slice(2))).toEqual({
      start: "50",
      halt: "1",
      open: "0",
      select: ["ID", "TITLE"],
      note: "",
    });
    expect(commandText("user.current", {})).toBe("user.current");
  });
});

describe("The webhook's secret", () => {
  it.each<[string, Reply]>([
    [
      "an error that repeats it",
      { error: `bad_${SECRET}`, error_description: `/rest/1/${SECRET}/ is unknown`, status: 401 },
    ],
    ["a page that repeats it", { status: 200, text: `/rest/1/${SECRET}` }],
    ["a type that repeats it", { status: 200, text: "", headers: { "content-type": `text/${SECRET}` } }],
    ["a redirect to itself", { status: 301, text: "", headers: { location: `/rest/1/${SECRET}/x` } }],
    [
      "a redirect elsewhere",
      { status: 301, text: "", headers: { location: `https://b.example.org/rest/1/${SECRET}/x` } },
    ],
    ["a status", { status: 503, text: SECRET }],
    ["a connection that breaks off", "break off"],
    ["too many requests", TOO_MANY],
  ])("is told nowhere: %s", async (_, reply) => {
    await using server = await portal({ "crm.deal.get": () => reply });
    const error = await failureOf(getDeal(server.client));
    expect(inspect([error, server.logged, server.client], { depth: 20 })).not.toContain(SECRET);
    expect(`${error.stack}`).not.toContain(SECRET);
  });

  it.each([
    ["no address at all", SECRET],
    ["an address of something else", `https://example.bitrix24.com/${SECRET}`],
    ["a method's address", `https://example.bitrix24.com/rest/1/${SECRET}/crm.deal.get.json`],
    ["more after it", `https://example.bitrix24.com/rest/1/${SECRET}/?auth=1`],
    ["a name and password", `https://me:${SECRET}@example.bitrix24.com/rest/1/${SECRET}/`],
    ["another scheme", `ftp://example.bitrix24.com/rest/1/${SECRET}/`],
    ["a secret sent openly", `http://example.bitrix24.com/rest/1/${SECRET}/`],
  ])("an address that is no webhook's is refused without being repeated: %s", (_, webhookUrl) => {
    expect(webhookFault(webhookUrl)).not.toBeNull();
    const refused = expect(() => createBitrixClient({ webhookUrl }));
    refused.toThrow(InvalidWebhook);
    refused.toThrow(/^(?!.*q8zk3n7w2v5xh1rd).*https:\/\//);
  });

  it.each([
    "https://example.bitrix24.ru/rest/12/abc/",
    "http://localhost:3001/rest/1/abc",
    "http://[::1]:3001/rest/1/abc/",
  ])("%s is one", (address) => expect(webhookFault(address)).toBeNull());
});
