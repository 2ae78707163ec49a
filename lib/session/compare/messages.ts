import { isRef } from "../json/cite.ts";
import type { Message } from "../session.ts";
import { align } from "./align.ts";
import { type Compared, type Presence, type Sides, sharedSteps } from "./sides.ts";
import { type WordChange, wordChanges } from "./words.ts";

/** Two matching messages, or one without a match. */
export interface MessagePair extends Sides<Message> {
  standing: Presence;
}

/** A part of a message that the other side has too, or not. */
export interface Words {
  text: string;
  changed: boolean;
}

/** Texts that have less than this share in common are shown whole: single common words mean nothing. */
const LIKE = 0.25;

/**
 * Matches the messages of two sessions (C10): equal ones, and between them those of one role in order. Messages older
 * than those that the other side still has are left out (E8).
 */
export function compareMessages(one: Compared, two: Compared): MessagePair[] {
  const shared = sharedSteps(one, two);
  const [a, b] = [{ messages: knownTo(two, one, shared) }, { messages: knownTo(one, two, shared) }];
  const { spans } = align(a.messages.map(saying), b.messages.map(saying));
  const pairs: MessagePair[] = [];
  let gap: Message[] = [];
  const close = (others: readonly Message[]) => {
    pairs.push(...pairByRole(gap, others));
    gap = [];
  };
  for (const span of spans) {
    const [ofA, ofB] = [a.messages.slice(span.a, span.a + span.count), b.messages.slice(span.b, span.b + span.count)];
    if (span.kind === "a") gap = ofA;
    else if (span.kind === "b") close(ofB);
    else {
      close([]);
      for (const [index, message] of ofA.entries()) pairs.push({ standing: "same", a: message, b: ofB[index] ?? null });
    }
  }
  close([]);
  return pairs;
}

function knownTo(other: Compared, { messages }: Compared, shared: number): Message[] {
  if (other.messages_before === 0) return [...messages];
  const oldest = other.messages[0]?.seq ?? Number.POSITIVE_INFINITY;
  return messages.filter(({ seq }) => seq > shared || seq >= oldest);
}

function pairByRole(a: readonly Message[], b: readonly Message[]): MessagePair[] {
  const role = (message: Message) => message.role;
  return align(a.map(role), b.map(role)).spans.flatMap((span) =>
    Array.from({ length: span.count }, (_, index): MessagePair => {
      const one = span.kind === "b" ? null : (a[span.a + index] ?? null);
      const two = span.kind === "a" ? null : (b[span.b + index] ?? null);
      return { standing: span.kind === "same" ? "changed" : span.kind, a: one, b: two };
    }),
  );
}

/** A key of a message's role and text. A long text is represented by its size. */
function saying({ role, content }: Message): string {
  return JSON.stringify([role, isRef(content) ? content.bytes : content]);
}

/** Both texts in parts that the other has too, or not. */
export function compareWords(a: string, b: string): { a: Words[]; b: Words[] } {
  const changes = wordChanges(a, b);
  if (!changes || !isLike(changes, Math.max(a.length, b.length)))
    return { a: [{ text: a, changed: true }], b: [{ text: b, changed: true }] };
  const side = (own: "added" | "removed", other: "added" | "removed") =>
    changes.flatMap((change) => (change[other] ? [] : [{ text: change.text, changed: change[own] }]));
  return { a: side("removed", "added"), b: side("added", "removed") };
}

function isLike(changes: readonly WordChange[], longer: number): boolean {
  const common = changes.flatMap(({ added, removed, text }) => (added || removed ? [] : text));
  return common.join("").replace(/\s/gu, "").length >= longer * LIKE;
}
