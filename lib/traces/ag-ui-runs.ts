import { EventType } from "@ag-ui/core";
import type { Appended, Events, Log, NewEvent } from "../../db/repositories.ts";
import type { Clock } from "../engine/ports.ts";
import { readEvent } from "../intake/ag-ui/event.ts";
import { AgUiFault } from "../intake/ag-ui/fault.ts";
import { MappedState } from "../intake/ag-ui/mapped-state.ts";
import { identifierOf } from "../intake/ag-ui/names.ts";
import { readStream, type StreamForm } from "../intake/ag-ui/read-stream.ts";
import { RunMapper } from "../intake/ag-ui/run-mapper.ts";
import { weightOf } from "../session/json/weight.ts";

/** A request with a part of an AG-UI stream. */
export interface AgUiRequest {
  bytes: AsyncIterable<Uint8Array>;
  form: StreamForm;
  /** The run that it goes on with; null where it begins with RUN_STARTED. */
  run: { threadId: string; runId: string } | null;
  /** Throws for an event that its sender may not tell; what came before is told. */
  permit(event: NewEvent): void;
  /** Takes what was stored of it, without what was there already. */
  stored(events: readonly NewEvent[]): void;
  signal: AbortSignal;
}

/** What became of a request. */
export interface AgUiAnswer {
  /** The last run that it told of, and its conversation; null for a stream without events. */
  conversation_id: string | null;
  run_id: string | null;
  /** Events of the stream that were read. */
  received: number;
  /** Events of the session that were stored, and those that were there already. */
  events: number;
  duplicates: number;
  /** The run has ended, or waits. */
  ended: boolean;
  /** Texts that have begun and not ended: another request may go on with them. */
  unfinished: { kind: string; id: string }[];
}

/** Runs that AG-UI streams tell of. */
export interface AgUiRuns {
  /** Tells a stream as it comes; what is complete is stored. Throws `AgUiFault`, and what the log throws. */
  take(request: AgUiRequest): Promise<AgUiAnswer>;
  /** Forgets what waits to be gone on with. */
  stop(): void;
}

interface Needs {
  log: Pick<Log, "append">;
  events: Pick<Events, "list">;
  clock: Clock;
  logger: { error(details: object, message: string): void };
  /** How long a run may be without a request before it is said to have broken off, ms. */
  patience: number;
}

/** A run that a request tells of, or may be gone on with. */
interface Live {
  key: string;
  threadId: string;
  runId: string;
  teller: RunMapper;
  /** A newer request has taken the run over. */
  lost: boolean;
  cancel: (() => void) | null;
}

/** So many events of the log are read at a time. */
const PAGE = 200;
/** So much of what is told, in characters and in events, is one transaction. */
const AT_ONCE = { size: 500_000, events: 500 } as const;
/** So much of what is told, in characters and in events, may wait to be stored before more of the stream is read. */
const MOST_WAITING = { size: 10_000_000, events: 1_000 } as const;
/** So many runs are remembered; more of them, and those that wait for a request are given up. */
const MOST_LIVE = 1_000;

/** Makes the place where AG-UI streams are told, and where runs wait for the request that goes on with them. */
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

  /** Nobody reads on: after a while the run says so, unless a later request goes on with it. */
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
      // What was told before is kept: the stream may be cut anywhere.
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

/** What was told of a thread: before a run began, and in all. */
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

  /** Throws what the log threw at what was added before, and what may not be told. */
  async add(events: NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    this.refuse(events);
    // What a small patch changes in an array is told as the array as a whole.
    const size = events.reduce((sum, { payload }) => sum + weightOf(payload).size, 0);
    this.waiting.push({ events, size });
    this.count += events.length;
    this.size += size;
    if (!this.flushing) {
      this.flushing = this.flush();
      // Whoever adds next, or waits for the end, learns of it.
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
      // What the run knows by now is not in the log: it is read anew by whoever goes on with it.
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

/** The bytes until somebody gives up: the client, or the server that stops. */
async function* untilAborted(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined);
  const abort = () => reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  const source = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await Promise.race([source.next(), promise]);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    // What is left is the caller's; a read that nothing ends cannot be called back.
    if (!signal.aborted) await source.return?.();
  }
}
