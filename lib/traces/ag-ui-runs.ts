import { EventType } from "@ag-ui/core";
import type { Appended, Events, Log, NewEvent } from "../../db/repositories.ts";
import type { Clock } from "../engine/ports.ts";
import { orAborted } from "../event-loop/or-aborted.ts";
import { readEvent } from "../intake/ag-ui/event.ts";
import { AgUiFault } from "../intake/ag-ui/fault.ts";
import { MappedState } from "../intake/ag-ui/mapped-state.ts";
import { identifierOf } from "../intake/ag-ui/names.ts";
import { readStream, type StreamForm } from "../intake/ag-ui/read-stream.ts";
import { RunMapper } from "../intake/ag-ui/run-mapper.ts";
import { weightOf } from "../session/json/weight.ts";

/** A request that contains a part of an AG-UI stream. */
export interface AgUiRequest {
  bytes: AsyncIterable<Uint8Array>;
  form: StreamForm;
  /** The run that it continues; null if it starts with RUN_STARTED. */
  run: { threadId: string; runId: string } | null;
  /** Throws for an event that the sender may not write; earlier events are stored. */
  permit(event: NewEvent): void;
  /** Receives what was stored of it, duplicates left out. */
  stored(events: readonly NewEvent[]): void;
  signal: AbortSignal;
}

/** The result of a request. */
export interface AgUiAnswer {
  /** The last run in it, and its conversation; null for a stream without events. */
  conversation_id: string | null;
  run_id: string | null;
  /** Events of the stream that were read. */
  received: number;
  /** Events that were stored, and duplicates. */
  events: number;
  duplicates: number;
  /** Whether the run has ended or waits. */
  ended: boolean;
  /** Messages that have started and not ended: another request may continue them. */
  unfinished: { kind: string; id: string }[];
}

/** Runs received as AG-UI streams. */
export interface AgUiRuns {
  /** Stores a stream's complete events as they arrive. Throws `AgUiFault`, and what the log throws. */
  take(request: AgUiRequest): Promise<AgUiAnswer>;
  /** Forgets the runs that wait to be continued. */
  stop(): void;
}

interface Needs {
  log: Pick<Log, "append">;
  events: Pick<Events, "list">;
  clock: Clock;
  logger: { error(details: object, message: string): void };
  /** How long a run may be without a request before it counts as interrupted, ms. */
  patience: number;
}

/** A run that a request writes, or that may be continued. */
interface Live {
  key: string;
  threadId: string;
  runId: string;
  teller: RunMapper;
  /** A newer request has taken the run over. */
  lost: boolean;
  cancel: (() => void) | null;
}

/** Events of the log that are read at a time. */
const PAGE = 200;
/** The size of a transaction, in characters and in events. */
const AT_ONCE = { size: 500_000, events: 500 } as const;
/** What may wait to be stored before more of the stream is read, in characters and in events. */
const MOST_WAITING = { size: 10_000_000, events: 1_000 } as const;
/** Runs that are kept in memory; beyond that, those that wait for a request are dropped. */
const MOST_LIVE = 1_000;

/** Stores AG-UI streams, and keeps runs for the request that continues them. */
export function createAgUiRuns(needs: Needs): AgUiRuns {
  const live = new Map<string, Live>();
  let isStopped = false;

  function remember(run: Live): void {
    const before = live.get(run.key);
    if (before) forget(before);
    live.set(run.key, run);
    if (live.size <= MOST_LIVE) return;
    const idle = live.values().find(({ cancel }) => cancel !== null);
    if (idle) giveUp(idle);
  }

  function forget(run: Live): void {
    run.lost = true;
    run.cancel?.();
    if (live.get(run.key) === run) live.delete(run.key);
  }

  /** The request ended early: after a while the run is marked as interrupted, unless a later request continues it. */
  function leave(run: Live): void {
    if (run.lost) return;
    if (isStopped || run.teller.isOver) return forget(run);
    run.cancel = needs.clock.later(needs.patience, () => giveUp(run));
  }

  function giveUp(run: Live): void {
    forget(run);
    const told = run.teller.breakOff();
    if (told.length === 0) return;
    needs.log.append(told).catch((error: unknown) => {
      needs.logger.error({ err: error, run_id: run.runId }, "Could not end a run whose stream was interrupted");
    });
  }

  async function begin(writing: Writing, threadId: string, runId: string, anew: boolean): Promise<Live> {
    const key = JSON.stringify([threadId, runId]);
    const known = live.get(key);
    // Not while the log is read.
    known?.cancel?.();
    if (known && !anew) {
      const taken = { ...known, lost: false, cancel: null };
      remember(taken);
      return taken;
    }
    const { before, whole } = await readTold(needs.events, threadId, runId);
    const broken = whole.runs.get(runId);
    const run: Live = {
      key,
      threadId,
      runId,
      teller: new RunMapper(threadId, runId, anew ? before : whole),
      lost: false,
      cancel: null,
    };
    if (!anew && !broken) throw new AgUiFault(`There is no run ${runId} in ${threadId}; start it with RUN_STARTED`);
    remember(run);
    if (broken?.broken) await writing.add(new RunMapper(threadId, runId, whole).resume(broken.breaks));
    return run;
  }

  async function take({ bytes, form, run: given, signal, ...told }: AgUiRequest): Promise<AgUiAnswer> {
    const writing = new Writing(needs.log, told);
    const answer = { received: 0 };
    let run = given && (await begin(writing, given.threadId, given.runId, false));
    try {
      for await (const { value, place } of readStream(untilAborted(bytes, signal), form)) {
        const event = readEvent(value, place);
        if (event.known?.type === EventType.RUN_STARTED) {
          await writing.done();
          if (run) leave(run);
          run = await begin(writing, identifierOf(event.known.threadId), identifierOf(event.known.runId), true);
        }
        if (!run)
          throw new AgUiFault(
            "a stream must start with RUN_STARTED; to continue a run, name it with ?thread_id= and ?run_id=",
            { place },
          );
        if (run.lost) throw new AgUiFault("another request is continuing this run", { place, taken: true });
        await writing.add(run.teller.take(event, place));
        answer.received += 1;
      }
    } catch (error) {
      // What was stored is kept: the stream may be cut off anywhere.
      if (run && !writing.failed) await writing.add(run.teller.rest());
      await writing.done();
      throw error;
    } finally {
      if (writing.failed && run) forget(run);
      if (run) leave(run);
    }
    await writing.done();
    return {
      conversation_id: run?.threadId ?? null,
      run_id: run?.runId ?? null,
      ...answer,
      events: writing.stored,
      duplicates: writing.duplicates,
      ended: run?.teller.isOver ?? false,
      unfinished: run?.teller.unfinished ?? [],
    };
  }

  return {
    take,
    stop() {
      isStopped = true;
      for (const run of live.values()) forget(run);
    },
  };
}

