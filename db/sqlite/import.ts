import { setImmediate } from "node:timers/promises";
import type { NewEvent } from "../repositories.ts";
import type { Spools } from "./spool.ts";
import type { Transaction } from "./transaction.ts";
import type { Writer } from "./writer.ts";

type Imported = { conversation_id: string; created: boolean; events: number };

// While a large import is written, the thread goes on answering readers this often.
const LONGEST_PART_MS = 20;

/**
 * Takes in whole conversations (E11): first all of them into a spool, then in one transaction into the log, so that they
 * become visible at once. A conversation that is there already stays as it is. An abort or an error leaves nothing.
 */
export async function importConversations(
  writer: Writer,
  spools: Spools,
  conversations: AsyncIterable<{ conversation_id: string; events: NewEvent[] }>,
  signal: AbortSignal,
): Promise<Imported[]> {
  const spool = spools.create();
  try {
    await spool.fill(eventsOf(conversations), signal);
    signal.throwIfAborted();
    return await writer.submitAlone((transaction) => store(transaction, spool.read(), signal));
  } finally {
    await spool.remove();
  }
}

async function* eventsOf(
  conversations: AsyncIterable<{ conversation_id: string; events: NewEvent[] }>,
): AsyncIterable<NewEvent> {
  for await (const { conversation_id, events } of conversations)
    for (const event of events) yield { ...event, conversation_id };
}

async function store(
  transaction: Transaction,
  events: AsyncIterable<NewEvent>,
  signal: AbortSignal,
): Promise<Imported[]> {
  const imported: Imported[] = [];
  let partEnds = Date.now() + LONGEST_PART_MS;
  for await (const event of events) {
    const current = conversationOf(transaction, event, imported);
    if (current.created && !transaction.restore(event).duplicate) current.events += 1;
    if (Date.now() < partEnds) continue;
    await setImmediate();
    signal.throwIfAborted();
    partEnds = Date.now() + LONGEST_PART_MS;
  }
  return imported;
}

/** The conversation that the event goes on with, or begins; the one before it is complete then. */
function conversationOf(transaction: Transaction, { conversation_id }: NewEvent, imported: Imported[]): Imported {
  if (conversation_id === null) throw new Error("An imported event belongs to no conversation");
  const current = imported.at(-1);
  if (current?.conversation_id === conversation_id) return current;
  transaction.saveConversations();
  const next = { conversation_id, created: !transaction.summary(conversation_id), events: 0 };
  imported.push(next);
  return next;
}
