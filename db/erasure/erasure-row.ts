import { z } from "zod";
import { type Renames, renamesOf } from "../../lib/session/erasure/erasure.ts";
import type { Erasure } from "../erasures.ts";
import { toIso } from "../times.ts";

/** A row of the table of erasures. */
export interface ErasureRow extends Omit<Erasure, "requested_at" | "finished_at"> {
  scope: string | null;
  requested_at: number;
  finished_at: number | null;
}

const scopeSchema = z.object({
  /** Found, and not erased yet. */
  conversations: z.array(z.string()),
  outside: z.array(z.number()),
  /** Erased, by their former names. */
  done: z.array(z.string()),
  outsideDone: z.array(z.number()),
});
/** What an erasure has found and done. */
export type ErasureProgress = z.infer<typeof scopeSchema>;

export function progressOf({ scope }: Pick<ErasureRow, "scope">): ErasureProgress {
  return scope === null
    ? { conversations: [], outside: [], done: [], outsideDone: [] }
    : scopeSchema.parse(JSON.parse(scope));
}

/** The progress with what was found now and is not erased yet; null if there is none. */
export function withFound(
  known: ErasureProgress,
  found: Pick<ErasureProgress, "conversations" | "outside">,
): ErasureProgress | null {
  const conversations = without([...known.conversations, ...found.conversations], known.done);
  const outside = without([...known.outside, ...found.outside], known.outsideDone);
  return conversations.length === 0 && outside.length === 0 ? null : { ...known, conversations, outside };
}

function without<T>(found: readonly T[], gone: readonly T[]): T[] {
  const known = new Set(gone);
  return [...new Set(found)].filter((one) => !known.has(one));
}

/** A Telegram chat is named by its person, like a user. */
export function renamesFor({ id, kind, target }: Pick<ErasureRow, "id" | "kind"> & { target: string }): Renames {
  const names = kind === "user" || target.startsWith("telegram:") ? [target] : [];
  return renamesOf(names, `erased-${id.slice(-12)}`);
}

export function toErasure({ requested_at, finished_at, scope: _, ...row }: ErasureRow): Erasure {
  return { ...row, requested_at: toIso(requested_at), finished_at: finished_at === null ? null : toIso(finished_at) };
}
