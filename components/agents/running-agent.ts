import type { Locale } from "@/lib/session/locale.ts";

/** The mode of an agent (M13). */
export const MODES = ["shadow", "canary", "full"] as const;
export type Mode = (typeof MODES)[number];

/** An agent's definition. */
interface Definition {
  description: string;
  instructions: string;
  /** The tools that it may use; null for all. */
  tools: string[] | null;
  mode: Mode;
  locale: Locale;
  /** For users of conversations without a language. */
  timezone?: string;
  /** How the message history is sent to the model, and its limit. */
  history: { source: "prompt" | "provider"; max_tokens: number; max_chars?: number; max_messages: number };
  /** Answers conversations that name no agent. */
  default: boolean;
  max_iterations?: number;
  /** The stage in which it speaks (D1); null for an agent outside the main graph. */
  stage: "admin" | "demo" | "demo_setup" | null;
  /** A prefix of its answers (D4). */
  prefix: Record<Locale, string>;
}

/** An agent of this server, as in the API. */
export interface RunningAgent extends Definition {
  id: string;
  /** The version of the stored definition; 0 for a file. */
  version: number;
  source: "file" | "api";
}

/** The part of an agent that is written: all but what the server adds. */
export function definitionOf({ id: _id, version: _version, source: _source, ...definition }: RunningAgent): Definition {
  return definition;
}
