import type { Bus } from "../../server/bus.ts";
import type { LongReads } from "./long-reads.ts";
import { PulledStream } from "./pulled-stream.ts";

interface Subscription {
  conversationId: string;
  /** Only this run; null for all. */
  runId: string | null;
  /** The stream starts after this step. */
  from: number;
  signal: AbortSignal;
}

/** A conversation as AG-UI server-sent events, live. The client pulls, as in the log's stream (E13). */
export function agUiStream(
  { longReads, bus }: { longReads: LongReads; bus: Bus },
  { signal, ...subscription }: Subscription,
): ReadableStream<Uint8Array> {
  const reader = longReads.open({ kind: "ag-ui", ...subscription });
  /** The log may have more than was read. */
  let behind = true;

  return new PulledStream({
    first: ":\n\n",
    signal,
    isBehind: () => behind,
    async next() {
      if (!behind) return new Uint8Array();
      behind = false;
      const chunk = await reader.next();
      behind ||= chunk?.more ?? false;
      return chunk?.bytes ?? null;
    },
    subscribe(wake) {
      const end = bus.subscribe(() => {
        behind = true;
        wake();
      });
      return () => {
        end();
        reader.close();
      };
    },
  });
}
