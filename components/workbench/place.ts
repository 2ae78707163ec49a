import { LOCALES, type Locale } from "@/lib/session/locale.ts";

/** How much of the history there may be; the names are the API's. */
export const LIMITS = ["max_tokens", "max_chars", "max_messages"] as const;
export type Limit = (typeof LIMITS)[number];

/** What a template is tried with. All of it stands in the address, under these names; null is as the server has it. */
export interface Place extends Record<Limit, number | null> {
  /** The conversation whose messages and memory fill the prompt; null: none has been. */
  conversation: string | null;
  /** A step of it; null: the newest. */
  at: number | null;
  /** The agent whose instructions the template begins from. */
  agent: string | null;
  locale: Locale | null;
  /** IANA name, as it was written. */
  timezone: string | null;
  /** What is taken for now, ISO 8601 in UTC; null: the clock's. */
  now: string | null;
}

export const NOWHERE: Place = {
  conversation: null,
  at: null,
  agent: null,
  locale: null,
  timezone: null,
  now: null,
  max_tokens: null,
  max_chars: null,
  max_messages: null,
};

/** Reads a place from an address; what it cannot mean is left out. */
export function parsePlace(params: URLSearchParams): Place {
  const conversation = params.get("conversation") || null;
  return {
    conversation,
    at: conversation === null ? null : parseCount(params.get("at") ?? ""),
    agent: params.get("agent") || null,
    locale: LOCALES.find((locale) => locale === params.get("locale")) ?? null,
    timezone: params.get("timezone") || null,
    now: parseTime(params.get("now")),
    max_tokens: parseCount(params.get("max_tokens") ?? ""),
    max_chars: parseCount(params.get("max_chars") ?? ""),
    max_messages: parseCount(params.get("max_messages") ?? ""),
  };
}

/** The query part of the address of a place, with its question mark; empty for the page itself. */
export function printPlace(place: Place): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(place)) if (value !== null) params.set(name, String(value));
  const text = params.toString();
  return text ? `?${text}` : "";
}

/** A whole number as it is typed; null for what is none, and for more digits than any limit needs. */
export function parseCount(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function parseTime(text: string | null): string | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
