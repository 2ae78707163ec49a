import type {
  Call,
  CallStatus,
  ConversationStatus,
  DecidedStatus,
  RunStatus,
  ShownConversationStatus,
} from "@/lib/session/session.ts";
import type { IconName } from "./icon.tsx";

/** A person has decided, and the agent has not answered yet: it was approved, or refused. */
type Answerless = "approved" | "refused";

/** What a call's status says: a failure that the plan took up needs no look (P10), nor does what somebody has decided. */
export type ShownCallStatus = CallStatus | "handled" | Answerless;

/** The status of a call, a run or a conversation; `forked`: a fork closed it. */
export type Status = ShownCallStatus | RunStatus | ConversationStatus | ShownConversationStatus | "forked";

/** How a status looks: its colour (`--st-…`) and its silhouette. */
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

/** The one place that tells how each status looks. Its word is in `events`: `call_status.parked`, `run_status.…`. */
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

/** Text in a status' colour, written out so that Tailwind finds the names. */
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

/** The ground that goes with the ink. */
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

/** The status that a call is shown with. A call that has not started, or was skipped in a plan that is only shown, is `planned`. */
export function shownStatus(call: Pick<Call, "status" | "handled" | "decision" | "planned"> | null): ShownCallStatus {
  if (!call || (call.status === "skipped" && call.planned)) return "planned";
  if (call.status === "parked" && call.decision !== null) return answerless(call.decision);
  return call.status === "failed" && call.handled ? "handled" : call.status;
}

/** Whether a conversation of this status needs no attention; it is shown without colour. */
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
