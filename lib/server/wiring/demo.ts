import type { Storage } from "../../../db/storage.ts";
import type { Locale } from "../../session/locale.ts";

/**
 * Fills an empty log with sessions to look at: recorded ones, and the worked examples of the protocol as the engine
 * plays them. Their ids are fixed, so nothing is ever doubled.
 */
export async function fillWithDemo({ events, log }: Pick<Storage, "events" | "log">, locale: Locale): Promise<void> {
  if ((await events.head()) > 0) return;
  // Only here: a server with data needs none of it.
  const [{ demoConversations }, { playedExamples, shippedStage }, { createPrompts }] = await Promise.all([
    import("../../../demo/sessions/demo.ts"),
    import("../../../demo/examples/examples.ts"),
    import("../../dialog/prompts.ts"),
  ]);
  const now = new Date();
  const played = await playedExamples(now, locale, await shippedStage(createPrompts({ logger: SILENT, debug: false })));
  // As an import, which leaves absent times absent, and makes no run one of this server's own. What waits in it waits, so that
  // there is something to decide.
  async function* conversations() {
    yield* demoConversations(now, locale);
    yield* played;
  }
  await log.importConversations(conversations(), new AbortController().signal, undefined, "program");
}

/** Nobody asks a model for these: an operator has nothing to know of. */
const SILENT = { debug: () => undefined, info: () => undefined, warn: () => undefined };
