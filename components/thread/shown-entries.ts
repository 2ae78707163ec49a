import type { Call } from "@/lib/session/session.ts";
import type { Entry } from "./sections.ts";

/** Up to so many entries of calls in a row are all shown; 5,000 calls would be 35,000 elements of the page. */
const SHOWN_WHOLE = 4;

/** Calls that are left out until the reader asks for them. */
export interface HiddenCalls {
  kind: "hidden";
  /** The same for as long as the stretch goes on. */
  id: string;
  side: "earlier" | "later";
  count: number;
}

/**
 * What of a section is shown: everything but the far ends of very long stretches of calls. Of those the newest are
 * shown, or the ones around the call that is looked at; `asked` names the ends that the reader wants all the same.
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
