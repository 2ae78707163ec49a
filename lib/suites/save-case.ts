import { redactJson } from "../redaction/redact.ts";
import type { RedactionRule } from "../redaction/rules.ts";
import { totalsOf } from "../session/compare/totals.ts";
import type { SessionEvent } from "../session/event.ts";
import { isRef } from "../session/json/cite.ts";
import { isJsonObject, type Json } from "../session/json/json.ts";
import { emptySession, fold } from "../session/reducer/reducer.ts";
import type { Session } from "../session/session.ts";
import { LARGEST_CASE, MOST_TURNS, type SuiteCase, suiteCase } from "./case.ts";
import type { Expectation } from "./expectations.ts";
import { turnsOf } from "./steps.ts";

/** Secrets and personal data that a case never has. */
const REDACTED: readonly RedactionRule[] = ["keys", "cards", "emails", "phones"];

/** A session from which a case is saved. */
export interface Saving {
  id: string;
  /** Null for the beginning of the first message. */
  title: string | null;
  tags: string[];
  conversation_id: string;
  /** All events of the session, in order, with whole payloads. */
  events: readonly SessionEvent[];
  /** The case begins with the first message of a user after this step. */
  seq: number;
  /** What must hold; by default, the same calls as recorded. */
  expected: Expectation[] | null;
}

/** Why a session is no case, as a sentence for a person. */
export type SavedCase = { ok: true; case: SuiteCase } | { ok: false; reason: string };

/**
 * A case from a recorded session: what users said from a step on, what the agent did about it and was answered, and the messages,
 * state and memory as they stood. Secrets, card numbers, addresses of e-mail and phone numbers are replaced, everywhere in the same
 * way, so that recorded parameters still match what the agent reads.
 */
export function saveCase({ id, title, tags, conversation_id, events, seq, expected }: Saving): SavedCase {
  const earlier = events.filter((event) => event.seq <= seq);
  const before = fold(emptySession(conversation_id), earlier);
  const after = fold(emptySession(conversation_id), events);
  const said = turnsOf(events.filter((event) => event.seq > seq)).filter(({ message }) => message !== "");
  // What was said last and got no answer has nothing to compare with.
  const turns = said.slice(0, said.findLastIndex(({ steps }) => steps.length > 0) + 1);
  if (turns.length === 0)
    return { ok: false, reason: "No user's message after this step was answered; choose an earlier step" };
  if (turns.length > MOST_TURNS)
    return {
      ok: false,
      reason: `It has ${turns.length} users' messages after this step; a case has at most ${MOST_TURNS}`,
    };
  const saved: Json = {
    ...{ id, title: title ?? turns[0]?.message ?? id, tags },
    source: { conversation_id, seq },
    agent_id: after.summary.agent_id,
    before: {
      messages: messagesOf(earlier),
      state: whole(stateOf(before), events),
      memory: whole(before.memory, events),
    },
    turns: turns.map(({ message, steps }) => ({ message, steps: steps.map((step) => ({ ...step })) })),
    state: whole(stateOf(after), events),
    taken: takenBetween(before, after),
    expected: expected ?? [{ kind: "same_calls" }],
  };
  // What is too large would be redacted for seconds first.
  if (JSON.stringify(saved).length > LARGEST_CASE) return TOO_LARGE;
  const redacted = redactJson(saved, REDACTED, { names: true });
  // Cut after it was redacted: half of a card number or an address is not recognized.
  if (isJsonObject(redacted) && typeof redacted.title === "string") redacted.title = cut(redacted.title);
  if (JSON.stringify(redacted).length > LARGEST_CASE) return TOO_LARGE;
  const read = suiteCase.safeParse(redacted);
  if (!read.success)
    return { ok: false, reason: `It cannot be a case: ${read.error.issues[0]?.message ?? "it has another form"}` };
  return { ok: true, case: read.data };
}

const TOO_LARGE: SavedCase = {
  ok: false,
  reason: `It is larger than ${LARGEST_CASE.toLocaleString("en")} characters; begin it later`,
};

/** What a session took after it stood as before. */
function takenBetween(before: Session, after: Session): Json {
  const usage = after.usage.map((one) => {
    const earlier = before.usage.find(({ model }) => model === one.model);
    return {
      model: one.model,
      responses: one.responses - (earlier?.responses ?? 0),
      unreported: one.unreported - (earlier?.unreported ?? 0),
      input_tokens: one.input_tokens - (earlier?.input_tokens ?? 0),
      output_tokens: one.output_tokens - (earlier?.output_tokens ?? 0),
    };
  });
  const [earlier, whole] = [before, after].map((session) => totalsOf(session, 0).duration);
  const duration = typeof whole === "number" ? Math.max(0, whole - (earlier ?? 0)) : null;
  return { usage: usage.filter(({ responses }) => responses > 0), duration };
}

/** The longest title, in characters. */
const LONGEST_TITLE = 120;

/** Cut between characters: half of one is refused where the case is sent again. */
function cut(title: string): string {
  if (title.length <= LONGEST_TITLE) return title;
  return `${title.slice(0, LONGEST_TITLE - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A value of a session with its references to large parts resolved: those stand in these events. */
function whole(value: Json | undefined, events: readonly SessionEvent[]): Json {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map((one) => whole(one, events));
  if (!isJsonObject(value)) return value;
  if (!isRef(value)) return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, whole(one, events)]));
  const [, after, field] = CITED.exec(value.$ref) ?? [];
  const payload = events.find(({ seq }) => seq === Number(after) + 1)?.payload;
  const cited = field !== undefined && isJsonObject(payload) ? payload[field] : undefined;
  return cited ?? value;
}

/** The reference to a field of an event's payload. */
const CITED = /\/events\?after=(\d{1,15})&limit=1#\/items\/0\/payload\/([a-z_]+)$/;

/** The states of the newest run that has one, by instance. */
export function stateOf({ runs }: Pick<Session, "runs">): Record<string, Json> {
  const top = [...runs.values()].filter(({ parent_run_id }) => parent_run_id === null);
  const newest = top.findLast(({ state }) => Object.keys(state).length > 0);
  return newest ? structuredClone(newest.state) : {};
}

function messagesOf(events: readonly SessionEvent[]): Json[] {
  return turnsOf(events).flatMap(({ message, steps }) => [
    ...(message === "" ? [] : [{ role: "user", content: message }]),
    ...steps.flatMap((step) => (step.kind === "says" ? [{ role: "assistant", content: step.content }] : [])),
  ]);
}
