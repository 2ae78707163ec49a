import type { SpanMessage } from "../span.ts";

/** A message of the conversation, as far as it counts here. */
export interface Said {
  role: "user" | "assistant";
  text: string;
}

/**
 * What a conversation has been told so far. Every request to a model repeats the history, whole or its end, so that what
 * is new in it has to be found (E15).
 */
export class Thread {
  private readonly keys: string[] = [];
  private readonly places = new Map<string, number[]>();
  private lastAnswer = -1;

  constructor(said: readonly Said[]) {
    for (const one of said) this.add(one);
  }

  /** A message is told. */
  add(one: Said): void {
    const place = this.keys.push(keyOf(one)) - 1;
    const key = keyOf(one);
    const places = this.places.get(key);
    if (places) places.push(place);
    else this.places.set(key, [place]);
    if (one.role === "assistant") this.lastAnswer = place;
  }

  /** Whether this is the newest that was told. */
  isLast(one: Said): boolean {
    return this.keys.at(-1) === keyOf(one);
  }

  /**
   * What an input has beyond what was told: all that comes after the last message that is found again. What an agent has
   * said is told from its outputs; a history that has it in other words does not tell it once more. `begins`: it is the
   * first input of a turn, so that a last message of the user which was answered before is said again, not repeated.
   */
  news(input: readonly Said[], begins: boolean): Said[] {
    let place = -1;
    let found = -1;
    for (const [index, one] of input.entries()) {
      const next = this.places.get(keyOf(one))?.find((each) => each > place);
      if (next === undefined) continue;
      place = next;
      found = index;
    }
    const last = input.at(-1);
    if (begins && last?.role === "user" && found === input.length - 1) return this.wasAnswered(last) ? [last] : [];
    const news = input.slice(found + 1);
    if (this.lastAnswer <= place) return news;
    const own = news.findIndex(({ role }) => role === "user");
    return own < 0 ? [] : news.slice(own);
  }

  private wasAnswered(one: Said): boolean {
    return this.lastAnswer > (this.places.get(keyOf(one))?.at(-1) ?? -1);
  }
}

function keyOf({ role, text }: Said): string {
  return `${role}\n${text.trim()}`;
}

/** What people and the agent say in these messages. A message of calls alone says nothing; one of pictures alone says "". */
export function saidIn(messages: readonly SpanMessage[]): Said[] {
  return messages.flatMap(({ role, parts }) => {
    if (role !== "user" && role !== "assistant") return [];
    if (!parts.some(({ type }) => type === "text" || type === "other")) return [];
    const text = parts.flatMap((part) => (part.type === "text" ? [part.content] : [])).join("\n");
    return [{ role, text }];
  });
}
