import { z } from "zod";
import { callServer, Refusal } from "./call-server.ts";

const LOOK_AGAIN_MS = 500;
const erasure = z.object({
  id: z.string(),
  phase: z.string(),
  receipt: z.string(),
  conversations: z.int(),
  events: z.int(),
});

/** Requests an erasure from the running server, of a user or of a conversation, and waits for its end. */
export async function erase({
  user,
  conversation,
  reason,
}: {
  user?: string;
  conversation?: string;
  reason?: string;
}): Promise<void> {
  if ((user === undefined) === (conversation === undefined))
    throw new Refusal("name what to erase: --user NAME, or --conversation ID");
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

async function read(path: string, init: Parameters<typeof callServer>[1] = {}): Promise<z.infer<typeof erasure>> {
  return erasure.parse(await (await callServer(path, init)).json());
}
