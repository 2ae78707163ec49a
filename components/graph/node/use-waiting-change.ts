import type { ValueChange } from "@/components/approvals/item/changes.ts";
import { useStudio } from "@/components/studio/use-studio.ts";
import type { Call } from "@/lib/session/session.ts";
import { waitingChange } from "./waiting-change.ts";

/** What a call that waits for a person would change; null for any other. */
export function useWaitingChange(call: Call | null): ValueChange | null {
  const confirmation = useStudio(({ session }) => session.confirmations.get(call?.confirmation_id ?? "") ?? null);
  const states = useStudio(({ session }) => session.runs.get(call?.run_id ?? "")?.state);
  return call && waitingChange(call, confirmation, states?.[call.instance] ?? states?.[""] ?? null);
}