/** The messages of a thread: before a run started, and in all. */
async function readTold(
  events: Needs["events"],
  threadId: string,
  runId: string,
): Promise<{ before: MappedState; whole: MappedState }> {
  const before = new MappedState();
  const whole = new MappedState();
  let begun = false;
  for (let after = 0; ; ) {
    const page = await events.list(threadId, { after, limit: PAGE });
    for (const event of page) {
      begun ||= event.type === "run.started" && event.run_id === runId;
      if (!begun) before.take(event);
      whole.take(event);
    }
    const last = page.at(-1);
    if (!last) return { before, whole };
    after = last.seq;
  }
}

/** Stores what is told while more of it comes: in order, and never half of what one event of a stream tells. */
class Writing {
  stored = 0;
  duplicates = 0;
  failed = false;
  private readonly log: Needs["log"];
  private readonly told: Pick<AgUiRequest, "permit" | "stored">;
  private waiting: { events: NewEvent[]; size: number }[] = [];
  private count = 0;
  private size = 0;
  private flushing: Promise<void> | null = null;

  constructor(log: Needs["log"], told: Pick<AgUiRequest, "permit" | "stored">) {
    this.log = log;
    this.told = told;
  }

  /** Throws what the log threw for earlier events, and for events that may not be written. */
  async add(events: NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    this.refuse(events);
    // A small patch of an array is stored as the whole array.
    const size = events.reduce((sum, { payload }) => sum + weightOf(payload).size, 0);
    this.waiting.push({ events, size });
    this.count += events.length;
    this.size += size;
    if (!this.flushing) {
      this.flushing = this.flush();
      // The next `add`, or whoever waits for the end, gets the error.
      this.flushing.catch(() => undefined);
    }
    if (this.failed || this.count > MOST_WAITING.events || this.size > MOST_WAITING.size) await this.flushing;
  }

  async done(): Promise<void> {
    await this.flushing;
  }

  private refuse(events: readonly NewEvent[]): void {
    try {
      for (const event of events) this.told.permit(event);
    } catch (error) {
      // The run's state in memory is not in the log: whoever continues it reads it again.
      this.failed = true;
      throw error;
    }
  }

  private async flush(): Promise<void> {
    try {
      while (this.waiting.length > 0) {
        const page: NewEvent[] = [];
        let left: number = AT_ONCE.size;
        while (this.waiting[0] && page.length < AT_ONCE.events && left > 0) {
          const { events = [], size = 0 } = this.waiting.shift() ?? {};
          page.push(...events);
          left -= size;
          this.size -= size;
        }
        this.count -= page.length;
        this.tally(page, await this.log.append(page));
      }
      this.flushing = null;
    } catch (error) {
      this.failed = true;
      throw error;
    }
  }

  private tally(page: readonly NewEvent[], appended: readonly Appended[]): void {
    const news = page.filter((_, index) => !appended[index]?.duplicate);
    this.duplicates += page.length - news.length;
    this.stored += news.length;
    this.told.stored(news);
  }
}

/** The bytes until the client disconnects or the server stops. */
async function* untilAborted(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await orAborted(source.next(), signal);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // What is left is the caller's; a read that nothing ends cannot be called back.
    if (!signal.aborted) await source.return?.();
  }
}
