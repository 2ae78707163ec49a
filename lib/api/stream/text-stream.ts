import { setImmediate as turn } from "node:timers/promises";

/** Lines are gathered to chunks of about this many characters: a chunk a line would cost more than its bytes. */
const CHUNK_LENGTH = 64 * 1024;

/** Bytes of a text that is made as it is read: nothing is made before the reader wants it. */
export function textStream(parts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      // A reader that takes all at once lets everybody else in between.
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
