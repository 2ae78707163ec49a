import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { withServer } from "../setup/server.ts";

const PORT_NAME = "127.0.0.1";
const open: ServerResponse[] = [];
const tool = createServer(async (request, response) => {
  await text(request);
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  response.write('{"progress": 0.4, "message": "Reading for ada@example.org"}\n');
  open.push(response);
});
let address = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => tool.listen(0, PORT_NAME, resolve));
  address = `${PORT_NAME}:${(tool.address() as AddressInfo).port}`;
});
afterAll(() => {
  tool.closeAllConnections();
  tool.close();
});

const server = withServer({
  OBELUS_REDACT_STORED: "emails",
  get OBELUS_HTTP_TOOL_HOSTS() {
    return address;
  },
});

it("a tool that responds in lines reports progress: in the log, in the view, and until its end", async () => {
  const activity = { type: "http", url: `http://${address}/export` };
  await server.post("/api/tools", { name: "export", schema: { type: "object" }, activity });
  const started = await server.post("/api/plans/run", { plan: [{ _tool: "export", _id: "export" }] });
  expect(started.status).toBeLessThan(300);
  const { conversation_id: id, run_id } = started.body;
  const event = await vi.waitFor(
    async () => {
      const { body } = await server.get(`/api/conversations/${id}/events?type=call.progressed`);
      expect(body.items).toHaveLength(1);
      return body.items[0];
    },
    { timeout: 20_000, interval: 50 },
  );
  expect(event).toMatchObject({
    ...{ run_id, actor: "tool:export", recorded_by: "engine" },
    payload: { call_id: "export", tool: "export", iteration: 1, attempt: 1, progress: 0.4 },
  });
  // Untrusted text is redacted as any other.
  expect(JSON.stringify(event)).not.toContain("ada@example.org");
  const call = async (at = "") => (await server.get(`/api/conversations/${id}/view${at}`)).body.calls[0];
  expect((await call()).progress).toMatchObject({ seq: event.seq, part: 0.4 });
  expect((await call(`?at=${event.seq - 1}`)).progress ?? null).toBeNull();
  open.shift()?.end('{"progress": 0.9}\n{"result": {"rows": 2}}\n');
  await vi.waitFor(async () => expect(await call()).toMatchObject({ status: "succeeded", output: { rows: 2 } }), {
    timeout: 20_000,
    interval: 50,
  });
  expect((await call()).progress ?? null).toBeNull();
  expect((await call(`?at=${event.seq}`)).progress).toMatchObject({ part: 0.4 });
});

it("external agents send the same event, within its limits", async () => {
  const told = { conversation_id: "theirs", run_id: "r" };
  const place = { call_id: "c", tool: "export", iteration: 1 };
  const send = (payload: object) =>
    server.post("/api/events", { ...told, type: "call.progressed", payload: { ...place, ...payload } });
  await server.post("/api/events", [
    { ...told, type: "run.started" },
    { ...told, type: "call.started", payload: place },
  ]);
  expect((await send({ progress: 0.7, message: "Page 7" })).status).toBe(201);
  for (const refused of [
    { progress: 1.1 },
    { progress: -0.1 },
    { progress: "0.5" },
    { message: "x".repeat(501) },
    { more: 1 },
  ])
    expect((await send(refused)).status).toBe(400);
  const { body } = await server.get("/api/conversations/theirs/view");
  expect(body.calls[0].progress).toEqual({ seq: 3, part: 0.7, message: "Page 7" });
});
