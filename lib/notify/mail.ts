import { isLoopback } from "../outgoing/addresses.ts";
import type { OpenEgress } from "../outgoing/egress.ts";
import { type Channel, reasonOf } from "./channel.ts";
import { html, plainText, type Script } from "./text.ts";

/** The SMTP server, sender and recipients. */
export interface Mail {
  /** `smtps://user:password@mail.example.org` */
  server: string;
  from: string;
  to: string[];
}

/** The timeout after which it is retried. */
const TIMEOUT_MS = 30_000;

/** Sends notifications by SMTP; with a password the connection must be encrypted, except to localhost. */
export async function createMail({ server, from, to }: Mail, openEgress: OpenEgress, script: Script): Promise<Channel> {
  // Imported lazily: servers without e-mail do not need the library.
  const { createTransport } = await import("nodemailer");
  const { hostname, port: given, username, password, protocol } = new URL(server);
  const secure = protocol === "smtps:";
  const port = Number(given || (secure ? 465 : 587));
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const egress = openEgress({ hosts: [`${hostname}:${port}`] });
  const auth = username === "" ? null : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  const transport = createTransport({
    ...{ host, port, secure, ...(auth && { auth }) },
    requireTLS: auth !== null && !isLoopback(host) && host !== "localhost",
    ...{ connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
    // The library would resolve the name and connect by itself.
    getSocket(_, callback) {
      const socket = egress.connect(host, port);
      const late = setTimeout(() => socket.destroy(new Error(`${host} did not answer in time`)), TIMEOUT_MS);
      const fail = (error: Error) => {
        clearTimeout(late);
        callback(error, false);
      };
      socket.once("error", fail);
      socket.once("connect", () => {
        clearTimeout(late);
        socket.off("error", fail);
        callback(null, { connection: socket });
      });
    },
  });
  return {
    name: "mail",
    tellsAlerts: false,
    async send(outgoing) {
      try {
        await transport.sendMail({
          from,
          to,
          subject: outgoing.subject,
          text: plainText(outgoing, script),
          html: html(outgoing, script),
          messageId: `<${outgoing.id}@obelus>`,
          headers: { "Auto-Submitted": "auto-generated" },
        });
        return null;
      } catch (error) {
        return reasonOf(error);
      }
    },
  };
}
