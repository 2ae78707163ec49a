import { parseArgs } from "node:util";
import { z } from "zod";
import { callServer, Refusal } from "./call-server.ts";

/**
 * `npm run erase -- --user NAME` or `--conversation ID`: requests an erasure from the running server and waits for its
 * end.
 */

const LOOK_AGAIN_MS = 500;
const USAGE = "name what to erase: npm run erase -- --user NAME, or --conversation ID";

const erasure = z.object({
  id: z.string(),
  phase: z.string(),
  receipt: z.string(),
  conversations: z.int(),
  events: z.int(),
});

try {
  await erase(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function erase(args: string[]): Promise<void> {
  const { user, conversation, reason } = readOptions(args);
  if ((user === undefined) === (conversation === undefined)) throw new Refusal(USAGE);
  const asked = user === undefined ? { kind: "conversation", id: conversation } : { kind: "user", id: user };
  let state = await read("/api/erasures", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ...asked, ...(reason && { reason }) }),
  });
  console.log(`Erasing (${state.id}); it continues in the background.`);
  while (state.phase !== "finished") {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    state = await read(`/api/erasures/${state.id}`);
  }
  console.log(`Erased ${state.events} events of ${state.conversations} conversations. Receipt: ${state.receipt}`);
}

function readOptions(args: string[]) {
  try {
    const text = { type: "string" } as const;
    return parseArgs({ args, options: { user: text, conversation: text, reason: text } }).values;
  } catch {
    throw new Refusal(USAGE);
  }
}

async function read(path: string, init: Parameters<typeof callServer>[1] = {}): Promise<z.infer<typeof erasure>> {
  return erasure.parse(await (await callServer(path, init)).json());
}
