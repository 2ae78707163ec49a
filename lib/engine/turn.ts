import type { HistoryMessage } from "../prompt/prompt.ts";
import type { Locale } from "../session/locale.ts";

/** What a turn takes of the dialog that it is part of (M11). */
export interface Dialog {
  /**
   * The newest messages of a conversation before this one and the answers that came since, oldest first, this one last.
   * Messages whose turns are still to come are left out, and so is what this run itself has said: it tells its model of
   * that with its calls.
   */
  before(conversationId: string, messageId: string, runId: string): Promise<HistoryMessage[]>;
  /** What an agent tells its user without a model, in the turn's language. */
  speech: Speech;
}

export interface Speech {
  /** The turn waits for a person to decide on these. */
  waiting(descriptions: readonly string[], locale: Locale): string;
  /** The agent runs in shadow: these were planned, and nothing was carried out. */
  planned(descriptions: readonly string[], locale: Locale): string;
  /** The turn failed for this reason. */
  failed(reason: string, locale: Locale): string;
  /** A person stopped the turn. */
  cancelled(locale: Locale): string;
}
