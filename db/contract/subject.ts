import { afterEach, beforeEach } from "vitest";
import type { ConversationPage, ConversationQuery, Conversations, NewEvent } from "../repositories.ts";
import type { Storage } from "../storage.ts";

/** A storage under test, empty at first. */
export interface Subject {
  storage: Storage;
  /** What `onCommit` was told, in order. */
  commits: number[];
  /** What it logged. */
  logged: string[];
  /** Closes the storage and opens it again on the same data. */
  reopen(): Promise<void>;
  /** The files or tables that contain a word, ignoring case. */
  filesWith(word: string): Promise<string[]>;
  /** The faults that `npm run check` finds. */
  faults(): Promise<unknown[]>;
  /** Closes it and removes its data. */
  dispose(): Promise<void>;
}

/** Makes a subject; every implementation under the contract has one. */
export type MakeSubject = () => Promise<Subject>;

/** A fresh subject for each test of the suite it is called in. */
export function eachTime(make: MakeSubject): () => Subject {
  let subject: Subject | null = null;
  beforeEach(async () => {
    subject = await make();
  });
  afterEach(async () => {
    await subject?.dispose();
    subject = null;
  });
  return () => {
    if (!subject) throw new Error("The subject is there only while a test runs");
    return subject;
  };
}

/** Search results once the index has caught up with the log. */
export async function searched(conversations: Conversations, query: ConversationQuery): Promise<ConversationPage> {
  let page = await conversations.list(query);
  while (page.behind !== undefined) page = await conversations.list(query);
  return page;
}

/** An event to append, with defaults for omitted fields. */
export function newEvent(event: Partial<NewEvent> & { id: string }): NewEvent {
  return {
    conversation_id: "c",
    type: "log",
    actor: null,
    agent_id: null,
    run_id: null,
    parent_run_id: null,
    caused_by: null,
    payload: null,
    occurred_at: null,
    ...event,
  };
}

/** A message to append; its event has the message's id. */
export function newMessage(id: string, content: string, more: Partial<NewEvent> & { role?: string } = {}): NewEvent {
  const { role = "user", ...rest } = more;
  return newEvent({ id, type: "message.created", payload: { message_id: id, role, content }, ...rest });
}

/** `count` log events `<conversation>-1`, `<conversation>-2` … of one conversation. */
export function newEvents(conversationId: string, count: number): NewEvent[] {
  return Array.from({ length: count }, (_, index) =>
    newEvent({ id: `${conversationId}-${index + 1}`, conversation_id: conversationId, payload: index }),
  );
}
