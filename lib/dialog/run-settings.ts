import type { RunMode } from "../engine/engine.ts";
import type { HistorySettings } from "../engine/prompt.ts";
import type { Agent } from "./agent.ts";

/** The run mode of each agent mode (M13). */
export const RUN_MODES = { shadow: "shadow", canary: "canary", full: "execute" } as const satisfies Record<
  Agent["mode"],
  RunMode
>;

/** An agent's history settings (H4), which a run keeps. */
export function historySettings({ history, locale }: Pick<Agent, "history" | "locale">): HistorySettings {
  const { source, max_tokens, max_chars = null, max_messages } = history;
  return { source, max_tokens, max_chars, max_messages, locale };
}
