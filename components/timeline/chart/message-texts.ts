import type { Session } from "@/lib/session/session.ts";

/** The most characters beside a mark. */
const LETTERS = 120;

/** The first words of messages by step. Rows have no texts, so they are taken from sessions. */
export class MessageTexts {
  readonly #bySeq = new Map<number, string>();
  #newest: Session["messages"] | null = null;

  get bySeq(): ReadonlyMap<number, string> {
    return this.#bySeq;
  }

  /** Adds the messages of a session; true when there are new ones. */
  learn({ messages }: Session): boolean {
    if (messages === this.#newest) return false;
    this.#newest = messages;
    const known = this.#bySeq.size;
    for (const { seq, role, content } of messages) {
      if ((role !== "user" && role !== "operator") || typeof content !== "string" || this.#bySeq.has(seq)) continue;
      this.#bySeq.set(seq, content.slice(0, LETTERS).replaceAll(/\s+/g, " ").trim());
    }
    return this.#bySeq.size > known;
  }
}
