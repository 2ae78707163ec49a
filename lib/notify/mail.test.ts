import { once } from "node:events";
import { createServer } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, expect, it } from "vitest";
import { createEgressPolicy, type Lookup } from "../outgoing/egress.ts";
import { createMail } from "./mail.ts";
import type { OutgoingNotice } from "./message.ts";

const outgoing: OutgoingNotice = {
  ...{
    id: "notice_1",
    type: "test",
    subject: "Проверка",
    text: "Ещё",
    notices: [],
    counts: { confirmation: 0, alert: 0, mention: 0, rule: 0 },
  },
  link: "https://obelus.example.org/approvals",
};
const script = { locale: "ru", timezone: "UTC" } as const;
const open: SMTPServer[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

/** A local mail server, and the received messages. */
async function mailServer(options: SMTPServerOptions = {}) {
  const mails: { from: string; to: string[]; user: string | undefined; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    onAuth: ({ username, password }, _session, callback) =>
      password === "p@ss" ? callback(null, { user: username ?? "" }) : callback(new Error("Wrong password")),
    async onData(stream, { envelope, user }, callback) {
      const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
      mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), user, text: await text(stream) });
      callback();
    },
    ...options,
  });
  // A client that rejects its certificate is an error to it.
  server.on("error", () => undefined);
  open.push(server);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address();
  return { mails, port: typeof address === "object" ? address?.port : 0 };
}

const from = "Obelus <obelus@example.org>";
const to = ["anna@example.org", "boris@example.org"];

it("Inform: e-mail is sent by SMTP, with text and HTML, a stable id and no request for replies", async () => {
  const { mails, port } = await mailServer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  const mail = await createMail(
    { server: `smtp://obelus:p%40ss@127.0.0.1:${port}`, from, to },
    createEgressPolicy([]),
    script,
  );
  expect(await mail.send(outgoing)).toBeNull();
  const [{ text: source, ...envelope } = { text: "" }] = mails;
  expect(envelope).toEqual({ from: "obelus@example.org", to, user: "obelus" });
  expect(source).toContain("Message-ID: <notice_1@obelus>");
  expect(source).toContain("Auto-Submitted: auto-generated");
  expect(source).toMatch(/Content-Type: text\/plain[\s\S]*Content-Type: text\/html/);
});

it("Inform: also over implicit TLS, with a valid certificate", async () => {
  const { port } = await mailServer({ secure: true });
  const mail = await createMail({ server: `smtps://127.0.0.1:${port}`, from, to }, createEgressPolicy([]), script);
  expect(await mail.send(outgoing)).toMatch(/self-signed|expired|certificate|altnames/i);
});

it("Inform: the mail server's errors are passed on, and connection errors", async () => {
  const { port } = await mailServer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  const wrong = await createMail(
    { server: `smtp://obelus:no@127.0.0.1:${port}`, from, to },
    createEgressPolicy([]),
    script,
  );
  expect(await wrong.send(outgoing)).toContain("Wrong password");
  const nobody = await createMail({ server: "smtp://127.0.0.1:1", from, to }, createEgressPolicy([]), script);
  expect(await nobody.send(outgoing)).toContain("ECONNREFUSED");
});

it("Security: a password is never sent without encryption, and nothing to a private address", async () => {
  const { mails, port } = await mailServer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  const lookup: Lookup = (_host, _options, answer) => answer(null, [{ address: "127.0.0.1", family: 4 }]);
  const config = { server: `smtp://obelus:p%40ss@mail.example:${port}`, from, to };
  const plain = await createMail(config, createEgressPolicy(["mail.example"], lookup), script);
  expect(await plain.send(outgoing)).toMatch(/STARTTLS/i);
  const closed = await createMail(config, createEgressPolicy([], lookup), script);
  expect(await closed.send(outgoing)).toContain("add it to OBELUS_PRIVATE_HOSTS");
  expect(mails).toEqual([]);
});

it.each([
  ["lines", "220-and so on\r\n"],
  ["one line", "220 and so on"],
])("Security: a mail server that goes on and on is cut off: %s", async (_, part) => {
  const chunk = part.repeat(10_000);
  let written = 0;
  const server = createServer((socket) => {
    const write = () => {
      while (!socket.destroyed && socket.write(chunk)) written += chunk.length;
      written += chunk.length;
    };
    socket.on("drain", write).on("error", () => undefined);
    write();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const mail = await createMail({ server: `smtp://127.0.0.1:${port}`, from, to }, createEgressPolicy([]), script);
  expect(await mail.send(outgoing)).toMatch(/too long|too large|exceed|size/i);
  const closed = once(server, "close");
  server.close();
  await closed;
  // The buffers of both ends add to the megabyte that is read.
  expect(written).toBeLessThan(50_000_000);
});
