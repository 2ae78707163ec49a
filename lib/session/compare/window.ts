import { turnNumbers } from "./runs.ts";
import type { Compared } from "./sides.ts";

/** What a session has of something: the newest alone, where it is long (E8). */
interface Held {
  session: Compared;
  /** The runs of what it has. */
  runs: Iterable<string | null>;
  isCut: boolean;
  /** Of the oldest turn only a part may be there. */
  isPart: boolean;
}

/**
 * Tells for each of two sessions whether what a run of it has can be compared: what is older than the other session has
 * may stand there as well, so that nothing can be said of it.
 */
export function comparableRuns(a: Held, b: Held): Record<"a" | "b", (run: string | null) => boolean> {
  const turns = { a: turnNumbers(a.session), b: turnNumbers(b.session) };
  const from = Math.max(oldest(a, turns.a), oldest(b, turns.b));
  const isFrom = (known: ReadonlyMap<string, number>) => (run: string | null) => (known.get(run ?? "") ?? from) >= from;
  return { a: isFrom(turns.a), b: isFrom(turns.b) };
}

/** The oldest turn that a session has whole; 0 where it has all of them. */
function oldest({ runs, isCut, isPart }: Held, turns: ReadonlyMap<string, number>): number {
  if (!isCut) return 0;
  const known = [...runs].flatMap((run) => turns.get(run ?? "") ?? []);
  return known.length === 0 ? 0 : Math.min(...known) + (isPart ? 1 : 0);
}
