import { Gauge, type Registry } from "prom-client";
import type { StorageMeasures } from "../../../db/measures.ts";
import type { RunCount } from "../../engine/engine.ts";

/** The sources of gauges, read on each scrape. */
export interface GaugeSources {
  storage(): Promise<StorageMeasures>;
  runs(): RunCount;
  http(): OpenRequests;
  /** Undefined without a bot. */
  telegram: (() => { inbox: number; outbox: number }) | undefined;
  /** Undefined without an export. */
  telemetry: (() => Promise<number>) | undefined;
  /** Epoch ms. */
  now(): number;
}

/** Requests in progress. */
export interface OpenRequests {
  requests: number;
  /** Of these, event streams. */
  streams: number;
}

/** Creates the gauges; returns the function that updates them. */
export function watchGauges(sources: GaugeSources, registers: Registry[]): () => Promise<void> {
  const { storage, runs, http, telegram, telemetry, now } = sources;
  const gauge = (name: string, help: string) => new Gauge({ name: `obelus_${name}`, help, registers });
  const kept = {
    queued: gauge("writer_queue", "Requests queued for the writer."),
    unsearched: gauge("search_behind_events", "Events not indexed for search yet, up to 10,000."),
    spans: gauge("spans_waiting", "OpenTelemetry spans that wait for their trace to be complete."),
    confirmations: gauge("confirmations_waiting", "Pending confirmations."),
    oldestConfirmation: gauge("confirmations_oldest_seconds", "Age of the oldest pending confirmation."),
    alerts: gauge("alerts_open", "Open alerts."),
    notices: gauge("notices_unsent", "Notifications not sent yet."),
    oldestNotice: gauge("notices_oldest_seconds", "Age of the oldest notification that is due."),
    bytes: gauge("database_bytes", "Size of the database."),
    disk: gauge("disk_free_bytes", "Free space on the data directory's disk."),
  };
  // Only one of the two storages has each.
  const files = onceKnown(() => ({
    free: gauge("database_free_bytes", "Free space within the database file."),
    wal: gauge("wal_bytes", "Size of the write-ahead log."),
  }));
  const pool = onceKnown(() => ({
    open: gauge("pool_connections_open", "Open connections to Postgres for reads."),
    idle: gauge("pool_connections_idle", "Of these, connections without a query."),
    waiting: gauge("pool_queries_waiting", "Queries that wait for a connection."),
  }));
  const openRuns = gauge("runs_open", "Open runs of this server.");
  const waitingRuns = gauge("runs_waiting", "Open runs that only wait for a person.");
  const requests = gauge("http_requests_open", "Requests in progress, including streams.");
  const streams = gauge("streams_open", "Open event streams.");

  const optional = {
    inbox: telegram && gauge("telegram_inbox_behind", "Chats with unhandled messages."),
    outbox: telegram && gauge("telegram_outbox_behind", "Chats with unsent messages."),
    telemetry: telemetry && gauge("telemetry_behind", "Log positions not yet exported to the collector."),
  };

  const age = (since: number | null) => (since === null ? 0 : Math.max(0, now() - since) / 1_000);
  return async () => {
    const measures = await storage();
    kept.queued.set(measures.queued);
    kept.unsearched.set(measures.unsearched);
    kept.spans.set(measures.spans);
    kept.confirmations.set(measures.confirmations.waiting);
    kept.oldestConfirmation.set(age(measures.confirmations.oldest));
    kept.alerts.set(measures.alerts);
    kept.notices.set(measures.notices.unsent);
    kept.oldestNotice.set(age(measures.notices.oldest));
    kept.bytes.set(measures.bytes);
    files(measures.files);
    pool(measures.pool);
    kept.disk.set(measures.disk);
    const { open, waiting } = runs();
    openRuns.set(open);
    waitingRuns.set(waiting);
    const answering = http();
    requests.set(answering.requests);
    streams.set(answering.streams);
    const chats = telegram?.();
    if (chats) {
      optional.inbox?.set(chats.inbox);
      optional.outbox?.set(chats.outbox);
    }
    optional.telemetry?.set((await telemetry?.()) ?? 0);
  };
}

/** Sets gauges that are created with their first values. */
function onceKnown<Name extends string>(
  create: () => Record<Name, Gauge>,
): (values: Readonly<Record<Name, number>> | null) => void {
  let gauges: Record<Name, Gauge> | null = null;
  return (values) => {
    if (!values) return;
    gauges ??= create();
    for (const name in gauges) gauges[name].set(values[name]);
  };
}
