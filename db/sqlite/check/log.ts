import { type Check, counted } from "./check-context.ts";

interface Step {
  conversation_id: string;
  seq: number;
  position: number;
}

const TELL_EVERY = 100_000;

/**
 * The log has no gaps (E2): a conversation's steps are 1 to the last, in the order of their positions. Positions may
 * have gaps, left by imports and retention. Events without a conversation have no step.
 */
export const checkLog: Check = {
  name: "log",
  remedy: "Steps of the log are missing or out of order and cannot be rebuilt: restore a backup.",
  run({ connection, tell }, faults) {
    const steps = connection
      .prepare<[], Step>(
        `SELECT conversation_id, seq, position FROM events WHERE conversation_id IS NOT NULL
         ORDER BY conversation_id, seq`,
      )
      .iterate();
    let events = 0;
    let conversations = 0;
    let before: Step | null = null;
    for (const step of steps) {
      events += 1;
      if (events % TELL_EVERY === 0) tell(counted(events, "event"));
      const last: Step | null = before?.conversation_id === step.conversation_id ? before : null;
      if (!last) conversations += 1;
      const expected = (last?.seq ?? 0) + 1;
      if (step.seq !== expected)
        faults.add(`${step.conversation_id}: step ${expected} is missing, the next is ${step.seq}`);
      if (last && step.position <= last.position)
        faults.add(`${step.conversation_id}: step ${step.seq} comes before step ${last.seq} in the log`);
      before = step;
    }
    const outside = connection
      .prepare<[], number>("SELECT position FROM events WHERE conversation_id IS NULL AND seq <> 0")
      .pluck();
    for (const position of outside.iterate()) faults.add(`The event at ${position} has a step but no conversation`);
    return `${counted(events, "step")} of ${counted(conversations, "conversation")}`;
  },
};
