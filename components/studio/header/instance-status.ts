import { type ShownCallStatus, shownStatus } from "@/components/ui/status.ts";
import type { Call } from "@/lib/session/session.ts";

// Statuses in order of importance: an instance has the first one that any of its calls has.
const FIRST: readonly ShownCallStatus[] = [
  "parked",
  "failed",
  "blocked",
  "running",
  "approved",
  "refused",
  "denied",
  "cancelled",
  "planned",
];

/** Statuses that need attention. */
export function isPressing(status: ShownCallStatus): boolean {
  return status === "parked" || status === "failed" || status === "blocked";
}

type Standing = Pick<Call, "status" | "handled" | "decision" | "planned">;

/** The status of an instance's calls: attention, running, planned, else done. */
export function instanceStatus(calls: readonly Standing[]): ShownCallStatus {
  const statuses = new Set(calls.map(shownStatus));
  const first = FIRST.find((status) => statuses.has(status));
  if (first) return first;
  // Without an executed call it is not done.
  const isDone = statuses.size === 0 || statuses.has("succeeded") || statuses.has("handled");
  return isDone ? "succeeded" : "skipped";
}

/** The status of each instance; calls without one count for all. */
export function instanceStatuses(
  calls: readonly (Standing & Pick<Call, "instance">)[],
  instances: readonly string[],
): Map<string, ShownCallStatus> {
  const own = Map.groupBy(calls, ({ instance }) => instance);
  const shared = own.get("") ?? [];
  return new Map(instances.map((name) => [name, instanceStatus([...shared, ...(own.get(name) ?? [])])]));
}

/** The number of instances by status, those that need attention first. */
export function countStatuses(statuses: Iterable<ShownCallStatus>): [ShownCallStatus, number][] {
  const counts = new Map<ShownCallStatus, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  const order = [...FIRST, "succeeded", "skipped"];
  return [...counts].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}
