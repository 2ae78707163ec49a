import { GrammyError, HttpError } from "grammy";
import type { CallRefused } from "../../outgoing/egress.ts";

/**
 * Why a request to Telegram failed. The library's errors are not passed on: they contain the token, or message texts.
 */
export type Failure =
  | { kind: "refused"; why: string }
  | { kind: "unparsed"; why: string }
  | { kind: "later"; why: string; afterMs: number; mended: "by itself" | "by the operator" };

/** Converts an error of a Bot API request. Rethrows other errors. */
export function failureOf(error: unknown): Failure {
  if (error instanceof HttpError) {
    if (codeOf(error.error) === REFUSED) {
      const why =
        "TELEGRAM_API_ROOT resolves to a private address; to allow it, add it to OBELUS_PRIVATE_HOSTS and restart";
      return { kind: "later", why, afterMs: 0, mended: "by the operator" };
    }
    return { kind: "later", why: whyBroken(error.error), afterMs: 0, mended: "by itself" };
  }
  if (!(error instanceof GrammyError)) throw error;
  const { error_code, description, parameters } = error;
  if (error_code === 429) {
    return { kind: "later", why: description, afterMs: (parameters.retry_after ?? 1) * 1000, mended: "by itself" };
  }
  if (error_code >= 500) return { kind: "later", why: description, afterMs: 0, mended: "by itself" };
  // No such bot: the message itself is fine.
  if (error_code === 401 || error_code === 404) {
    const why = `${description}: TELEGRAM_BOT_TOKEN is unknown to Telegram`;
    return { kind: "later", why, afterMs: 0, mended: "by the operator" };
  }
  if (error_code === 400 && /can't parse|entit/i.test(description)) return { kind: "unparsed", why: description };
  return { kind: "refused", why: description };
}

/** The code of a broken connection; its message contains the URL, and with it the token. */
function whyBroken(error: unknown): string {
  return `The connection failed (${codeOf(error) ?? "no answer that can be read"})`;
}

/** The library's client only passes on an error's code and message. */
const REFUSED: CallRefused["code"] = "ERR_CALL_REFUSED";

function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error ? String(error.code) : null;
}
