import type { ScopeReading } from "../intake/otlp/mapping/unread.ts";

/** What of the received spans and logs no adapter read. */
export interface UnreadReport {
  /** When counting began. */
  since: string;
  scopes: ScopeReport[];
  /** Spans of scopes for which there was no room. */
  other_spans: number;
  /** Traces in which nothing was of an agent, and the name of a span of the newest. */
  dropped_traces: { count: number; example: string | null };
  logs: {
    /** Log records that are no messages of a model, by scope and name. */
    unread: LogCount[];
    /** Messages of models whose spans did not come, or were mapped before. */
    dropped: number;
  };
}

/** The spans of one instrumentation scope and version. */
export interface ScopeReport extends Omit<ScopeReading, "attributes"> {
  /** The most frequent first. */
  attributes: { name: string; count: number }[];
}

export interface LogCount {
  scope: string;
  name: string;
  count: number;
}

/** Counts what was not read, within bounds. */
export interface UnreadCounts {
  /** What was read of a trace. */
  add(readings: readonly ScopeReading[], isDropped: boolean): void;
  addLogs(logs: LogCount): void;
  dropLogs(count: number): void;
  report(): UnreadReport;
}

const MOST_SCOPES = 100;
const MOST_ATTRIBUTES = 100;
const MOST_LOGS = 100;

/** Counts in memory: an example may be of a conversation that is erased, and must not outlive it on disk. */
export function createUnreadCounts(since: string): UnreadCounts {
  const scopes = new Map<string, ScopeReading>();
  const logs = new Map<string, LogCount>();
  const dropped = { count: 0, example: null as string | null };
  let otherSpans = 0;
  let droppedLogs = 0;

  function addScope(reading: ScopeReading): void {
    const key = JSON.stringify([reading.scope, reading.version]);
    const known = scopes.get(key);
    if (!known) {
      if (scopes.size < MOST_SCOPES) scopes.set(key, reading);
      else otherSpans += reading.spans;
      return;
    }
    known.spans += reading.spans;
    known.unread += reading.unread;
    known.adapters = [...new Set([...known.adapters, ...reading.adapters])];
    // The newest is the one to look at: older ones may be gone.
    known.example = reading.example ?? known.example;
    for (const [name, count] of reading.attributes) {
      const before = known.attributes.get(name);
      if (before !== undefined || known.attributes.size < MOST_ATTRIBUTES)
        known.attributes.set(name, (before ?? 0) + count);
    }
  }

  return {
    add(readings, isDropped) {
      for (const reading of readings) addScope(reading);
      if (!isDropped) return;
      dropped.count += 1;
      dropped.example = readings.find(({ example }) => example)?.example?.name ?? dropped.example;
    },
    addLogs({ scope, name, count }) {
      const key = JSON.stringify([scope, name]);
      const known = logs.get(key);
      if (known) known.count += count;
      else if (logs.size < MOST_LOGS) logs.set(key, { scope, name, count });
    },
    dropLogs(count) {
      droppedLogs += count;
    },
    report: () => ({
      since,
      scopes: [...scopes.values()].sort((a, b) => b.unread - a.unread || b.spans - a.spans).map(reported),
      other_spans: otherSpans,
      dropped_traces: { ...dropped },
      logs: { unread: [...logs.values()].sort((a, b) => b.count - a.count), dropped: droppedLogs },
    }),
  };
}

function reported({ attributes, ...reading }: ScopeReading): ScopeReport {
  const counts = [...attributes].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count);
  return { ...reading, attributes: counts };
}
