import type { Json } from "../session/json/json.ts";
import type { Locale } from "../session/locale.ts";

/** The author of a message. */
export type Role = "user" | "assistant" | "system" | "tool" | "operator";

/** A message for a prompt's history. */
export interface HistoryMessage {
  /** Null if the sender gave none. */
  id: string | null;
  role: Role;
  content: string;
  /** A tool's or author's name; null if unknown. */
  name: string | null;
  /** When it was written, ISO 8601; null if unknown. */
  at: string | null;
  /** Kept longest when the history is cut (H4). */
  important: boolean;
  /** Of a system message: it is shown (H3). */
  relevant: boolean;
  /** Of a tool's message: its call; null if unknown. */
  call_id: string | null;
}

/** The limits of a history (H4); null for none. Characters are code points. */
export interface HistoryLimits {
  max_tokens: number | null;
  max_chars: number | null;
  max_messages: number | null;
}

/** The values of a prompt (H1). Undefined and null are missing. */
export interface PromptContext {
  user_id: string | null;
  household_id: string | null;
  /** The user's IANA zone; null for the system's. */
  timezone: string | null;
  /** Epoch ms. */
  now: number;
  locale: Locale;
  /** The run's state, for `{{state}}` and `{{state.path}}`. */
  state?: Json | undefined;
  /** The user's memory, for `{{memory}}` and `{{memory.path}}`. */
  memory?: Json | undefined;
  /** The memory summary (M12). */
  state_summary?: string | undefined;
  /** The demonstration's configuration, for `{{configuration}}` and `{{configuration.path}}` (D4). */
  configuration?: Json | undefined;
  /** The results of the memory's self-check (M10). */
  warnings?: readonly string[] | undefined;
  tools?: readonly { name: string; description: string }[] | undefined;
  /** Calls whose results are in the state: their messages are kept longest (H4). */
  state_calls?: readonly string[] | undefined;
}

/** The origins of parts of a prompt. `default`: the placeholder's default; `missing`: empty; `unknown`: unchanged. */
export const ORIGINS = [
  "history",
  "user",
  "household",
  "time",
  "timezone",
  "state",
  "summary",
  "memory",
  "configuration",
  "warnings",
  "tools",
  "default",
  "missing",
  "unknown",
] as const;
export type Origin = (typeof ORIGINS)[number];

/** A part of a prompt that replaced a placeholder. Positions are UTF-16 offsets, the end is exclusive. */
export interface PromptPart {
  start: number;
  end: number;
  /** As written: `state.order.id`. */
  placeholder: string;
  origin: Origin;
  /** Of the history: the positions of its messages. */
  messages?: { id: string | null; start: number; end: number }[];
}

/** A size, in three units (H6). */
export interface Size {
  messages: number;
  /** Code points. */
  characters: number;
  tokens: number;
}

/** What was included of the history (H4). */
export interface HistoryReport {
  /** The number of messages given. */
  total: number;
  /** The number of messages in the prompt. */
  shown: number;
  original_tokens: number;
  final_tokens: number;
  /** Messages were left out or shortened to fit. */
  truncated: boolean;
  /** The size without limits, and the actual one. */
  before: Size;
  after: Size;
  /** Ids of messages that were left out or shortened; without unknown ids. */
  left_out: string[];
  shortened: string[];
}

/** A problem of a prompt (H6). `detail` is a sentence. */
export interface PromptWarning {
  code: "missing" | "unknown_placeholder" | "unknown_timezone";
  /** As written in the template. */
  placeholder: string;
  detail: string;
}

/** A prompt as sent to a model. */
export interface RenderedPrompt {
  prompt: string;
  /** Placeholders with values, each once, in order. */
  replaced: string[];
  /** Placeholders without values, and unknown ones, each once, in order. */
  missing: string[];
  warnings: PromptWarning[];
  history: HistoryReport;
  /** The size of the whole prompt. */
  tokens: number;
  /** In order, without overlaps. */
  parts: PromptPart[];
}
