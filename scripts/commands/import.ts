import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { z } from "zod";
import { ownCommands } from "../../lib/server/own-commands.ts";
import { callServer, Refusal, SERVER } from "./call-server.ts";
import { showProgress } from "./import-progress.ts";

const answer = z.object({
  conversations: z.array(z.object({ conversation_id: z.string(), created: z.boolean(), events: z.int() })),
});

/**
 * Imports files of conversations into the running server. Each file is one request, streamed from disk; a file that fails is
 * not imported and does not affect the others. With `alerts: "open"` imported confirmations and alerts are pending.
 */
export async function importFiles(files: readonly string[], { alerts }: { alerts?: string }): Promise<void> {
  for (const file of files) {
    try {
      console.log(`${file}: ${await importFile(file, alerts)}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      console.error(ownCommands(`${file}: ${error.message}`));
      process.exitCode = 1;
    }
  }
}

async function importFile(file: string, alerts: string | undefined): Promise<string> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(error.code === "ENOENT" ? "there is no such file" : error.message);
  });
  if (!found.isFile()) throw new Refusal("this is not a file; name the files in it");
  const body = await openAsBlob(file);
  const id = randomUUID();
  const end = showProgress(process.stderr, { address: new URL(`/api/import/${id}`, SERVER), file, size: found.size });
  const query = new URLSearchParams({ id, ...(alerts !== undefined && { alerts }) });
  const response = await callServer(`/api/import?${query}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body,
    ifLost: "nothing was imported, retry",
  }).finally(end);
  const { conversations } = answer.parse(await response.json());
  const created = conversations.filter((conversation) => conversation.created);
  const events = created.reduce((sum, conversation) => sum + conversation.events, 0);
  return `${created.length} created with ${events} events, ${conversations.length - created.length} already there`;
}
