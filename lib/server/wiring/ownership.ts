import type { RunJobs } from "../../../db/postgres/jobs/run-jobs.ts";
import type { Events, RunOwners } from "../../../db/repositories.ts";
import type { Ownership } from "../../engine/ownership.ts";
import type { EngineLogger } from "../../engine/ports.ts";
import type { SessionEvent } from "../../session/event.ts";
import type { Bus } from "../bus.ts";
import type { Config } from "../config.ts";
import { stateChangeOf } from "./journal.ts";

const A_PAGE = 500;
/** A follower that could not read looks again after this time, ms. */
const AGAIN_MS = 1_000;

interface Needs {
  runOwners: RunOwners;
  events: Pick<Events, "head" | "recent" | "since">;
  bus: Bus;
  logger: EngineLogger;
}

/** Who carries on which run, among the replicas of a Postgres database; null with SQLite, which one process has for itself. */
export async function openOwnership(
  { database, limits }: Pick<Config, "database" | "limits">,
  { runOwners, events, bus, logger }: Needs,
): Promise<Ownership | null> {
  if (database === null) return null;
  // Imported lazily: most servers have no Postgres.
  const { openRunJobs } = await import("../../../db/postgres/jobs/run-jobs.ts");
  return createOwnership(await openRunJobs(database.url, limits.runs, logger), { runOwners, events, bus, logger });
}

/** The same, on a queue that is open. */
export function createOwnership(jobs: RunJobs, { runOwners, events, bus, logger }: Needs): Ownership {
  return {
    take: (runId, options) => runOwners.take(runId, options),
    rest: (hold, known) => runOwners.rest(hold, known),
    decide: (event, runId, change) => runOwners.decide(event, runId, change ? stateChangeOf(change) : undefined),
    next: (key) => runOwners.next(key),
    awaited: (key) => runOwners.awaited(key),
    awaits: (...asked) => runOwners.awaits(...asked),
    unknown: (runIds) => runOwners.unknown(runIds),
    wake: (key) => jobs.wake(key),
    work: (carry) => jobs.work(carry),
    stop: () => jobs.stop(),
    follow: (...given) => follow({ events, bus, logger }, ...given),
  };
}

/** Tells of the events of engines that are appended from now on, in order. While nobody listens, nothing is read. */
function follow(
  { events, bus, logger }: Omit<Needs, "runOwners">,
  heard: (event: SessionEvent) => void,
  isListening: () => boolean,
): () => void {
  let position: number | null = null;
  let isReading = false;
  let isBehind = false;
  let isStopped = false;
  async function read(): Promise<void> {
    let at = position ?? (await events.head());
    position = at;
    while (isBehind && isListening() && !isStopped) {
      isBehind = false;
      const page = events.recent(at, { limit: A_PAGE }) ?? (await events.since(at, { limit: A_PAGE }));
      for (const event of page) if (event.recorded_by === "engine") heard(event);
      at = page.at(-1)?.position ?? at;
      position = at;
      isBehind ||= page.length > 0;
    }
  }
  function look(newest: number): void {
    if (isReading || isStopped) {
      isBehind = true;
      return;
    }
    // All up to there is in the log: who begins to listen reads it there.
    if (position !== null && !isListening()) {
      position = Math.max(position, newest);
      return;
    }
    isBehind = true;
    isReading = true;
    read()
      .catch((err) => {
        logger.warn({ err }, "The log could not be followed for decisions about runs; trying again");
        setTimeout(() => look(position ?? 0), AGAIN_MS).unref();
      })
      .finally(() => {
        isReading = false;
      });
  }
  look(0);
  const unsubscribe = bus.subscribe(look);
  return () => {
    isStopped = true;
    unsubscribe();
  };
}
