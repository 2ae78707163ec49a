import type { Storage } from "../../db/storage.ts";

/** Fills an empty log with recorded sessions to look at. Their ids are fixed, so nothing is ever doubled. */
export async function fillWithDemo({ events, log }: Pick<Storage, "events" | "log">): Promise<void> {
  if ((await events.head()) > 0) return;
  // Only here: a server with data needs none of it.
  const { demoConversations } = await import("../intake/demo/demo.ts");
  // As an import, which leaves absent times absent.
  async function* recorded() {
    yield* demoConversations(new Date());
  }
  await log.importConversations(recorded(), new AbortController().signal);
}
