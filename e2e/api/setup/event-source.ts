import { EventSourceParserStream } from "eventsource-parser/stream";
import { createWaiting } from "./waiting.ts";

/** An event of the stream. */
export interface StreamedEvent {
  id: number;
  type: string;
  // biome-ignore lint/suspicious/noExplicitAny: what was sent, looked at field by field.
  data: any;
}

/** A client of `GET /api/stream`. */
export interface EventReader {
  /** Waits for a number of events; returns the first of them. */
  take(count: number): Promise<StreamedEvent[]>;
  /** Waits for the first matching event. */
  find(fits: (event: StreamedEvent) => boolean): Promise<StreamedEvent>;
  /** Settles when the server has ended the stream, or the connection is lost. */
  ended: Promise<void>;
  /** All events received so far. */
  received: StreamedEvent[];
  close(): void;
}

/** Opens a stream and reads it. */
export async function readEvents(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const abort = new AbortController();
  const response = await fetch(`${url}${path}`, { headers, signal: abort.signal });
  if (!response.ok || !response.body)
    throw new Error(`The stream was answered with ${response.status}: ${await response.text()}`);
  const received: StreamedEvent[] = [];
  const { waitFor, look } = createWaiting();
  const events = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());

  const read = async () => {
    for await (const { id, event, data } of events) {
      received.push({ id: Number(id), type: event ?? "", data: JSON.parse(data) });
      look();
    }
  };
  // A lost connection ends the stream, too: the server was killed, or the client disconnected.
  const ended = read().then(
    () => undefined,
    () => undefined,
  );
  return {
    received,
    ended,
    close: () => abort.abort(),
    take: (count) => waitFor(() => (received.length < count ? undefined : received.slice(0, count))),
    find: (fits) => waitFor(() => received.find(fits)),
  };
}
