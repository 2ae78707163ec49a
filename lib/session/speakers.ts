import type { Run } from "./session.ts";

/** Who spoke in a run at a step (D1): the newest speaker by then, else the agent that it began with. */
export function speakerAt(run: Pick<Run, "agent_id" | "speakers">, seq: number): string | null {
  return run.speakers.findLast((speaking) => speaking.seq <= seq)?.agent_id ?? run.agent_id;
}
