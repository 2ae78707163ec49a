import { cite } from "./cite.ts";
import type { KnownEvent } from "./event.ts";
import type { Folding } from "./folding.ts";
import type { Run, Stage } from "./session.ts";

/** So many nodes and speakers of a run are kept (E8): a turn comes to a handful. */
const KEPT = 100;

/** A turn comes to a node of the main graph, with the conversation state by then (D1, D3). */
export function foldStage(folding: Folding, event: Extract<KnownEvent, { type: "stage.entered" }>): void {
  const { node, agent_id, state } = event.payload;
  const run = folding.runOf(event);
  const stage: Stage = { node, agent_id: agent_id ?? null, seq: event.seq };
  run.stages = [...run.stages.slice(1 - KEPT), stage];
  folding.root.conversation_state = state ? cite(event, "/state", state) : null;
}

/** Another agent speaks from this iteration on, or the same one anew (D1). */
export function foldSpeaker(run: Run, event: Extract<KnownEvent, { type: "run.iteration" }>): void {
  const { speaker } = event.payload;
  if (!speaker) return;
  const { agent_id, node } = speaker;
  run.speakers = [...run.speakers.slice(1 - KEPT), { agent_id, node, iteration: run.iteration, seq: event.seq }];
}
