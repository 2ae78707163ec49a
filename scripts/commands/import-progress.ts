import { z } from "zod";
import { KEY_HEADERS } from "./key-headers.ts";

/** The polling interval. */
const ASK_MS = 400;

const state = z.object({
  phase: z.enum(["reading", "waiting", "storing"]),
  bytes: z.int(),
  conversations: z.int(),
  events: z.int(),
  stored: z.int(),
});

export type ImportState = z.infer<typeof state>;

const CLEAR_LINE = "\r\u001b[K";

/**
 * Shows the progress of an import in a line of the terminal; nothing without a terminal. Returns the function that ends
 * it.
 */
export function showProgress(
  terminal: NodeJS.WriteStream,
  about: { address: URL; file: string; size: number },
): () => void {
  if (!terminal.isTTY) return () => undefined;
  let ended = false;
  const asking = setInterval(async () => {
    // It has not started on the server yet, or has ended: the response is on its way.
    const read = state.safeParse(await ask(about.address));
    if (ended || !read.success) return;
    const line = progressLine(about.file, about.size, read.data);
    terminal.write(`${CLEAR_LINE}${line.slice(0, terminal.columns - 1)}`);
  }, ASK_MS);
  return () => {
    ended = true;
    clearInterval(asking);
    terminal.write(CLEAR_LINE);
  };
}

async function ask(address: URL): Promise<unknown> {
  try {
    return await (await fetch(address, { headers: KEY_HEADERS })).json();
  } catch {
    // The import itself reports errors.
    return null;
  }
}

/** The line about an import with this many bytes. */
export function progressLine(file: string, size: number, state: ImportState): string {
  const found = `${state.conversations.toLocaleString("en")} conversations`;
  switch (state.phase) {
    case "reading":
      return `${file}: ${megabytes(state.bytes)} of ${megabytes(size)} MB read, ${found}`;
    case "waiting":
      return `${file}: ${found} read, waiting for another import`;
    case "storing":
      return `${file}: ${state.stored.toLocaleString("en")} of ${state.events.toLocaleString("en")} events stored, ${found}`;
    default:
      return state.phase satisfies never;
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
