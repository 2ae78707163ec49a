import { Problem } from "./problem.ts";

/** Of bodies that are not whole, and of files that are not read to their end, the process holds so many bytes in all. */
const MOST_HELD = 512 * 1024 * 1024;
/** So much of each is not counted: small requests come through, whatever others hold. */
const FREE = 256 * 1024;
const RETRY_AFTER_S = 5;

/** What one request holds of the bytes that all may hold together. */
export interface HeldBytes {
  /** Holds so many more, or fewer. Throws a `Problem` (503) where all hold too many already. */
  add(bytes: number): void;
  /** Lets go of all, once. */
  free(): void;
}

/** Makes the room in which bodies are held. */
export function createHeldBytes(most = MOST_HELD): () => HeldBytes {
  let all = 0;
  return () => {
    let own = 0;
    const counted = () => Math.max(0, own - FREE);
    return {
      add(bytes) {
        all -= counted();
        own += bytes;
        all += counted();
        if (bytes > 0 && counted() > 0 && all > most)
          throw new Problem("unavailable", "Too many request bodies are in transit; retry in a few seconds.", {
            headers: { "retry-after": String(RETRY_AFTER_S) },
          });
      },
      free() {
        all -= counted();
        own = 0;
      },
    };
  };
}

/** The room of this process. */
export const holdBytes = createHeldBytes();
