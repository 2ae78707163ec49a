import { type Playback, playOn } from "@/lib/session/timeline/playback.ts";
import type { TimelineRows } from "@/lib/session/timeline/timeline.ts";

/** What the player plays. */
interface Deck {
  place(): { at: number; last: number; rows: TimelineRows; speed: number };
  /** Moves to a step; false when it is not loaded yet, and the player has to wait. */
  moveTo(at: number): boolean;
}

/** Advances on every frame, by recorded time. */
export class Player {
  readonly #deck: Deck;
  #frame: number | null = null;
  #then: number | null = null;
  #playback: Playback = { at: 0, spent: 0 };

  constructor(deck: Deck) {
    this.#deck = deck;
  }

  start(): void {
    this.#then = null;
    this.#frame = requestAnimationFrame(this.#play);
  }

  stop(): void {
    if (this.#frame !== null) cancelAnimationFrame(this.#frame);
    this.#frame = null;
  }

  readonly #play = (now: number): void => {
    const elapsed = now - (this.#then ?? now);
    this.#then = now;
    this.#frame = requestAnimationFrame(this.#play);
    const { at, last, rows, speed } = this.#deck.place();
    // If the reader moved, playback continues from there.
    const from = this.#playback.at === at ? this.#playback : { at, spent: 0 };
    const next = playOn(rows, from, elapsed * speed, last);
    if (next.at === at || this.#deck.moveTo(next.at)) this.#playback = next;
  };
}
