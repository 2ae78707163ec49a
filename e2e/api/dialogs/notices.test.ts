import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { withBotApi } from "../setup/bot-api.ts";
import { withServer } from "../setup/server.ts";
import { createWaiting } from "../setup/waiting.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const MANAGERS = -100_778;

interface Hook {
  id: string;
  signature: string;
  timestamp: string;
  body: string;
  // Bodies are untyped: a missing field fails the test that reads it.
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  data: any;
}

const { waitFor, look } = createWaiting();
const hooks: Hook[] = [];
const mails: string[] = [];
let isDown = false;

const receiver = createServer(async (request, response) => {
  const body = await text(request);
  const of = (name: string) => String(request.headers[`webhook-${name}`]);
  hooks.push({
    id: of("id"),
    signature: of("signature"),
    timestamp: of("timestamp"),
    body,
    data: JSON.parse(body).data,
  });
  response.writeHead(isDown ? 503 : 204).end();
  look();
});
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ["STARTTLS"],
  async onData(stream, _session, callback) {
    mails.push(await text(stream));
    callback();
    look();
  },
});
let ports = { hook: 0, mail: 0 };

const listening = (server: { listen(port: number, host: string, done: () => void): unknown }) =>
  new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
beforeAll(async () => {
  await Promise.all([listening(receiver), listening(mailServer)]);
  const hook = (receiver.address() as AddressInfo).port;
  ports = { hook, mail: (mailServer.server.address() as AddressInfo).port };
});
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
  mailServer.close();
});

const botApi = withBotApi();
const server = withServer({
  TELEGRAM_BOT_TOKEN: "123456:AAE",
  TELEGRAM_WEBHOOK_SECRET: "hook",
  TELEGRAM_ADMIN_CHAT: String(MANAGERS),
  get TELEGRAM_API_ROOT() {
    return botApi.root;
  },
  get OBELUS_NOTICE_WEBHOOK_URL() {
    return `http://127.0.0.1:${ports.hook}/hooks/obelus`;
  },
  OBELUS_NOTICE_WEBHOOK_SECRET: SECRET,
  get OBELUS_SMTP_URL() {
    return `smtp://127.0.0.1:${ports.mail}`;
  },
  OBELUS_NOTICE_MAIL_FROM: "obelus@example.org",
  OBELUS_NOTICE_MAIL_TO: "anna@example.org",
  OBELUS_PUBLIC_URL: "https://obelus.example.org",
});

const asked = (id: string) => ({
  ...{ id: `${id} requested`, conversation_id: "c", agent_id: "billing", type: "confirmation.requested" },
  payload: {
    ...{ confirmation_id: id, key: "refund", description: "Pays Anna 40" },
    action: { method: "issueRefund", params: { amount: 40 } },
  },
});
const hookOf = (id: string) =>
  waitFor(() => hooks.find(({ data }) => data.notices.some((notice: { id: string }) => notice.id.includes(id))));

it("Inform: a test is sent by every channel, with results", async () => {
  const { status, body } = await server.post("/api/notices/test", undefined);
  const sent = ["telegram", "webhook", "mail"].map((channel) => ({ channel, sent: true, error: null }));
  expect([status, body]).toEqual([200, { channels: sent }]);
  expect([hooks.length, mails.length, (await botApi.shown(MANAGERS, 1)).length]).toEqual([1, 1, 1]);
});

it("Inform: confirmations and alerts are sent by every channel with a link, without content", async () => {
  const alert = { id: "called", conversation_id: "d", type: "manager.alerted", payload: { text: "Anna is angry" } };
  await server.post("/api/events", [asked("k1"), asked("k2"), alert]);
  const { id, timestamp, body, signature, data } = await hookOf("k1");
  const key = Buffer.from(SECRET.slice(6), "base64");
  expect(signature).toBe(`v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`);
  expect(data.counts).toEqual({ confirmation: 2, alert: 1, mention: 0, rule: 0 });
  expect(data.notices).toMatchObject([
    {
      ...{ kind: "confirmation", conversation_id: "c", agent_id: "billing", action: { name: "issueRefund" } },
      link: "https://obelus.example.org/approvals?selected=k1",
    },
    { kind: "confirmation" },
    { kind: "alert", link: "https://obelus.example.org/conversations/d" },
  ]);
  const mail = await waitFor(() => mails.find((source) => source.includes("issueRefund")));
  expect(`${body}${mail}`).not.toMatch(/Anna is|Pays|40,/);
  // The alert is sent at once as always; then pending items.
  const shown = await botApi.shown(MANAGERS, 3);
  expect(shown.map((message) => message.text)).toEqual([
    expect.stringContaining("Test notification"),
    expect.stringContaining("Anna is angry"),
    expect.stringMatching(/^🔔 2 confirmations await you\n\nissueRefund\n/),
  ]);
});

it("Inform: unsent ones survive kill -9 with their ids; decided ones are dropped", async () => {
  await waitFor(() => (hooks.length >= 2 ? hooks : undefined));
  isDown = true;
  await server.post("/api/events", [asked("k3"), asked("k4")]);
  const first = await hookOf("k3");
  await server.post("/api/confirmations/k4/decision", { decision: "deny" });
  await server.restart("SIGKILL", async () => {
    isDown = false;
    hooks.length = 0;
  });
  const again = await hookOf("k3");
  expect([again.id, again.data.counts.confirmation]).toEqual([first.id, 1]);
});
