import { Problem } from "../problem.ts";

/** The process-wide limit of bytes in incomplete bodies and files that are being read. */
const MOST_HELD = 512 * 1024 * 1024;
/** This part of each is not counted: small requests always fit. */
const FREE = 256 * 1024;
const RETRY_AFTER_S = 5;

/** The share of one request in the limit. */
export interface HeldBytes {
  /** Adds bytes, or releases them if negative. Throws a `Problem` (503) if the limit is exceeded. */
  add(bytes: number): void;
  /** Releases all, once. */
  free(): void;
}

/** Creates a limit for all requests together. */
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

/** The limit of this process. */
export const holdBytes = createHeldBytes();
