import { isLost } from "@/components/selection/missing-inputs.ts";
import type { TargetPlace } from "@/lib/plan/links.ts";
import type { Call } from "@/lib/session/session.ts";

/** Whether a value was written, is pending, or will never be; `cut` when its reader is blocked. */
export type LinkState = "done" | "idle" | "off" | "cut";

/** The state of a target of a call's output path with this many alternatives (P10, P21). */
export function targetState(
  writer: Call | null,
  { alternative }: TargetPlace,
  alternatives: number,
): "done" | "idle" | "off" {
  const status = writer?.status ?? "planned";
  switch (status) {
    case "planned":
    case "running":
    case "parked":
      return "idle";
    case "succeeded":
      return alternative === (writer?.branch ?? 0) ? "done" : "off";
    case "failed":
      return writer?.handled && alternative === (writer.branch ?? alternatives - 1) ? "done" : "off";
    case "skipped":
    case "blocked":
    case "denied":
    case "superseded":
    case "cancelled":
      return "off";
    default:
      return status satisfies never;
  }
}

/** The state of an edge: that of its target, or cut when the reader is blocked and the writer failed (P21). */
export function linkState(
  writer: Call | null,
  reader: Call | null,
  target: TargetPlace,
  alternatives: number,
): LinkState {
  const state = targetState(writer, target, alternatives);
  return reader?.status === "blocked" && writer && isLost(writer) ? "cut" : state;
}
