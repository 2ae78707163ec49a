import type { RunMode } from "../engine/engine.ts";
import type { HistorySettings } from "../engine/prompt.ts";
import type { Agent } from "./agent.ts";

/** What an agent may do, as the engine runs it (M13). */
export const RUN_MODES = { shadow: "shadow", canary: "canary", full: "execute" } as const satisfies Record<
  Agent["mode"],
  RunMode
>;

/** How an agent's definition has what was said before reach the model (H4), for the run to keep. */
export function historySettings({ history, locale }: Pick<Agent, "history" | "locale">): HistorySettings {
  const { source, max_tokens, max_chars = null, max_messages } = history;
  return { source, max_tokens, max_chars, max_messages, locale };
}
