import type { CallStatus } from "../../session/session.ts";

/**
 * How a call ended, as far as the calls that read its results are concerned (P21). `planned`: skipped, because it is only
 * planned and not executed. `lost`: failed unhandled, blocked, denied or cancelled.
 */
export type Ending = "done" | "skipped" | "planned" | "lost";

/** What a call has come to. */
export interface CallOutcome {
  status: CallStatus;
  /** Its error was handled by its error alternative (P10). */
  handled: boolean;
  /** It was skipped because it is only planned, not executed (M13). */
  planned: boolean;
}

/** How a call has ended (P21); null until it has. */
export function endingOf({ status, handled, planned }: CallOutcome): Ending | null {
  switch (status) {
    case "planned":
    case "running":
    case "parked":
      return null;
    case "succeeded":
    case "superseded":
      return "done";
    case "skipped":
      return planned ? "planned" : "skipped";
    case "failed":
      return handled ? "done" : "lost";
    case "blocked":
    case "denied":
    case "cancelled":
      return "lost";
    default:
      return status satisfies never;
  }
}
