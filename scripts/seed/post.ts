import { z } from "zod";
import { callServer } from "../commands/call-server.ts";
import type { SeedEvent } from "./seeding.ts";

/** The API's limits of events and bytes (5 MB) per request; bytes are estimated. */
const BATCH = 1_000;
const BATCH_CHARACTERS = 2_000_000;

const answer = z.object({ events: z.array(z.object({ duplicate: z.boolean() })) });

/** The progress of posting. */
export interface Posted {
  events: number;
  /** Of them, events that existed. */
  known: number;
}

interface PostOptions {
  /** Called after each request. */
  onProgress?: (posted: Posted) => void;
  /** Stops between two requests. */
  signal?: AbortSignal;
}

/**
 * Posts events in order, one request at a time, so that conversations keep their order. Throws a `Refusal` with the
 * server's error.
 */
export async function postEvents(
  url: string,
  events: Iterable<SeedEvent>,
  { onProgress, signal }: PostOptions = {},
): Promise<Posted> {
  const posted = { events: 0, known: 0 };
  for (const batch of batches(events)) {
    if (signal?.aborted) break;
    const response = await callServer("/api/events", {
      server: url,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `[${batch.join(",")}]`,
    });
    const told = answer.parse(await response.json());
    posted.events += told.events.length;
    posted.known += told.events.filter(({ duplicate }) => duplicate).length;
    onProgress?.(posted);
  }
  return posted;
}

function* batches(events: Iterable<SeedEvent>): Generator<string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const event of events) {
    const text = JSON.stringify(event);
    if (batch.length === BATCH || (batch.length > 0 && characters + text.length > BATCH_CHARACTERS)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.length;
  }
  if (batch.length > 0) yield batch;
}
