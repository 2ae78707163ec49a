import type { OutgoingNotice } from "./message.ts";

/** A notification channel. */
export interface Channel {
  /** Identifies it in storage. */
  name: "telegram" | "webhook" | "mail";
  /** Another component sends alerts there, the first time and outside of quiet hours. */
  tellsAlerts: boolean;
  /** Sends a message once: null if accepted, else why not. Never throws. */
  send(outgoing: OutgoingNotice): Promise<string | null>;
}

/** The message of an error's root cause, without the request. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const code = "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
  return error.message === "" ? `the connection failed${code}` : error.message;
}
