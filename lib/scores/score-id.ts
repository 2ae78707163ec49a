import { createHash } from "node:crypto";
import type { NewScore } from "./score.ts";

/** The id of a score: the same where the same author scores the same under the same name. */
export function scoreId({ seq, run_id, call_id, name, source, by }: NewScore): string {
  const parts = JSON.stringify([seq, run_id, call_id, name, source, by]);
  return createHash("sha256").update(parts).digest("hex").slice(0, 24);
}
