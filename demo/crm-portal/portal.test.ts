import { spawn } from "node:child_process";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import Sqlite from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Fault } from "./faults.ts";
import { openPortal, read, type TestPortal } from "./testing/open-portal.ts";

let portal: TestPortal;
beforeEach(async () => {
  portal = await openPortal();
});
afterEach(() => portal.dispose());

describe("M14: accepts parameters in every form of Bitrix24", () => {
  const filter = { status: 200, body: { result: [{ ID: "111", OPPORTUNITY: "4600000.00" }], total: 1 } };

  test("a JSON body", async () => {
    const params = { filter: { ">OPPORTUNITY": 4_000_000, CONTACT_ID: [449] }, select: ["OPPORTUNITY"] };
    expect(await portal.call("crm.deal.list", params)).toMatchObject(filter);
  });

  test("a form with brackets", async () => {
    const body = new URLSearchParams("filter[>OPPORTUNITY]=4000000&filter[CONTACT_ID][]=449&select[]=OPPORTUNITY");
    expect(await read(fetch(`${portal.webhookUrl}crm.deal.list`, { method: "POST", body }))).toMatchObject(filter);
  });

  test("a query, and a method that ends in .json", async () => {
    const query = "filter[%3EOPPORTUNITY]=4000000&filter[CONTACT_ID][0]=449&select[0]=OPPORTUNITY";
    expect(await read(fetch(`${portal.webhookUrl}crm.deal.list.json?${query}`))).toMatchObject(filter);
  });

  test("a query and a body, which overrides it", async () => {
    const body = new URLSearchParams("id=123");
    const answer = read(fetch(`${portal.webhookUrl}crm.deal.get?id=124`, { method: "POST", body }));
    expect(await answer).toMatchObject({ body: { result: { ID: "123" } } });
  });

  test("positional parameters", async () => {
    expect(await portal.result("task.commentitem.add", [789, { POST_MESSAGE: "Перезвонит сам" }])).toBeTypeOf("number");
  });
});

test("M14: a response has its duration, in the portal's time zone", async () => {
  const { body } = await portal.call("user.current");
  expect(body.time).toMatchObject({
    start: expect.any(Number),
    duration: expect.any(Number),
    date_start: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+03:00$/),
  });
});

describe("M14: requests by others than the webhook's owner are refused", () => {
  test.each([
    ["another secret", "/rest/1/0123456789abcdef0123456789abcdef/user.current", 401, "INVALID_CREDENTIALS"],
    ["a shorter secret", "/rest/1/0/user.current", 401, "INVALID_CREDENTIALS"],
    ["another user", "/rest/2/TOKEN/user.current", 401, "INVALID_CREDENTIALS"],
    ["an unknown method", "/rest/1/TOKEN/crm.deal.destroy", 404, "ERROR_METHOD_NOT_FOUND"],
    ["what every object has", "/rest/1/TOKEN/constructor", 404, "ERROR_METHOD_NOT_FOUND"],
    ["no method", "/rest/1/TOKEN/", 404, "ERROR_METHOD_NOT_FOUND"],
    ["another path", "/", 404, "ERROR_METHOD_NOT_FOUND"],
  ])("%s", async (_what, path, status, error) => {
    const { origin, pathname } = new URL(portal.webhookUrl);
    const token = pathname.split("/")[3] ?? "";
    expect(await read(fetch(origin + path.replace("TOKEN", token)))).toMatchObject({ status, body: { error } });
  });

  test("an HTTP method unknown to Bitrix24", async () => {
    const answer = read(fetch(`${portal.webhookUrl}user.current`, { method: "DELETE" }));
    expect(await answer).toMatchObject({ status: 405 });
  });

  test.each([
    ["localhost", 200],
    ["127.0.0.1:8080", 200],
    ["[::1]", 200],
    ["portal.example.org", 403],
    ["127.0.0.1.example.org", 403],
  ])("under the name %s: %i", async (host, status) => {
    const asked = request(`${portal.webhookUrl}user.current`, { headers: { host } }).end();
    const [response] = await once(asked, "response");
    response.resume();
    expect(response.statusCode).toBe(status);
  });
});

