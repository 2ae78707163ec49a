import type { Call } from "@/lib/session/session.ts";
import type { Entry } from "./sections.ts";

/** Up to this many consecutive call entries are all shown; 5,000 calls would be 35,000 elements. */
const SHOWN_WHOLE = 4;

/** Hidden calls, until the reader expands them. */
export interface HiddenCalls {
  kind: "hidden";
  /** Stable while the stretch grows. */
  id: string;
  side: "earlier" | "later";
  count: number;
}

/**
 * The shown entries of a section: all but the ends of very long stretches of calls, of which the newest or those around
 * the current call are shown; `asked` has the expanded ends.
 */
export function shownEntries(
  entries: readonly Entry[],
  resolved: Call | null,
  asked: ReadonlySet<string>,
): (Entry | HiddenCalls)[] {
  const shown: (Entry | HiddenCalls)[] = [];
  let from = 0;
  while (from < entries.length) {
    let to = from;
    while (entries[to]?.kind === "calls") to += 1;
    if (to - from > SHOWN_WHOLE) shown.push(...shownStretch(entries.slice(from, to), resolved, asked));
    else shown.push(...entries.slice(from, Math.max(to, from + 1)));
    from = Math.max(to, from + 1);
  }
  return shown;
}

function shownStretch(
  stretch: readonly Entry[],
  resolved: Call | null,
  asked: ReadonlySet<string>,
): (Entry | HiddenCalls)[] {
  const found = resolved === null ? -1 : stretch.findIndex((entry) => callsOf(entry).includes(resolved));
  const at = found < 0 ? stretch.length - 1 : found;
  const [first, last] = [Math.max(0, at - 1), Math.min(stretch.length, at + 2)];
  const end = (side: HiddenCalls["side"], hidden: readonly Entry[]): (Entry | HiddenCalls)[] => {
    const id = `${side} ${stretch[0]?.seq}`;
    if (hidden.length === 0 || asked.has(id)) return [...hidden];
    return [{ kind: "hidden", id, side, count: hidden.flatMap(callsOf).length }];
  };
  return [
    ...end("earlier", stretch.slice(0, first)),
    ...stretch.slice(first, last),
    ...end("later", stretch.slice(last)),
  ];
}

function callsOf(entry: Entry): Call[] {
  return entry.kind === "calls" ? entry.rows.map(({ call }) => call) : [];
}
