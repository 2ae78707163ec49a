import { readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pino } from "pino";
import { afterAll, expect, test, vi } from "vitest";
import { startDemoPortal } from "../../../demo/crm-portal/portal.ts";
import { startScriptedModel } from "../../../demo/model/server.ts";
import { startServerProcess } from "../../../scripts/server-process.ts";
import { startBotApi } from "../../bot-api.ts";
import { temporaryDirectory } from "../setup/server.ts";

// A server with every option, with real wire formats on localhost, and everything it writes.
const logger = pino({ level: "silent" });
const [dataDir, outside] = [await temporaryDirectory(), await temporaryDirectory()];
const model = await startScriptedModel({ logger });
const portal = await startDemoPortal({ file: join(outside, "portal.db"), logger });
const bot = await startBotApi();
const received: Buffer[] = [];
const receiver = createServer(async (request, response) => {
  received.push(await buffer(request));
  response.end();
});
await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

/** The configured secrets. */
const SECRETS = {
  model: model.apiKey,
  crm: new URL(portal.webhookUrl).pathname.split("/")[3] ?? "",
  telegram: "123456789:AAH-te1egramb0t5ecre7te1egramb0t5ec",
  "telegram's webhook": "te1egram-webh00k-5ecre7",
  webhook: "whsec_bm90aWNlcy1zZWNyZXQtMDEyMzQ1Njc4OQ==",
  collector: "c0llect0r-5ecre7",
  tool: "t00l-header-5ecre7",
};
/** Personal data in a conversation: it must be nowhere else. */
const SAID = { card: "4111 1111 1111 1111", key: "sk-live-0123456789abcdefghijABCDEFGHIJ" };

const log = join(outside, "server.log");
const server = await startServerProcess(dataDir, {
  log,
  env: {
    ...{ OBELUS_LOG_LEVEL: "trace", OBELUS_DEBUG_PROMPTS: "1", OBELUS_HTTP_TOOL_HOSTS: "127.0.0.1" },
    ...{ OBELUS_MODEL: model.model, OBELUS_MODEL_BASE_URL: model.baseUrl, OBELUS_MODEL_API_KEY: SECRETS.model },
    BITRIX24_WEBHOOK_URL: portal.webhookUrl,
    ...{ TELEGRAM_API_ROOT: bot.root, TELEGRAM_BOT_TOKEN: SECRETS.telegram, TELEGRAM_ADMIN_CHAT: "-77" },
    TELEGRAM_WEBHOOK_SECRET: SECRETS["telegram's webhook"],
    ...{ OBELUS_NOTICE_WEBHOOK_URL: receiverUrl, OBELUS_NOTICE_WEBHOOK_SECRET: SECRETS.webhook },
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: receiverUrl, OTEL_EXPORTER_OTLP_HEADERS: `x-key=${SECRETS.collector}` },
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
  },
});
afterAll(async () => {
  await server.stop();
  receiver.close();
  bot.close();
  await Promise.all([model.close(), portal.close()]);
  await Promise.all([dataDir, outside].map((folder) => rm(folder, { recursive: true, force: true })));
});

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  return fetch(`${server.address}${path}`, {
    method,
    headers: { ...(body && { "content-type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** The content of the data directory by file, except files that are secret. */
async function filesOf(folder: string): Promise<Map<string, string>> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile() && file.name !== "secret.key")
    .map(async ({ parentPath, name }) => [name, await readFile(join(parentPath, name), "latin1")] as const);
  return new Map(await Promise.all(texts));
}

const CHAT = 4_711;
const update = {
  update_id: 1,
  message: {
    ...{ message_id: 1, date: 1_790_000_000, text: "Покажи сделку 123" },
    ...{ chat: { id: CHAT, type: "private" }, from: { id: CHAT, is_bot: false, first_name: "Вера" } },
  },
};

test("Security: after using every feature no secret is in a log, an export, a file, or an outgoing request", async () => {
  const tool = { name: "shop.find", description: "Finds", schema: { type: "object" } };
  const activity = { type: "http", url: receiverUrl, headers: { authorization: `Bearer ${SECRETS.tool}` } };
  expect((await call("POST", "/api/tools", { ...tool, activity })).status).toBe(201);
  const telegram = { "x-telegram-bot-api-secret-token": SECRETS["telegram's webhook"] };
  expect((await call("POST", "/api/telegram/webhook", update, telegram)).status).toBe(200);
  await bot.shown(CHAT, 1);

  const id = "all-of-it";
  const said = { content: `Change the amount of deal 123 to 150000. Card ${SAID.card}, key ${SAID.key}` };
  await call("POST", "/api/conversations", { id, agent_id: "crm" });
  expect((await call("POST", `/api/conversations/${id}/messages`, said)).status).toBe(202);
  const asked = await vi.waitFor(async () => {
    const answer = await call("GET", `/api/confirmations?conversation_id=${id}&status=requested`);
    const { items } = await answer.json();
    expect(items).toHaveLength(1);
    return items[0];
  });
  expect((await call("POST", `/api/confirmations/${asked.id}/decision`, { decision: "approve" })).status).toBe(200);
  const status = async () => (await (await call("GET", `/api/conversations/${id}`)).json()).status;
  await vi.waitFor(async () => expect(await status()).toBe("idle"));
  expect((await call("POST", "/api/notices/test", {})).status).toBe(200);
  await vi.waitFor(() => expect(received.length).toBeGreaterThan(1));

  const exported = await (await call("GET", "/api/export")).text();
  const redacted = await (await call("GET", "/api/export?redact=keys,cards")).text();
  const logged = await readFile(log, "utf8");
  const sent = [...received.map(String), ...bot.requests.map(({ payload }) => JSON.stringify(payload))].join("\n");
  expect(exported.includes(SAID.card), "the card in the whole export").toBe(true);
  expect(logged.includes("Prompt rendered"), "prompts in the log").toBe(true);

  const places = new Map([...(await filesOf(dataDir)), ["log", logged], ["export", exported], ["sent", sent]]);
  const found = Object.entries(SECRETS).flatMap(([name, secret]) =>
    [...places].flatMap(([place, text]) => (text.includes(secret) ? [`${name} in ${place}`] : [])),
  );
  expect(found).toEqual([]);
  for (const [name, text] of Object.entries(SAID)) {
    expect(logged.includes(text), `${name} in the log`).toBe(false);
    expect(redacted.includes(text), `${name} in the redacted export`).toBe(false);
  }
});
