import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { withServer } from "../setup/server.ts";

const CANARY = "kanarienvogel";
const USER = `anna-${CANARY}`;

const server = withServer({ OBELUS_DEMO: "1", OBELUS_RETENTION: "3650d, telegram=90d" });

const event = (conversation_id: string, n: number, type: string, payload: object, more: object = {}) => ({
  ...{ id: `${conversation_id}-${n}`, conversation_id, type, payload, actor: `user:${USER}`, ...more },
});

function dealing(id: string) {
  return [
    event(id, 1, "conversation.created", { title: `Title ${CANARY}`, user_id: USER, metadata: { x: CANARY } }),
    event(id, 2, "message.created", { message_id: `${id}-m`, role: "user", content: `I am ${CANARY}` }),
    event(id, 3, "run.started", { input: CANARY }, { run_id: `${id}-r` }),
    event(
      id,
      4,
      "call.started",
      { call_id: "c", tool: "crm.deal.get", params: { name: CANARY } },
      { run_id: `${id}-r` },
    ),
    event(
      id,
      5,
      "confirmation.requested",
      { confirmation_id: `${id}-q`, key: CANARY, action: { method: "pay", params: { to: CANARY } } },
      { run_id: `${id}-r` },
    ),
    event(id, 6, "manager.alerted", { text: `Help ${CANARY}` }, { run_id: `${id}-r` }),
    event(id, 7, "shop.visited", { by: CANARY }),
  ];
}

/** Files of the data directory that contain the text, ignoring case. */
async function filesWith(text: string): Promise<string[]> {
  const files = await readdir(server.dataDir, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const file of files.filter((one) => one.isFile())) {
    const bytes = await readFile(join(file.parentPath, file.name));
    if (bytes.toString("latin1").toLowerCase().includes(text.toLowerCase())) found.push(file.name);
  }
  return found;
}

const finished = (id: string) =>
  vi.waitFor(
    async () => {
      const { body } = await server.get(`/api/erasures/${id}`);
      expect(body.phase).toBe("finished");
      return body;
    },
    { timeout: 30_000, interval: 50 },
  );

test("Security: an erased user is in no file of the data directory, also after a kill in the middle", async () => {
  expect((await server.post("/api/events", dealing("p-1"))).status).toBe(201);
  expect((await server.post("/api/conversations/p-1/fork", { at: 3 })).status).toBe(201);
  await server.send("PUT", "/api/conversations/p-1/bookmarks/2", { note: `Look at ${CANARY}` });
  await server.send("PUT", `/api/agent-state/memory%3A${USER}/notes`, { said: CANARY });
  await server.send("PUT", "/api/agent-state/crm/board", { stays: "whole" });
  await server.get(`/api/conversations?q=${CANARY}`);
  const before = (await server.get("/api/conversations/p-1/events?limit=100")).body.items;

  const asked = await server.post("/api/erasures", { kind: "user", id: USER, reason: "They asked for it" });
  expect([asked.status, asked.body.target]).toEqual([202, USER]);
  await server.restart("SIGKILL");
  const receipt = await finished(asked.body.id);
  expect(receipt).toMatchObject({ target: null, reason: null, conversations: 2 });

  expect(await filesWith(CANARY)).toEqual([]);
  const after = (await server.get("/api/conversations/p-1/events?limit=100")).body.items;
  // biome-ignore lint/suspicious/noExplicitAny: as the server answers them.
  const places = (items: any[]) => items.map(({ id, seq, position, type }) => [id, seq, position, type]);
  expect(places(after).slice(0, before.length)).toEqual(places(before));
  expect((await server.get("/api/conversations/p-1/view")).body).toMatchObject({ status: "idle", at: after.length });
  expect((await server.get("/api/conversations/p-1/timeline")).status).toBe(200);
  expect((await server.get("/api/conversations/p-1/export")).status).toBe(200);
  expect((await server.get(`/api/conversations?q=${CANARY}`)).body.items).toEqual([]);
  expect((await server.get("/api/confirmations?conversation_id=p-1&status=requested")).body.items).toEqual([]);
  expect((await server.get("/api/agent-state/crm/board")).body.value ?? "there").toBeTruthy();

  // The same user is new afterwards.
  expect((await server.post("/api/events", dealing("p-2"))).status).toBe(201);
  expect((await server.get("/api/conversations/p-2")).body.user_id).toBe(USER);
  const audit = (await server.get("/api/audit?limit=50")).body.items;
  // biome-ignore lint/suspicious/noExplicitAny: as the server answers them.
  expect(audit.map(({ action }: any) => action)).toEqual(
    expect.arrayContaining(["erasure.requested", "erasure.finished"]),
  );
});

test("Security: unknown targets cannot be erased, and requests are validated", async () => {
  expect((await server.post("/api/erasures", { kind: "conversation", id: "nowhere" })).status).toBe(404);
  expect((await server.post("/api/erasures", { kind: "everybody", id: "x" })).status).toBe(400);
  expect((await server.get("/api/erasures/nothing")).status).toBe(404);
});

test("Security: retention returns its rules and what is due", async () => {
  const { body } = await server.get("/api/retention");
  expect(body.rules).toEqual([
    { channel: null, days: 3650 },
    { channel: "telegram", days: 90 },
  ]);
  expect(body.next.length).toBeGreaterThan(0);
});

test("Security: an export is redacted on request", async () => {
  const card = "4111 1111 1111 1111";
  await server.post("/api/events", [
    event("p-3", 1, "message.created", { message_id: "m", role: "user", content: `${card}, a@b.org` }),
  ]);
  const redacted = (await server.get("/api/conversations/p-3/export?redact=cards,emails")).body;
  expect(redacted).toContain("[redacted:card], [redacted:email]");
  expect((await server.get("/api/conversations/p-3/export")).body).toContain(card);
  expect((await server.get("/api/conversations/p-3/export?redact=all")).status).toBe(400);
});
