import { Gauge, type Registry } from "prom-client";
import type { StorageMeasures } from "../../../db/measures.ts";
import type { RunCount } from "../../engine/engine.ts";

/** What is looked at each time that somebody asks. */
export interface GaugeSources {
  storage(): StorageMeasures;
  runs(): RunCount;
  http(): OpenRequests;
  /** Undefined where no bot is configured. */
  telegram: (() => { inbox: number; outbox: number }) | undefined;
  /** Undefined where nothing is exported. */
  telemetry: (() => Promise<number>) | undefined;
  /** Epoch ms. */
  now(): number;
}

/** Requests that are not answered to their end. */
export interface OpenRequests {
  requests: number;
  /** Of them, streams of events. */
  streams: number;
}

/** Makes the gauges; what it gives sets them to what is by now. */
export function watchGauges(sources: GaugeSources, registers: Registry[]): () => Promise<void> {
  const { storage, runs, http, telegram, telemetry, now } = sources;
  const gauge = (name: string, help: string) => new Gauge({ name: `obelus_${name}`, help, registers });
  const kept = {
    queued: gauge("writer_queue", "Requests that wait for the writer."),
    unsearched: gauge("search_behind_events", "Events that the search does not find yet, up to 10,000."),
    spans: gauge("spans_waiting", "Spans of OpenTelemetry that wait until their trace can be told."),
    confirmations: gauge("confirmations_waiting", "Confirmations that wait for a person."),
    oldestConfirmation: gauge("confirmations_oldest_seconds", "How long the oldest of them has waited."),
    alerts: gauge("alerts_open", "Managers who were called, in conversations not handed back."),
    notices: gauge("notices_unsent", "Messages to people that are not sent yet."),
    oldestNotice: gauge("notices_oldest_seconds", "For how long the oldest of them has been due."),
    bytes: gauge("database_bytes", "The database's file."),
    free: gauge("database_free_bytes", "Of it: what the next writes take."),
    wal: gauge("wal_bytes", "The write-ahead log's file."),
    disk: gauge("disk_free_bytes", "What is free on the data directory's disk."),
  };
  const openRuns = gauge("runs_open", "Runs of this server's engine that have not ended.");
  const waitingRuns = gauge("runs_waiting", "Of them: those that wait for nothing but a person.");
  const requests = gauge("http_requests_open", "Requests that are being answered, streams among them.");
  const streams = gauge("streams_open", "Streams of events that are being read.");

  const optional = {
    inbox: telegram && gauge("telegram_inbox_behind", "Chats with messages that are not handled yet."),
    outbox: telegram && gauge("telegram_outbox_behind", "Chats to which something is not sent yet."),
    telemetry: telemetry && gauge("telemetry_behind", "Positions of the log not exported to the collector yet."),
  };

  const age = (since: number | null) => (since === null ? 0 : Math.max(0, now() - since) / 1_000);
  return async () => {
    const measures = storage();
    kept.queued.set(measures.queued);
    kept.unsearched.set(measures.unsearched);
    kept.spans.set(measures.spans);
    kept.confirmations.set(measures.confirmations.waiting);
    kept.oldestConfirmation.set(age(measures.confirmations.oldest));
    kept.alerts.set(measures.alerts);
    kept.notices.set(measures.notices.unsent);
    kept.oldestNotice.set(age(measures.notices.oldest));
    kept.bytes.set(measures.file.bytes);
    kept.free.set(measures.file.free);
    kept.wal.set(measures.wal);
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
