import type { Run } from "../session.ts";

/** The speaker of a run at a step (D1): the newest one by then, else the run's agent. */
export function speakerAt(run: Pick<Run, "agent_id" | "speakers">, seq: number): string | null {
  return run.speakers.findLast((speaking) => speaking.seq <= seq)?.agent_id ?? run.agent_id;
}
