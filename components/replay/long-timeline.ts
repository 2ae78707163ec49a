import { ApiProblem } from "@/components/client/api.ts";
import type { SessionEvent } from "@/lib/session/event.ts";
import { stepOf } from "@/lib/session/events/event-index-columns.ts";
import { LanesBuilder } from "@/lib/session/timeline/lanes/lanes.ts";
import { BUCKET_STEPS, CHUNK_STEPS } from "@/lib/session/timeline/levels.ts";
import type { LongTimeline, RowsPart } from "@/lib/session/timeline/long-timeline.ts";
import { type RowChange, RowMaker, withChanges } from "@/lib/session/timeline/rows.ts";
import { decodeTimeline, type TimelineRow } from "@/lib/session/timeline/timeline.ts";
import { rowsOfEnd } from "./first-timeline.ts";
import type { SessionSource } from "./load-session.ts";

/** With this many visible steps or fewer, rows are loaded; with more, buckets. */
const ROWS_IN_SIGHT = 6 * CHUNK_STEPS;
/** The most rows that are kept, and that live events add before everything is reloaded. */
const MOST_ROWS = 16 * CHUNK_STEPS;
const MOST_LIVE = 6 * CHUNK_STEPS;
/** Rows are loaded this many steps before the current step leaves the loaded ones. */
const AHEAD = 64;

/** The server's response: see `NotMade`. */
const ASK_AGAIN_MS = 1_000;

interface Range {
  from: number;
  to: number;
}

/** Events of the timeline. */
interface Listener {
  /** The loaded data changed. */
  onChange(long: LongTimeline): void;
  onFailure(error: unknown): void;
  /** The server's progress in computing it, 0 to 1. */
  onMaking(share: number): void;
  /** The step of a loaded event; null elsewhere. */
  seqOf(eventId: string): number | null;
}

/** The timeline of a session too long for all its rows: loads what is visible, and drops what is not. */
export class LongTimelineLoader {
  readonly #source: SessionSource;
  readonly #listener: Listener;
  readonly #life = new AbortController();
  #long: LongTimeline | null = null;
  #maker: RowMaker | null = null;
  /** What each reason is loading. */
  readonly #loading = new Map<"sight" | "head", { range: Range; abort: AbortController }>();

  constructor(source: SessionSource, listener: Listener) {
    this.#source = source;
    this.#listener = listener;
  }

  /** Loads the buckets of the whole session, and the rows at its end. */
  async load(last: number): Promise<void> {
    const { after, coarse, columns } = await this.#whenMade(last);
    if (!columns.before) throw new Error("Rows of a part came without what goes on where they begin");
    const rows = decodeTimeline(columns);
    this.#maker = RowMaker.after(columns, rows, (id) => this.#listener.seqOf(id));
    const kept = this.#long?.parts.filter((part) => part.after + part.rows.length <= after) ?? [];
    const parts = [...kept, { after, rows, before: columns.before }];
    this.#publish({ last: after + rows.length, parts, coarse, detail: null, errors: this.#maker.errors });
  }

