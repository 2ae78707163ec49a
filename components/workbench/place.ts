import { LOCALES, type Locale } from "@/lib/session/locale.ts";

/** Limits of the history; names as in the API. */
export const LIMITS = ["max_tokens", "max_chars", "max_messages"] as const;
export type Limit = (typeof LIMITS)[number];

/** The inputs of a rendering, by the names of their search parameters; null for the server's default. */
export interface Place extends Record<Limit, number | null> {
  /** The conversation with messages and memory; null for none. */
  conversation: string | null;
  /** Its step; null for the newest. */
  at: number | null;
  /** The agent whose instructions the template is based on. */
  agent: string | null;
  locale: Locale | null;
  /** IANA name, as typed. */
  timezone: string | null;
  /** The current time, ISO 8601 in UTC; null for the clock's. */
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

/** Reads the inputs from search parameters; invalid ones are ignored. */
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

/** The query string, with its question mark; empty for the defaults. */
export function printPlace(place: Place): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(place)) if (value !== null) params.set(name, String(value));
  const text = params.toString();
  return text ? `?${text}` : "";
}

/** A typed whole number; null when invalid or too long. */
export function parseCount(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function parseTime(text: string | null): string | null {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? null : new Date(time).toISOString();
}
