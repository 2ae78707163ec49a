import type { Json } from "../session/json/json.ts";
import type { Locale } from "../session/locale.ts";

/** Who may have said a message. */
export type Role = "user" | "assistant" | "system" | "tool" | "operator";

/** A message of a conversation, as the history of a prompt takes it. */
export interface HistoryMessage {
  /** Null where the sender gave none. */
  id: string | null;
  role: Role;
  content: string;
  /** Of a tool's message the tool, of another who wrote it; null where it is not known. */
  name: string | null;
  /** When it was said, ISO 8601; null where it is not known. */
  at: string | null;
  /** It stays longest when the history is cut (H4). */
  important: boolean;
  /** Of a system message: it matters to the dialog, so that it is shown (H3). */
  relevant: boolean;
  /** Of a tool's message: the call whose result it is; null where it is not known. */
  call_id: string | null;
}

/** How much of the history there may be (H4); null for no limit of that kind. Characters are code points. */
export interface HistoryLimits {
  max_tokens: number | null;
  max_chars: number | null;
  max_messages: number | null;
}

/** What a prompt is filled with (H1). What is undefined or null is missing. */
export interface PromptContext {
  user_id: string | null;
  household_id: string | null;
  /** IANA name of the user's zone; null for the system's. */
  timezone: string | null;
  /** Epoch ms. */
  now: number;
  locale: Locale;
  /** The state of the run, for `{{state}}` and `{{state.path}}`. */
  state?: Json | undefined;
  /** The user's document, for `{{memory}}` and `{{memory.path}}`. */
  memory?: Json | undefined;
  /** The memory summary (M12). */
  state_summary?: string | undefined;
  /** What the agent plays, for `{{configuration}}` and `{{configuration.path}}` (D4). */
  configuration?: Json | undefined;
  /** What the memory's self-check found (M10). */
  warnings?: readonly string[] | undefined;
  tools?: readonly { name: string; description: string }[] | undefined;
  /** Calls whose results the state has: their messages stay longest (H4). */
  state_calls?: readonly string[] | undefined;
}

/** Where a part of a prompt comes from. `default`: its own default; `missing`: nothing; `unknown`: it stays as it is. */
export type Origin =
  | "history"
  | "user"
  | "household"
  | "time"
  | "timezone"
  | "state"
  | "summary"
  | "memory"
  | "configuration"
  | "warnings"
  | "tools"
  | "default"
  | "missing"
  | "unknown";

/** A part of a prompt that stands for a placeholder. Places are UTF-16 offsets, the end is exclusive. */
export interface PromptPart {
  start: number;
  end: number;
  /** As it was named: `state.order.id`. */
  placeholder: string;
  origin: Origin;
  /** Of the history: which messages stand where. */
  messages?: { id: string | null; start: number; end: number }[];
}

/** A size, in three measures (H6). */
export interface Size {
  messages: number;
  /** Code points. */
  characters: number;
  tokens: number;
}

/** What became of the history (H4). */
export interface HistoryReport {
  /** Messages given. */
  total: number;
  /** Messages in the prompt. */
  shown: number;
  original_tokens: number;
  final_tokens: number;
  /** Messages were left out or shortened to fit. */
  truncated: boolean;
  /** What would have been shown without limits, and what is. */
  before: Size;
  after: Size;
  /** Ids of the messages that were left out, and of those that were shortened, for want of room; unknown ids are not told. */
  left_out: string[];
  shortened: string[];
}

/** What is lacking, or cannot be understood, in a prompt (H6). `detail` is a sentence for a person. */
export interface PromptWarning {
  code: "missing" | "unknown_placeholder" | "unknown_timezone";
  /** As it is named in the template. */
  placeholder: string;
  detail: string;
}

/** A prompt as a model gets to read it. */
export interface RenderedPrompt {
  prompt: string;
  /** Placeholders that were replaced with data, each once, in order. */
  replaced: string[];
  /** Placeholders without data, and unknown ones, each once, in order. */
  missing: string[];
  warnings: PromptWarning[];
  history: HistoryReport;
  /** Of the whole prompt. */
  tokens: number;
  /** In order; they do not overlap. */
  parts: PromptPart[];
}
