import type {
  Call,
  CallStatus,
  ConversationStatus,
  DecidedStatus,
  RunStatus,
  ShownConversationStatus,
} from "@/lib/session/session.ts";
import type { IconName } from "./icon.tsx";

/** Decided, and the agent has not continued yet: approved or denied. */
type Answerless = "approved" | "refused";

/** A call's status with special cases: a handled failure (P10) and a decided call need no attention. */
export type ShownCallStatus = CallStatus | "handled" | Answerless;

/** The status of a call, a run or a conversation; `forked`: closed by a fork. */
export type Status = ShownCallStatus | RunStatus | ConversationStatus | ShownConversationStatus | "forked";

/** The look of a status: color (`--st-…`) and shape. */
interface StatusLook {
  token: StatusToken;
  icon: IconName;
}

export type StatusToken =
  | "planned"
  | "running"
  | "succeeded"
  | "failed"
  | "handled"
  | "waiting"
  | "skipped"
  | "blocked"
  | "denied"
  | "superseded"
  | "cancelled"
  | "escalated";

/** How each status looks; its text is in `events`: `call_status.parked`, `run_status.…`. */
export const STATUS = {
  planned: { token: "planned", icon: "planned" },
  queued: { token: "planned", icon: "planned" },
  running: { token: "running", icon: "running" },
  parked: { token: "waiting", icon: "waiting" },
  waiting: { token: "waiting", icon: "waiting" },
  approved: { token: "running", icon: "succeeded" },
  refused: { token: "running", icon: "denied" },
  succeeded: { token: "succeeded", icon: "succeeded" },
  finished: { token: "succeeded", icon: "succeeded" },
  idle: { token: "succeeded", icon: "succeeded" },
  done: { token: "succeeded", icon: "succeeded" },
  no_answer: { token: "planned", icon: "planned" },
  not_run: { token: "planned", icon: "planned" },
  no_runs: { token: "planned", icon: "planned" },
  simulated: { token: "planned", icon: "planned" },
  failed: { token: "failed", icon: "failed" },
  handled: { token: "handled", icon: "handled" },
  skipped: { token: "skipped", icon: "skipped" },
  blocked: { token: "blocked", icon: "blocked" },
  denied: { token: "denied", icon: "denied" },
  superseded: { token: "superseded", icon: "superseded" },
  cancelled: { token: "cancelled", icon: "cancelled" },
  forked: { token: "cancelled", icon: "cancelled" },
  escalated: { token: "escalated", icon: "escalated" },
} as const satisfies Record<Status, StatusLook>;

/** Text colors, written out so that Tailwind finds the names. */
export const STATUS_INK = {
  planned: "text-st-planned",
  running: "text-st-running",
  succeeded: "text-st-succeeded",
  failed: "text-st-failed",
  handled: "text-st-failed",
  waiting: "text-st-waiting",
  skipped: "text-st-skipped",
  blocked: "text-st-blocked",
  denied: "text-st-denied",
  superseded: "text-st-superseded",
  cancelled: "text-st-cancelled",
  escalated: "text-st-escalated",
} as const satisfies Record<StatusToken, string>;

/** The matching backgrounds. */
export const STATUS_GROUND = {
  planned: "bg-st-planned-bg",
  running: "bg-st-running-bg",
  succeeded: "bg-st-succeeded-bg",
  failed: "bg-st-failed-bg",
  handled: "bg-st-failed-bg",
  waiting: "bg-st-waiting-bg",
  skipped: "bg-st-skipped-bg",
  blocked: "bg-st-blocked-bg",
  denied: "bg-st-denied-bg",
  superseded: "bg-st-superseded-bg",
  cancelled: "bg-st-cancelled-bg",
  escalated: "bg-st-escalated-bg",
} as const satisfies Record<StatusToken, string>;

/** The shown status of a call. One that has not started, or was skipped in a plan without execution, is `planned`. */
export function shownStatus(call: Pick<Call, "status" | "handled" | "decision" | "planned"> | null): ShownCallStatus {
  if (!call || (call.status === "skipped" && call.planned)) return "planned";
  if (call.status === "parked" && call.decision !== null) return answerless(call.decision);
  return call.status === "failed" && call.handled ? "handled" : call.status;
}

/** Whether a conversation's status needs no attention; it is shown without color. */
export function isQuiet(status: ShownConversationStatus): boolean {
  return QUIET.has(status);
}

const QUIET: ReadonlySet<ShownConversationStatus> = new Set([
  "done",
  "no_answer",
  "not_run",
  "no_runs",
  "simulated",
  "cancelled",
]);

function answerless(decision: DecidedStatus): Answerless {
  return decision === "approved" ? "approved" : "refused";
}
