import type { Locale } from "@/lib/session/locale.ts";

/** How much of what it plans an agent carries out (M13). */
export const MODES = ["shadow", "canary", "full"] as const;
export type Mode = (typeof MODES)[number];

/** An agent as it is written. */
interface Definition {
  description: string;
  instructions: string;
  /** The tools that it may use; null: all there are. */
  tools: string[] | null;
  mode: Mode;
  locale: Locale;
  /** Of users whose conversation names none. */
  timezone?: string;
  /** How what was said before reaches the model, and how much of it. */
  history: { source: "prompt" | "provider"; max_tokens: number; max_chars?: number; max_messages: number };
  /** It answers in conversations that do not name an agent. */
  default: boolean;
  max_iterations?: number;
  /** The stage in which it speaks (D1); null: it answers its conversations by itself. */
  stage: "admin" | "demo" | "demo_setup" | null;
  /** Stands before its answers (D4). */
  prefix: Record<Locale, string>;
}

/** An agent that runs on this server, as the API answers it. */
export interface RunningAgent extends Definition {
  id: string;
  /** The version of the stored definition; 0 for a file. */
  version: number;
  source: "file" | "api";
}

/** What is written of an agent: all but what the server tells of it. */
export function definitionOf({ id: _id, version: _version, source: _source, ...definition }: RunningAgent): Definition {
  return definition;
}
