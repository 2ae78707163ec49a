import type { Storage } from "../../../db/storage.ts";
import type { Locale } from "../../session/locale.ts";

/**
 * Fills an empty log with demo sessions: recorded ones, and the examples of the plan language as run by the engine.
 * Their ids are fixed, so that there are no duplicates.
 */
export async function seedDemo({ events, log }: Pick<Storage, "events" | "log">, locale: Locale): Promise<void> {
  if ((await events.head()) > 0) return;
  // Imported lazily: servers with data do not need it.
  const [{ demoConversations }, { playedExamples, shippedStage }, { createPrompts }] = await Promise.all([
    import("../../../demo/sessions/demo.ts"),
    import("../../../demo/examples/examples.ts"),
    import("../../dialog/prompts/prompts.ts"),
  ]);
  const now = new Date();
  const played = await playedExamples(now, locale, await shippedStage(createPrompts({ logger: SILENT, debug: false })));
  // Imported, so that absent times stay absent and runs are not this server's own. Their confirmations are pending, so
  // that there is something to decide.
  async function* conversations() {
    yield* demoConversations(now, locale);
    yield* played;
  }
  await log.importConversations(conversations(), new AbortController().signal, undefined, "program");
}

/** No model is called, so there is nothing to log. */
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined };
