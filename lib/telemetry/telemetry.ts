import { setImmediate as nextIteration } from "node:timers/promises";
import type { Events, Runs } from "../../db/repositories.ts";
import type { Clock } from "../engine/ports.ts";
import type { Collector, TurnSpans } from "./sdk.ts";
import { spansOfTurn } from "./turn-spans.ts";

/** The export's position: all turns that ended up to it were sent. */
export interface Place {
  /** Null: nothing was exported yet. */
  read(): Promise<number | null>;
  write(position: number): Promise<void>;
}

/** What the export depends on. */
export interface TelemetryNeeds {
  events: Pick<Events, "headers" | "head">;
  runs: Pick<Runs, "find" | "events">;
  bus: { subscribe(listener: () => void): () => void };
  clock: Clock;
  collector: Collector;
  place: Place;
  /** Includes content of messages, requests and answers. */
  content: boolean;
  logger: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

/** The export of own turns to an OpenTelemetry collector. */
export interface Telemetry {
  start(): Promise<void>;
  /** The number of positions of the log that were not read yet. */
  behind(): Promise<number>;
  /** Sends finished turns, with a timeout, and stops. */
  stop(): Promise<void>;
}

/** Events per page. */
const PAGE = 500;
/** How long finished turns are batched, ms. */
const GATHER_MS = 500;
/** The size of a batch, in spans. */
const SPANS_AT_ONCE = 500;
/** The position is stored after this many events without own turns; a start reads them again. */
const UNWRITTEN = 10_000;
/** The first wait after a failure, ms; it doubles each time. */
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;
/** How long stopping the server may wait for a collector, ms. */
const LAST_CHANCE_MS = 1_000;

/**
 * Follows the log and exports each turn of this server's engine when it has ended. While the collector is not
 * reachable, the log is the queue: no turn is lost, however long that takes. After a crash the newest may be sent
 * twice, with the same ids.
 */
export function createTelemetry(needs: TelemetryNeeds): Telemetry {
  const { events, runs, bus, clock, collector, place, content, logger } = needs;
  let position = 0;
  let written = 0;
  let failures = 0;
  let hasNews = false;
  let isStopping = false;
  let isOver = false;
  let cancelTimer: (() => void) | null = null;
  let working: Promise<void> | null = null;
  let unsubscribe = (): void => undefined;

  function wake(ms: number): void {
    if (cancelTimer || working || isStopping) return;
    cancelTimer = clock.later(ms, () => {
      cancelTimer = null;
      working = work().finally(() => {
        working = null;
        if (failures > 0) wake(Math.min(FIRST_REST_MS * 2 ** (failures - 1), LONGEST_REST_MS));
        else if (hasNews) wake(GATHER_MS);
      });
    });
  }

  /** Exports all turns that have ended. */
  async function work(): Promise<void> {
    hasNews = false;
    try {
      while (!isOver && (await step()));
      failures = 0;
    } catch (error) {
      // Logged once per outage; what is interrupted by the server's stop is sent by the next one.
      if (failures === 0 && !isOver) logger.warn({ err: error }, "Could not export traces; retrying later");
      failures += 1;
    }
  }

  /** Reads a page of the log and exports the turns that end in it. False if there are no events. */
  async function step(): Promise<boolean> {
    const page = await events.headers(position, PAGE);
    const last = page.at(-1);
    // The log may be longer: events that are not synced to disk are not read yet, and must not be skipped.
    if (!last) return false;
    let sent = 0;
    let turns: TurnSpans[] = [];
    for (const { type, run_id, parent_run_id } of page) {
      if (run_id === null || parent_run_id !== null || !ENDS.has(type)) continue;
      // External agents export their own runs.
      if (!(await runs.find(run_id))) continue;
      turns.push({ runId: run_id, spans: spansOfTurn(await runs.events(run_id), { content }) });
      sent += 1;
      if (turns.reduce((sum, { spans }) => sum + spans.length, 0) < SPANS_AT_ONCE) continue;
      await send(turns);
      turns = [];
    }
    await send(turns);
    position = last.position;
    if (sent > 0 || position - written >= UNWRITTEN) await keepPlace();
    await nextIteration();
    return true;
  }

  async function keepPlace(): Promise<void> {
    await place.write(position);
    written = position;
  }

  async function send(turns: readonly TurnSpans[]): Promise<void> {
    if (turns.length === 0) return;
    const exported = await collector.send(turns);
    switch (exported.kind) {
      case "sent":
        if (failures > 0) logger.info({}, "Traces are being exported again");
        failures = 0;
        return;
      case "unreachable":
        throw exported.error;
      case "refused":
        // One refused turn must not block the others.
        if (turns.length > 1) for (const turn of turns) await send([turn]);
        else logger.warn({ err: exported.error, run_id: turns[0]?.runId }, "The collector rejected a trace");
        return;
      default:
        return exported satisfies never;
    }
  }

  return {
    async start() {
      const head = await events.head();
      const stored = await place.read();
      // Turns before the first start are not exported; a log that is shorter is another one.
      position = stored === null || stored > head ? head : stored;
      await keepPlace();
      unsubscribe = bus.subscribe(() => {
        hasNews = true;
        wake(GATHER_MS);
      });
      if (position < head) wake(0);
    },
    behind: async () => Math.max(0, (await events.head()) - position),
    async stop() {
      isStopping = true;
      unsubscribe();
      cancelTimer?.();
      const { promise: over, resolve } = Promise.withResolvers<void>();
      const cancel = clock.later(LAST_CHANCE_MS, resolve);
      await Promise.race([over, (working ?? Promise.resolve()).then(() => (failures > 0 ? undefined : work()))]);
      isOver = true;
      await Promise.race([over, keepPlace().then(() => collector.shutdown())]);
      cancel();
    },
  };
}

/** The events that end a turn. */
const ENDS = new Set(["run.finished", "run.failed", "run.cancelled"]);
