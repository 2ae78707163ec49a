import { turnNumbers } from "./runs.ts";
import type { Compared } from "./sides.ts";

/** The items that a view has: only the newest, if the session is long (E8). */
interface Held {
  session: Compared;
  /** The runs of its items. */
  runs: Iterable<string | null>;
  isCut: boolean;
  /** The oldest turn may be incomplete. */
  isPart: boolean;
}

/**
 * Whether items of a run can be compared, for each of two sessions: items older than those of the other session may
 * exist there, too.
 */
export function comparableRuns(a: Held, b: Held): Record<"a" | "b", (run: string | null) => boolean> {
  const turns = { a: turnNumbers(a.session), b: turnNumbers(b.session) };
  const from = Math.max(oldest(a, turns.a), oldest(b, turns.b));
  const isFrom = (known: ReadonlyMap<string, number>) => (run: string | null) => (known.get(run ?? "") ?? from) >= from;
  return { a: isFrom(turns.a), b: isFrom(turns.b) };
}

/** The oldest complete turn of a session; 0 if it has all. */
function oldest({ runs, isCut, isPart }: Held, turns: ReadonlyMap<string, number>): number {
  if (!isCut) return 0;
  const known = [...runs].flatMap((run) => turns.get(run ?? "") ?? []);
  return known.length === 0 ? 0 : Math.min(...known) + (isPart ? 1 : 0);
}
