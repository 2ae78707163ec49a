import { Api } from "grammy";
import type { OpenEgress } from "../../outgoing/egress.ts";
import { pause, waitAfter } from "./backoff.ts";
import { optionsOf } from "./bot-client.ts";
import { type Failure, failureOf } from "./failure.ts";
import type { FormattedText } from "./text/split.ts";

/** The recipient: a chat's number, or a public chat's `@name`. */
export type Recipient = number | string;

/** Sends one message. */
export interface Sender {
  /**
   * Sends with retries. Resolves with null when Telegram has accepted it, or with the reason of a permanent failure;
   * throws when the server stops.
   */
  send(to: Recipient, message: FormattedText): Promise<string | null>;
  /** Sends once; null when Telegram has accepted it. */
  attempt(to: Recipient, message: FormattedText): Promise<Failure | null>;
}

export interface SenderOptions {
  token: string;
  apiRoot: string;
  openEgress: OpenEgress;
  logger: { warn(details: object, message: string): void; error(details: object, message: string): void };
  stopping: AbortSignal;
}

/** Sends with the Bot API, with retries (D10). */
export function createSender({ token, apiRoot, openEgress, logger, stopping }: SenderOptions): Sender {
  const api = new Api(token, optionsOf(apiRoot, openEgress));

  async function attempt(to: Recipient, { text, entities }: FormattedText): Promise<Failure | null> {
    try {
      // Requests in progress are completed when the server stops, or the message would be sent twice.
      await api.sendMessage(to, text, { entities, link_preview_options: { is_disabled: true } });
      return null;
    } catch (error) {
      return failureOf(error);
    }
  }

  return {
    attempt,
    async send(to, message) {
      let given = message;
      for (let failures = 1; ; failures += 1) {
        const outcome = await attempt(to, given);
        if (outcome === null) return null;
        switch (outcome.kind) {
          case "refused":
            return outcome.why;
          case "unparsed":
            // Without entities there is nothing to parse.
            if (given.entities.length === 0) return outcome.why;
            logger.warn({ to, reason: outcome.why }, "Telegram could not parse a message; sending plain text");
            given = { ...message, entities: [] };
            break;
          case "later": {
            const wait = Math.max(outcome.afterMs, waitAfter(failures, Math.random()));
            const level = outcome.mended === "by itself" ? "warn" : "error";
            logger[level]({ to, reason: outcome.why, wait_ms: wait }, "Retrying a Telegram message");
            await pause(wait, stopping);
          }
        }
      }
    },
  };
}
