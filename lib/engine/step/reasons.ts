/**
 * Why the engine itself lets a call or a run end, go on or wait, in the words that its events keep (P12, P19b, P21–P24,
 * M9, M13). The console recognizes them, and tells them in its reader's language.
 */
export const REASONS = {
  alreadyDone: () => "Already done",
  alreadyThere: (paths: readonly string[]) => `${paths.join(", ")} ${paths.length === 1 ? "is" : "are"} already there`,
  cameLate: (paths: readonly string[]) => `${paths.join(", ")} was already there when the result arrived`,
  plannedOnly: () => "Planned only: canary mode does not carry out calls that change something or require approval",
  simulated: () => "Simulated: it is not carried out in this fork, and nothing was recorded for these parameters",
  notRecorded: (tool: string) =>
    `This server cannot carry out ${tool}, and no result was recorded for these parameters`,
  sameAwaits: (key: string) => `The same action is already waiting for approval (${key})`,
  replaced: (description: string) => `Replaced by another request: ${description}`,
  deniedBy: (actor: string) => `Denied by ${actor}`,
  deniedBefore: (actor: string) => `${actor} denied it before in this run`,
  cancelledBy: (actor: string) => `Cancelled by ${actor}`,
  takenOverBy: (manager: string) => `Taken over by ${manager}`,
  delegateCancelled: () => "Its delegate's run was cancelled",
  /** `spent`: "20 calls", "5000 tokens", "60000 ms". */
  budgetSpent: (spent: string) => `The budget of ${spent} is spent`,
  budgetUsedUp: (spent: string) =>
    `The run has used up its budget of ${spent}; resume it to grant it the same once more, ` +
    "or run its plan with a larger budget",
  callsLost: (count: number, told: string) => `${count === 1 ? "One call" : `${count} calls`} did not succeed: ${told}`,
  planCut: () => "The server stopped before its plan was complete",
  noPlan: () => "The model gave no plan",
  otherPlan: () => "The final plan was different",
  awaitsDecisions: (calls: number) =>
    calls === 1 ? "One call is waiting for approval" : `${calls} calls are waiting for approval`,
  awaitsCaller: (calls: number) =>
    calls === 1
      ? "One call is waiting for the program that started the run"
      : `${calls} calls are waiting for the program that started the run`,
  answered: () => "The program that started it has answered",
  decided: () => "It is no longer waiting for approval",
  turnCame: () => "Dequeued",
  resumedBy: (actor: string) => `Resumed by ${actor}`,
  serverStarted: () => "The server was started again",
  escalated: () => "A manager was called",
};

/** Why the runs of a tree end in which a manager was called (D9), as their ends tell. */
export const ESCALATED = "escalated";
