import type { ScoreStore, WaitingScore } from "../../db/repositories.ts";
import type { Clock } from "../engine/ports.ts";

/** Scores of spans, which wait until their span is mapped to events. */
export interface SpanScores {
  /** Stores them, durably. */
  keep(scores: readonly WaitingScore[]): Promise<void>;
  /** Continues with what an earlier process left. */
  start(): void;
  stop(): void;
}

/** How long a score waits for its span, ms: evaluations come after it, but a trace may go on for minutes. */
const LONGEST_MS = 10 * 60_000;
/** How often it is looked for, ms. */
const LOOK_MS = 2_000;

/** Keeps scores and gives them their conversations; one loop, which ends when nothing waits. */
export function createSpanScores({
  scores,
  clock,
  logger,
}: {
  scores: Pick<ScoreStore, "keep" | "settle">;
  clock: Clock;
  logger: { error(details: object, message: string): void };
}): SpanScores {
  let cancel: (() => void) | null = null;
  let isStopped = false;

  function look(): void {
    if (isStopped) return;
    cancel ??= clock.later(LOOK_MS, async () => {
      let left = 1;
      try {
        left = (await scores.settle(clock.now() - LONGEST_MS)).waiting;
      } catch (error) {
        logger.error({ err: error }, "Could not place scores of spans");
      }
      cancel = null;
      if (left > 0) look();
    });
  }

  return {
    async keep(given) {
      if (given.length === 0) return;
      await scores.keep(given);
      look();
    },
    start: look,
    stop() {
      isStopped = true;
      cancel?.();
    },
  };
}
