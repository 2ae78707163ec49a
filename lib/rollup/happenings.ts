/** What can have happened in a conversation: what a number of the overview counts, and what the list is filtered by. */
export const HAPPENINGS = [
  "began",
  "turn",
  "failed_turn",
  "escalated",
  "approval",
  "call",
  "failed_call",
  "cost",
  "scored",
] as const;
