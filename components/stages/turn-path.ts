import { type ShownRunStatus, shownRunStatus } from "@/components/studio/header/shown-run-status.ts";
import type { Run, Speaking, Stage } from "@/lib/session/session.ts";
import type { TimelineRows } from "@/lib/session/timeline/timeline.ts";
import { type DialogEdge, ENDS } from "./dialog-graph.ts";

/** A turn's visit of a node. */
export interface Visit {
  /** Its position on the path, from 1. */
  order: number;
  node: string;
  seq: number;
  /** The next node; null for the current one. */
  next: Stage | null;
  /** The agents that spoke, in order. */
  speakers: Speaking[];
  /** The agents that spoke, without repetition; else the node's agent. */
  agents: string[];
}

/** The path of a turn. */
export function turnPathOf({ stages, speakers }: Pick<Run, "stages" | "speakers">): Visit[] {
  return stages.map(({ node, agent_id, seq }, index) => {
    const next = stages[index + 1] ?? null;
    const here = speakers.filter((one) => one.seq > seq && (next === null || one.seq < next.seq));
    const spoke = [...new Set(here.map((speaking) => speaking.agent_id))];
    const agents = spoke.length > 0 ? spoke : agent_id === null ? [] : [agent_id];
    return { order: index + 1, node, seq, next, speakers: here, agents };
  });
}

/** The nodes with agents, in order: without start, end and stage detection. */
export function handlersOf({ stages }: Pick<Run, "stages">): string[] {
  return stages.map(({ node }) => node).filter((node) => node !== "detect_stage" && node !== ENDS.end);
}

/** The status of a node: the turn's for the current one; else passed, possible or skipped. */
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

/** Whether an edge was taken, is possible, or is not. */
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

/** An iteration of an agent, by its first step. */
export interface SpokenIteration {
  agent_id: string;
  iteration: number;
  seq: number;
}

/** The iterations of a visit up to a step: only the first event of an agent names it. */
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
