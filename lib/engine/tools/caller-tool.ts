import type { Handler, RegisteredTool } from "./tools.ts";

/** Stands for the program that started a turn: it carries its own tools out, and sends their results. */
const CALLER: Handler = {
  activity: async () => {
    throw new Error("A tool of the caller is not carried out here");
  },
  // Nothing is sent to it: it reads from the log what to do.
  idempotent: false,
  timeout_ms: 1_000,
  retries: 0,
};

/** A tool that the program carries out which started the turn. What it does there is that program's own matter. */
export function callerTool(tool: RegisteredTool): RegisteredTool {
  return { ...tool, has_activity: true, handler: CALLER, effect: "read" };
}

export function isCallers(handler: Handler | null | undefined): boolean {
  return handler === CALLER;
}