  /** Polls until the server has computed it. */
  async #whenMade(last: number) {
    const { signal } = this.#life;
    const { after, limit } = rowsOfEnd(last);
    for (;;) {
      const [coarse, columns] = await Promise.all([
        this.#source.buckets({}, signal),
        this.#source.rows(after, limit, signal).catch(orNotMade),
      ]);
      if (columns && coarse.to >= after) return { after, coarse, columns };
      this.#listener.onMaking(coarse.to / coarse.last);
      await pause(signal);
    }
  }

  /** Adds live events; false after a gap. */
  append(events: readonly SessionEvent[]): boolean {
    const [long, maker, tail] = [this.#long, this.#maker, this.#long?.parts.at(-1)];
    if (!long || !maker || !tail) return false;
    const news = events.filter(({ seq }) => seq > long.last);
    if (news.length === 0) return true;
    if (news[0]?.seq !== long.last + 1 || tail.rows.length > MOST_LIVE) return false;
    const added = news.map((event) => maker.add(stepOf(event)));
    const changes = added.flatMap((one): RowChange[] => one.changes);
    const rows = withChanges([...tail.rows, ...added.map(({ row }) => row)], changes, tail.after);
    const parts = [...long.parts.slice(0, -1), { ...tail, rows }];
    this.#publish({ ...long, last: long.last + news.length, parts, errors: maker.errors });
    return true;
  }

  /** Loads details of the visible steps. */
  look({ from, to }: Range): void {
    const long = this.#long;
    if (!long || to < from) return;
    if (to - from < ROWS_IN_SIGHT) return this.#want("sight", { from, to });
    const { coarse, detail } = long;
    const known = detail && detail.from <= from && detail.to >= Math.min(to, coarse.to) ? detail : coarse;
    const room = Math.ceil((to - from) / 2);
    if (known.size <= BUCKET_STEPS || (to - from) / known.size > 500) return;
    this.#start("sight", { from, to }, async (signal) => {
      const range = { from: Math.max(from - room, 1), to: Math.min(to + room, coarse.to) };
      const closer = await this.#source.buckets(range, signal);
      if (this.#long) this.#publish({ ...this.#long, detail: closer.size < coarse.size ? closer : null });
    });
  }

  /** Loads the rows around the current step. */
  near(at: number): void {
    const long = this.#long;
    if (!long || at === 0) return;
    this.#want("head", { from: Math.max(at - AHEAD, 1), to: Math.min(at + AHEAD, long.last) });
  }

  /** The row of a step, loaded if needed; null for none. */
  async rowOf(seq: number): Promise<TimelineRow | null> {
    const known = this.#long && findRow(this.#long.parts, seq);
    if (known) return known;
    await this.#loadRows({ from: seq, to: seq }, this.#life.signal);
    return (this.#long && findRow(this.#long.parts, seq)) ?? null;
  }

  stop(): void {
    this.#life.abort();
    for (const { abort } of this.#loading.values()) abort.abort();
  }

  #want(reason: "sight" | "head", range: Range): void {
    const { parts = [] } = this.#long ?? {};
    if (missingOf(parts, range)) this.#start(reason, range, (signal) => this.#loadRows(range, signal));
  }

  #start(reason: "sight" | "head", range: Range, load: (signal: AbortSignal) => Promise<void>): void {
    const under = this.#loading.get(reason);
    if (under && under.range.from <= range.from && under.range.to >= range.to) return;
    under?.abort.abort();
    const abort = new AbortController();
    this.#loading.set(reason, { range, abort });
    load(abort.signal)
      .catch((error: unknown) => abort.signal.aborted || this.#listener.onFailure(error))
      .finally(() => this.#loading.get(reason)?.abort === abort && this.#loading.delete(reason));
  }

  async #loadRows(range: Range, signal: AbortSignal): Promise<void> {
    const missing = this.#long && missingOf(this.#long.parts, range);
    if (!missing) return;
    const after = missing.from - 1;
    const columns = await this.#source.rows(after, missing.to - after, signal);
    const long = this.#long;
    if (!long || !columns.before) return;
    const part: RowsPart = { after, rows: decodeTimeline(columns), before: columns.before };
    const others = long.parts.filter((one) => one.after + one.rows.length <= after || one.after >= missing.to);
    this.#publish({ ...long, parts: withinRoom([...others, part], part) });
  }

  #publish(long: Omit<LongTimeline, "turns">): void {
    const tail = long.parts.at(-1);
    const builder = new LanesBuilder(tail?.before.lanes);
    builder.add(tail?.rows ?? []);
    this.#long = { ...long, turns: builder.topRuns };
    this.#listener.onChange(this.#long);
  }
}

/** Null while the server is still computing it. */
function orNotMade(error: unknown): null {
  if (error instanceof ApiProblem && error.code === "unavailable") return null;
  throw error;
}

function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ASK_AGAIN_MS);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

/** The missing part of a range, by whole chunks up to the rows of the session's end; null for none. */
function missingOf(parts: readonly RowsPart[], { from, to }: Range): Range | null {
  const end = parts.at(-1)?.after ?? 0;
  const lacking: number[] = [];
  for (let chunk = Math.floor((from - 1) / CHUNK_STEPS); chunk * CHUNK_STEPS < Math.min(to, end); chunk += 1)
    if (!findRow(parts, chunk * CHUNK_STEPS + 1)) lacking.push(chunk);
  const [first, last] = [lacking.at(0), lacking.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { from: first * CHUNK_STEPS + 1, to: Math.min((last + 1) * CHUNK_STEPS, end) };
}

function findRow(parts: readonly RowsPart[], seq: number): TimelineRow | undefined {
  const part = parts.find(({ after, rows }) => seq > after && seq <= after + rows.length);
  return part?.rows[seq - part.after - 1];
}

/** The parts in order, without those farthest from the newest when there are too many rows. */
function withinRoom(parts: readonly RowsPart[], newest: RowsPart): RowsPart[] {
  const kept = [...parts].sort((a, b) => a.after - b.after);
  const tail = kept.at(-1);
  const rows = () => kept.reduce((sum, part) => sum + part.rows.length, 0);
  while (rows() > MOST_ROWS) {
    const farthest = kept
      .filter((part) => part !== newest && part !== tail)
      .reduce<RowsPart | null>(
        (far, part) => (far && distance(far, newest) >= distance(part, newest) ? far : part),
        null,
      );
    if (!farthest) break;
    kept.splice(kept.indexOf(farthest), 1);
  }
  return kept;
}

function distance(one: RowsPart, other: RowsPart): number {
  return Math.abs(one.after - other.after);
}
