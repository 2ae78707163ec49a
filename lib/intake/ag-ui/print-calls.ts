import type { Payload } from "../../session/events/catalogue.ts";

/** Identifies a call of a run: plans reuse call ids in later iterations. */
export type CallPlace = Pick<Payload<"call.started">, "call_id" | "iteration" | "instance">;

/** The AG-UI ids of calls: their own, unless another call of the conversation has the same. */
export class CallNames {
  private readonly names = new Map<string, string>();
  private readonly taken = new Set<string>();

  give(runId: string | null, place: CallPlace): string {
    const { call_id, iteration, instance = "" } = place;
    const isTaken = this.taken.has(call_id);
    const name = isTaken ? [call_id, runId, iteration, instance, this.taken.size].join(":") : call_id;
    this.taken.add(name);
    this.names.set(keyOf(runId, place), name);
    return name;
  }

  /** Undefined for a call whose start was not emitted. */
  find(runId: string | null, place: CallPlace): string | undefined {
    return this.names.get(keyOf(runId, place));
  }
}

function keyOf(runId: string | null, { call_id, iteration, instance = "" }: CallPlace): string {
  return JSON.stringify([runId, iteration ?? null, instance, call_id]);
}
