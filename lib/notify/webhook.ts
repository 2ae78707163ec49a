import { createHmac } from "node:crypto";
import type { OpenEgress } from "../outgoing/egress.ts";
import { type Channel, reasonOf } from "./channel.ts";
import type { OutgoingNotice } from "./message.ts";

/** A webhook receiver, by the Standard Webhooks specification. */
export interface Webhook {
  url: string;
  /** `whsec_` and the key in base64. */
  secret: string;
}

/** The timeout after which it is retried. */
const TIMEOUT_MS = 15_000;

/** Sends notifications as signed JSON. */
export function createWebhook({ url, secret }: Webhook, openEgress: OpenEgress, now: () => number): Channel {
  const { fetch } = openEgress({ hosts: [new URL(url).host] });
  return {
    name: "webhook",
    tellsAlerts: false,
    async send(outgoing) {
      const body = JSON.stringify(bodyOf(outgoing, now()));
      try {
        const response = await fetch(url, {
          method: "POST",
          redirect: "manual",
          headers: { "content-type": "application/json", ...signed(outgoing.id, body, secret, now()) },
          body,
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        await response.body?.cancel();
        return response.ok ? null : `It answered with status ${response.status}`;
      } catch (error) {
        return reasonOf(error);
      }
    },
  };
}

/** The headers for authentication and replay protection. */
export function signed(id: string, body: string, secret: string, now: number): Record<string, string> {
  const timestamp = String(Math.floor(now / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

function bodyOf({ type, subject, text, counts, notices, link }: OutgoingNotice, now: number): object {
  return {
    type: `notices.${type}`,
    timestamp: new Date(now).toISOString(),
    data: { subject, ...(text !== null && { text }), counts, link, notices },
  };
}
