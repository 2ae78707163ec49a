import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { stat } from "node:fs/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { showProgress } from "./import-progress.ts";
import { KEY_HEADERS } from "./key-headers.ts";

/**
 * Imports files of conversations into the running server: `npm run import -- FILE…`. Each file is one request, streamed
 * from disk; a file that fails leaves nothing behind and does not keep the others back. With `--alerts=open` what waits in
 * them waits here.
 */

const server = process.env.OBELUS_URL || `http://127.0.0.1:${process.env.PORT || "3000"}`;
const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: { alerts: { type: "string" } },
});

const answer = z.object({
  conversations: z.array(z.object({ conversation_id: z.string(), created: z.boolean(), events: z.int() })),
});
const problem = z.object({ detail: z.string() });

/** Something the person at the terminal can put right. */
class Refusal extends Error {}

if (files.length === 0) {
  console.error("Name the files to import: npm run import -- FILE…");
  process.exitCode = 1;
}
for (const file of files) {
  try {
    console.log(`${file}: ${await importFile(file)}`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(`${file}: ${error.message}`);
    process.exitCode = 1;
  }
}

async function importFile(file: string): Promise<string> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(error.code === "ENOENT" ? "there is no such file" : error.message);
  });
  if (!found.isFile()) throw new Refusal("this is not a file; name the files in it");
  const body = await openAsBlob(file);
  const id = randomUUID();
  const end = showProgress(process.stderr, { address: new URL(`/api/import/${id}`, server), file, size: found.size });
  const address = new URL(`/api/import?id=${id}`, server);
  if (values.alerts !== undefined) address.searchParams.set("alerts", values.alerts);
  const response = await send(address, body).finally(end);
  if (!response.ok) throw new Refusal(await reason(response));
  const { conversations } = answer.parse(await response.json());
  const created = conversations.filter((conversation) => conversation.created);
  const events = created.reduce((sum, conversation) => sum + conversation.events, 0);
  return `${created.length} created with ${events} events, ${conversations.length - created.length} already there`;
}

async function send(address: URL, body: Blob): Promise<Response> {
  try {
    return await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/octet-stream", ...KEY_HEADERS },
      body,
    });
  } catch (error) {
    const { code, message } = causeOf(error);
    if (code === "ECONNREFUSED") {
      throw new Refusal(`no server responds at ${server}; start it with npm start, or set OBELUS_URL`);
    }
    throw new Refusal(`the connection to ${server} was lost (${code ?? message}); nothing was imported, retry`);
  }
}

/** fetch hides what went wrong one level down. */
function causeOf(error: unknown): { code?: string; message: string } {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return { message: String(cause) };
  return { message: cause.message, ...("code" in cause && { code: String(cause.code) }) };
}

/** What the server says; an answer that is not ours still has its status. */
async function reason(response: Response): Promise<string> {
  const said = problem.safeParse(await response.json().catch(() => null));
  return said.success ? said.data.detail : `the server answered ${response.status} ${response.statusText}`;
}
