import { type ShownRunStatus, shownRunStatus } from "@/components/studio/header/shown-run-status.ts";
import type { Run, Speaking, Stage } from "@/lib/session/session.ts";
import type { TimelineRows } from "@/lib/session/timeline/timeline.ts";
import { type DialogEdge, ENDS } from "./dialog-graph.ts";

/** One stay of a turn at a node of the main graph. */
export interface Visit {
  /** Its place on the way, from 1. */
  order: number;
  node: string;
  seq: number;
  /** The node that it went on to; null while it is here. */
  next: Stage | null;
  /** Who spoke there, one after another. */
  speakers: Speaking[];
  /** The agents of the node, each once: those that spoke, else the one that the node names. */
  agents: string[];
}

/** The way that a turn has taken so far. */
export function wayOf({ stages, speakers }: Pick<Run, "stages" | "speakers">): Visit[] {
  return stages.map(({ node, agent_id, seq }, index) => {
    const next = stages[index + 1] ?? null;
    const here = speakers.filter((one) => one.seq > seq && (next === null || one.seq < next.seq));
    const spoke = [...new Set(here.map((speaking) => speaking.agent_id))];
    const agents = spoke.length > 0 ? spoke : agent_id === null ? [] : [agent_id];
    return { order: index + 1, node, seq, next, speakers: here, agents };
  });
}

/** The nodes at which agents have the word, in order: not where turns begin, end, or where their stage is found. */
export function handlersOf({ stages }: Pick<Run, "stages">): string[] {
  return stages.map(({ node }) => node).filter((node) => node !== "detect_stage" && node !== ENDS.end);
}

/** How a node stands: where the turn is, as the turn does; before that, passed; else still possible, or left out. */
export function nodeStatus(
  run: Pick<Run, "status" | "reason" | "simulated" | "ended_seq">,
  way: readonly Visit[],
  node: string,
): ShownRunStatus | "succeeded" | "planned" | "skipped" {
  const last = way.at(-1);
  if (last?.node === node && node !== ENDS.end) return shownRunStatus(run);
  if (node === ENDS.start || way.some((visit) => visit.node === node)) return "succeeded";
  return run.ended_seq === null ? "planned" : "skipped";
}

/** Whether the turn went along an edge, still may, or will not. */
export function edgeState(
  run: Pick<Run, "ended_seq">,
  way: readonly Visit[],
  { from, to }: DialogEdge,
): "done" | "idle" | "off" {
  const left = way.filter((visit) => visit.node === from && visit.next !== null);
  const first = way[0];
  if (from === ENDS.start && first) return first.node === to ? "done" : "off";
  if (left.some(({ next }) => next?.node === to)) return "done";
  return left.length > 0 || run.ended_seq !== null ? "off" : "idle";
}

/** An iteration that an agent had, by the step that began it. */
export interface SpokenIteration {
  agent_id: string;
  iteration: number;
  seq: number;
}

/** The iterations of a visit by a step: the log names a speaker at its first, and the others follow. */
export function iterationsOf(runId: string, visit: Visit, rows: TimelineRows | null, at: number): SpokenIteration[] {
  return visit.speakers.flatMap((speaking, index) => {
    const end = Math.min(visit.speakers[index + 1]?.seq ?? visit.next?.seq ?? at + 1, at + 1);
    const begun = (rows ?? []).filter(
      ({ seq, type, run }) => type === "run.iteration" && run === runId && seq >= speaking.seq && seq < end,
    );
    const seqs = begun.length > 0 ? begun.map(({ seq }) => seq) : [speaking.seq];
    return seqs.map((seq, place) => ({ agent_id: speaking.agent_id, iteration: speaking.iteration + place, seq }));
  });
}
