import type { SessionEvent } from "../session/event.ts";
import { isJsonObject } from "../session/json/json.ts";
import { recordedSteps, type SuiteCase, suiteCase } from "./case.ts";
import { type Saving, saveCase } from "./save-case.ts";

/** What is to be done with a case. */
export type CaseOrder =
  /** `isFile`: it goes into a suite's file, also with its id redacted. */
  | { is: "save"; saving: Omit<Saving, "events">; isFile: boolean }
  | { is: "change"; content: string; fields: Partial<Pick<SuiteCase, "title" | "tags" | "expected">> };

/** A case as it is stored: its content is JSON of millions of characters. */
export interface CaseText extends Pick<SuiteCase, "id" | "title" | "tags"> {
  /** As the case has it: redacted. */
  conversation_id: string;
  /** Recorded calls. */
  calls: number;
  /** The names of the tools that were called. */
  tools: string[];
  /** All who an erasure of whom covers the session. None if the case is only changed. */
  users: string[];
  /** Of a file: a list with it, printed as a field of the file. */
  content: string;
}

/** Why it cannot be done, as a sentence for a person. */
export type DoneCase = { ok: true; case: CaseText } | { ok: false; reason: string };

/** Makes and changes cases away from the main thread: one of 5 MB takes a second. */
export interface CaseWork {
  do(order: CaseOrder): Promise<DoneCase>;
}

/** Events of a conversation after a step, in order. */
export type ReadEvents = (
  conversationId: string,
  page: { after: number; limit: number },
) => SessionEvent[] | Promise<SessionEvent[]>;

const EVENTS_A_PAGE = 500;
/** Characters of all payloads. */
const MOST_CHARACTERS = 20_000_000;

/** Does what was ordered, in the thread that it is called in. */
export async function doCaseWork(order: CaseOrder, read: ReadEvents): Promise<DoneCase> {
  switch (order.is) {
    case "save": {
      const { saving, isFile } = order;
      const events = await allEvents(saving.conversation_id, read);
      if (events === null)
        return {
          ok: false,
          reason: `Its events have more than ${MOST_CHARACTERS.toLocaleString("en")} characters; fork it, or choose another`,
        };
      const saved = saveCase({ ...saving, events });
      if (!saved.ok) return saved;
      const users = usersOf(events);
      if (isFile) return { ok: true, case: textOf(saved.case, printed(saved.case), users) };
      // Not as it was redacted: then it might be another session's.
      const stored = { ...saved.case, id: saving.id };
      return { ok: true, case: textOf(stored, JSON.stringify(stored), users) };
    }
    case "change": {
      const changed = { ...suiteCase.parse(JSON.parse(order.content)), ...order.fields };
      return { ok: true, case: textOf(changed, JSON.stringify(changed), []) };
    }
    default:
      return order satisfies never;
  }
}

/** Null: they are too many characters. */
async function allEvents(id: string, read: ReadEvents): Promise<SessionEvent[] | null> {
  const events: SessionEvent[] = [];
  let size = 0;
  for (;;) {
    const page = await read(id, { after: events.at(-1)?.seq ?? 0, limit: EVENTS_A_PAGE });
    if (page.length === 0) return events;
    events.push(...page);
    size += page.reduce((sum, { payload }) => sum + JSON.stringify(payload).length, 0);
    if (size > MOST_CHARACTERS) return null;
  }
}

/** Those whose the session is, who wrote in it, and whose memory it has: as an erasure finds their conversations (`db/erasure`). */
function usersOf(events: readonly SessionEvent[]): string[] {
  const users = new Set<string>();
  for (const { type, actor, payload } of events) {
    if (actor?.startsWith(USER)) users.add(actor.slice(USER.length));
    const named = OF_USERS.has(type) && isJsonObject(payload) ? payload.user_id : undefined;
    if (typeof named === "string") users.add(named);
  }
  return [...users];
}

const USER = "user:";
const OF_USERS: ReadonlySet<string> = new Set(["conversation.created", "run.started", "memory.updated"]);

function textOf(saved: SuiteCase, content: string, users: string[]): CaseText {
  const { id, title, tags, source } = saved;
  const called = recordedSteps(saved).flatMap((step) => (step.kind === "call" ? [step.tool] : []));
  return {
    ...{ id, title, tags, conversation_id: source.conversation_id, content, users },
    ...{ calls: called.length, tools: [...new Set(called)].sort() },
  };
}

/** A line feed is nowhere within JSON's texts. */
function printed(saved: SuiteCase): string {
  return JSON.stringify([saved], null, 2).replaceAll("\n", "\n  ");
}
