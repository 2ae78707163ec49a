import type { HistoryStep } from "../../lib/session/find/state-history.ts";
import { toIso } from "../times.ts";

/**
 * How many bytes of payload one answer goes through after its first step: about 100 ms of a reader thread. What is left is
 * asked for with `next`.
 */
export const MOST_HISTORY_BYTES = 32_000_000;

export type HistoryRow = Omit<HistoryStep, "occurred_at" | "payload" | "type"> & {
  type: HistoryStep["type"];
  occurred_at: number | null;
  /** Only of the types whose columns do not say enough. */
  payload: string | null;
};

/** What is stored has been checked against the catalogue; null for a write that the page has behind it. */
export function toHistoryStep({ payload, occurred_at, ...row }: HistoryRow): HistoryStep | null {
  const step = { ...row, occurred_at: occurred_at === null ? null : toIso(occurred_at) };
  switch (step.type) {
    case "plan.proposed":
    case "state.written":
      return payload === null ? null : { ...step, type: step.type, payload: JSON.parse(payload) };
    case "run.started":
    case "run.iteration":
    case "call.started":
      return { ...step, type: step.type };
    default:
      return step.type satisfies never;
  }
}