describe("M14: an invalid body is refused, and the portal keeps running", () => {
  afterEach(async () => {
    expect(await portal.result("crm.deal.get", { id: 123 })).toMatchObject({ OPPORTUNITY: "85000.00" });
    expect(portal.logged).toEqual([]);
  });

  test.each([
    ["JSON that breaks off", '{"id": 123, "fields": {"OPPORTUNITY":', 400],
    ["a JSON text", '"id"', 400],
    ["too deep", `{"id":123,"fields":${"[".repeat(100_000)}${"]".repeat(100_000)}}`, 400],
    ["bytes that are no UTF-8", Buffer.from('{"id":123,"fields":{"TITLE":"\xff"}}', "latin1"), 400],
    ["more than 1 MB", JSON.stringify({ id: 123, fields: { TITLE: "x".repeat(2 * 1024 * 1024) } }), 413],
  ])("%s", async (_what, body, status) => {
    const headers = { "content-type": "application/json" };
    const answer = await read(fetch(`${portal.webhookUrl}crm.deal.update`, { method: "POST", headers, body }));
    expect(answer).toMatchObject({
      status,
      body: { error: expect.any(String), error_description: expect.any(String) },
    });
  });

  test("a client that disconnects while sending", async () => {
    const sending = request(`${portal.webhookUrl}crm.deal.update`, { method: "POST" });
    const closed = new Promise((resolve) => sending.on("error", () => undefined).on("close", resolve));
    const [socket] = await once(sending, "socket");
    await once(socket, "connect");
    await new Promise((resolve) => sending.write('{"id": 123', resolve));
    sending.destroy();
    await closed;
  });
});

describe("M14: what was answered is in the database", () => {
  test("changes, new ids and the secret survive a restart", async () => {
    const before = portal.webhookUrl;
    await portal.result("crm.deal.update", { id: 123, fields: { OPPORTUNITY: 100_000 } });
    const added = await portal.result("crm.deal.add", { fields: { TITLE: "Дача, второй этап" } });
    await portal.restart();
    expect(await portal.result("crm.deal.get", { id: 123 })).toMatchObject({ OPPORTUNITY: "100000.00" });
    expect(await portal.result("crm.deal.get", { id: added })).toMatchObject({ TITLE: "Дача, второй этап" });
    expect(await portal.result("crm.deal.add", { fields: {} })).toBe(Number(added) + 1);
    expect(new URL(portal.webhookUrl).pathname).toBe(new URL(before).pathname);
  });

  test("they survive kill -9", async () => {
    await portal.restart();
    const script = fileURLToPath(new URL("./testing/serve-portal.ts", import.meta.url));
    const child = spawn(process.execPath, [script, `${portal.file}.2`], { stdio: ["ignore", "pipe", "inherit"] });
    const [webhookUrl] = await once(createInterface(child.stdout), "line");
    const ids = await Promise.all(
      Array.from(
        { length: 20 },
        async () => (await read(fetch(`${webhookUrl}crm.deal.add?fields[TITLE]=x`))).body.result,
      ),
    );
    child.kill("SIGKILL");
    await once(child, "exit");
    const database = new Sqlite(`${portal.file}.2`, { readonly: true });
    const kept = database.prepare("SELECT id FROM records WHERE kind = 'deal' AND id > 140 ORDER BY id").pluck().all();
    database.close();
    expect(kept).toEqual(ids.toSorted((a, b) => Number(a) - Number(b)));
    expect(new Set(ids).size).toBe(20);
  });

  test("only its owner can read the file, which contains the secret", async () => {
    expect((await stat(portal.file)).mode & 0o777).toBe(0o600);
  });
});

test("M14: a closed portal does not answer", async () => {
  const { webhookUrl } = portal;
  await portal.dispose();
  await expect(fetch(`${webhookUrl}user.current`)).rejects.toThrow();
  portal = await openPortal();
});

test("M14: beyond the limits a request gets QUERY_LIMIT_EXCEEDED, and a batch counts once", async () => {
  await portal.dispose();
  portal = await openPortal({ limits: { perSecond: 0.001, burst: 3 } });
  await portal.result("batch", { cmd: { a: "user.current", b: "user.current", c: "user.current" } });
  await portal.result("user.current");
  await portal.result("user.current");
  expect(await portal.refusal("user.current")).toBe("503 QUERY_LIMIT_EXCEEDED: Too many requests");
});

test("M14: an injected fault answers the next calls, which are not executed", async () => {
  await portal.dispose();
  const faults: Fault[] = [];
  portal = await openPortal({ faults });
  faults.push({ method: "crm.deal.update", status: 500, body: { error: "INTERNAL_SERVER_ERROR" }, times: 2 });
  const change = { id: 123, fields: { OPPORTUNITY: 1 } };
  expect(await portal.call("crm.deal.update", change)).toEqual({
    status: 500,
    body: { error: "INTERNAL_SERVER_ERROR" },
  });
  expect(await portal.result("crm.deal.get", { id: 123 })).toMatchObject({ OPPORTUNITY: "85000.00" });
  expect(await portal.call("crm.deal.update", change)).toMatchObject({ status: 500 });
  expect(await portal.result("crm.deal.update", change)).toBe(true);
});

test("M14: an internal error is a 500 without its cause, which is logged", async () => {
  const database = new Sqlite(portal.file);
  database.prepare("UPDATE records SET record = '{' WHERE kind = 'deal' AND id = 123").run();
  database.close();
  expect(await portal.refusal("crm.deal.get", { id: 123 })).toBe("500 INTERNAL_SERVER_ERROR: Internal server error");
  expect(portal.logged).toEqual(["A call of the demo portal failed"]);
});
