import type { OutgoingNotice } from "./message.ts";

/** A way to people. */
export interface Channel {
  /** Under this name it is known what was sent. */
  name: "telegram" | "webhook" | "mail";
  /** Alerts are told there by somebody else, the first time and outside of quiet hours. */
  tellsAlerts: boolean;
  /** Sends a message, once: null when it was taken, else why not. It never throws. */
  send(told: OutgoingNotice): Promise<string | null>;
}

/** The words for what was thrown: the bottom of it, without what was asked. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const code = "code" in error && typeof error.code === "string" ? ` (${error.code})` : "";
  return error.message === "" ? `the connection failed${code}` : error.message;
}
