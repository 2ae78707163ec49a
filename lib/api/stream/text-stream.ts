import { setImmediate as turn } from "node:timers/promises";

/** Lines are joined to chunks of about this many characters: a chunk per line would cost more than its bytes. */
const CHUNK_LENGTH = 64 * 1024;

/** The bytes of lazily created text. */
export function textStream(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      // Yields to the event loop for clients that read without a pause.
      await turn();
      let chunk = "";
      let ended = false;
      while (chunk.length < CHUNK_LENGTH && !ended) {
        const next = await parts.next();
        if (next.done) ended = true;
        else chunk += next.value;
      }
      if (chunk !== "") controller.enqueue(encoder.encode(chunk));
      if (ended) controller.close();
    },
    async cancel() {
      await parts.return(undefined);
    },
  });
}
