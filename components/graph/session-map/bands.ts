import { callKey } from "@/lib/session/keys.ts";
import type { MapCall, MapRun, SessionMap } from "@/lib/session/map/session-map.ts";

/** One or several equal calls in a row on one card, or a frame: a delegate's calls, or an opened row of equal calls. */
export type Entry = CallEntry | FrameEntry;

export interface CallEntry {
  kind: "calls";
  /** The key of its first call. */
  id: string;
  calls: readonly [MapCall, ...MapCall[]];
}

export interface FrameEntry {
  kind: "frame";
  id: string;
  /** The delegate's run; null for an opened row of equal calls. */
  run: MapRun | null;
  name: string;
  /** All calls inside, at any depth. */
  calls: readonly MapCall[];
  entries: readonly Entry[];
}

/** A top-level run with its calls and those of its delegates, in order. */
export interface Band {
  run: MapRun;
  /** From 1, among all top-level runs of the session. */
  number: number;
  entries: readonly Entry[];
  /** All calls, in the order of their first events. */
  calls: readonly MapCall[];
  /** Errors that nothing handled: of calls, or of the run if none of its calls failed. */
  failures: number;
  /** The first and the last step. */
  from: number;
  to: number;
}

/** Fewer equal calls in a row stay separate cards. */
const LEAST_EQUAL = 3;

export function keyOf({ run_id, iteration, instance, id }: MapCall): string {
  return callKey(run_id, iteration, instance, id);
}

/** Whether a call failed, and nothing handled it. */
export function hasFailed({ status, handled }: Pick<MapCall, "status" | "handled">): boolean {
  return status === "failed" && !handled;
}

/** How calls are grouped. */
export interface Grouping {
  /** Only calls that had ended by this step are put on one card, so that what is drawn never changes its place. */
  until: number;
  /** The ids of opened rows of equal calls. */
  opened: ReadonlySet<string>;
}

/**
 * Makes bands of maps, one after another: a band whose run, delegates and calls have not changed keeps its identity.
 */
export function createBandsReader(): (map: SessionMap, grouping: Grouping) => Band[] {
  let known = new Map<string, { parts: readonly unknown[]; band: Band }>();
  return (map, grouping) => {
    const next: typeof known = new Map();
    const roots = rootsOf(map.runs);
    const callsOf = Map.groupBy(map.calls, ({ run_id }) => roots.get(run_id)?.id ?? run_id);
    const below = Map.groupBy(map.runs, ({ id }) => roots.get(id)?.id ?? id);
    let number = map.runs_before;
    const bands = map.runs
      .filter((run) => roots.get(run.id) === run)
      .map((run) => {
        number += 1;
        const calls = callsOf.get(run.id) ?? [];
        const runs = below.get(run.id) ?? [];
        const parts = [number, grouping.until, ...calls, ...runs, ...opened(calls, grouping.opened)];
        const before = known.get(run.id);
        const band = before && isSame(before.parts, parts) ? before.band : makeBand(run, number, runs, calls, grouping);
        next.set(run.id, { parts, band });
        return band;
      });
    known = next;
    return bands;
  };
}

function opened(calls: readonly MapCall[], ids: ReadonlySet<string>): string[] {
  return ids.size === 0 ? [] : calls.map(keyOf).filter((key) => ids.has(key));
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}

/** The top-level run of each run. A run whose parent is not on the map is one; logs of others may contain cycles. */
function rootsOf(runs: readonly MapRun[]): Map<string, MapRun> {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const roots = new Map<string, MapRun>();
  for (const run of runs) {
    const seen = new Set([run]);
    let root = run;
    for (let parent = parentOf(root, byId); parent !== undefined; parent = parentOf(root, byId)) {
      root = seen.has(parent) ? run : parent;
      if (seen.has(parent)) break;
      seen.add(parent);
    }
    roots.set(run.id, root);
  }
  return roots;
}

function parentOf({ parent }: MapRun, byId: ReadonlyMap<string, MapRun>): MapRun | undefined {
  return parent ? byId.get(parent.run_id) : undefined;
}

function makeBand(
  run: MapRun,
  number: number,
  runs: readonly MapRun[],
  calls: readonly MapCall[],
  grouping: Grouping,
): Band {
  const failed = calls.filter(hasFailed).length;
  const seqs = calls.flatMap(({ ended_seq, seq }) => [ended_seq ?? seq]);
  return {
    run,
    number,
    calls,
    entries: entriesOf(run, runs, calls, grouping),
    failures: failed > 0 ? failed : Number(run.status === "failed"),
    from: Math.min(run.words?.seq ?? run.started_seq, run.started_seq),
    to: run.ended_seq ?? Math.max(run.started_seq, ...seqs),
  };
}

/** What a run did in order: its calls, and its delegates' runs as frames. */
function entriesOf(run: MapRun, runs: readonly MapRun[], calls: readonly MapCall[], grouping: Grouping): Entry[] {
  const children = runs.filter((one) => one !== run && one.parent?.run_id === run.id);
  const delegating = new Set(children.map(({ parent }) => parent?.call_id));
  const own = calls.filter(({ run_id }) => run_id === run.id);
  const frames = children.map((child) => {
    const entries = entriesOf(child, runs, calls, grouping);
    const inside = entries.flatMap((entry) => entry.calls);
    const name = child.delegate ?? child.agent_id ?? child.parent?.call_id ?? "";
    const entry: FrameEntry = { kind: "frame", id: child.id, run: child, name, calls: inside, entries };
    return { seq: child.started_seq, entry };
  });
  const cards: { seq: number; entry: Entry }[] = [];
  let row: MapCall[] = [];
  const close = () => {
    for (const entry of rowEntries(row, grouping)) cards.push({ seq: entry.calls[0]?.seq ?? 0, entry });
    row = [];
  };
  const frameSeqs = frames.map(({ seq }) => seq);
  for (const call of own) {
    const before = row.at(-1);
    const isNext =
      before !== undefined &&
      isQuiet(call, grouping) &&
      isQuiet(before, grouping) &&
      before.tool === call.tool &&
      !delegating.has(call.id) &&
      !delegating.has(before.id) &&
      !frameSeqs.some((seq) => seq > before.seq && seq < call.seq);
    if (!isNext) close();
    row.push(call);
  }
  close();
  return [...cards, ...frames].sort((a, b) => a.seq - b.seq).map(({ entry }) => entry);
}

/** Only a call without anything special may share a card. */
function isQuiet({ status, ended_seq }: MapCall, { until }: Grouping): boolean {
  return status === "succeeded" && ended_seq !== null && ended_seq <= until;
}

function rowEntries(row: readonly MapCall[], { opened }: Grouping): Entry[] {
  const [first, ...others] = row;
  if (!first) return [];
  const id = keyOf(first);
  const single = (call: MapCall): CallEntry => ({ kind: "calls", id: keyOf(call), calls: [call] });
  if (row.length < LEAST_EQUAL) return row.map(single);
  if (opened.has(id))
    return [{ kind: "frame", id: `${id} row`, run: null, name: first.tool, calls: row, entries: row.map(single) }];
  return [{ kind: "calls", id, calls: [first, ...others] }];
}
