import { type ShownCallStatus, shownStatus } from "@/components/ui/status.ts";
import type { Call } from "@/lib/session/session.ts";

// What a person should know first about an instance: the first of these that any of its calls is.
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

/** A person has to look at an instance of this status before any other. */
export function isPressing(status: ShownCallStatus): boolean {
  return status === "parked" || status === "failed" || status === "blocked";
}

type Standing = Pick<Call, "status" | "handled" | "decision" | "planned">;

/** One status for all calls of an instance: what needs a look or did not end, else what is still to come, else done. */
export function instanceStatus(calls: readonly Standing[]): ShownCallStatus {
  const statuses = new Set(calls.map(shownStatus));
  const first = FIRST.find((status) => statuses.has(status));
  if (first) return first;
  // Where nothing was done, nothing is done.
  const isDone = statuses.size === 0 || statuses.has("succeeded") || statuses.has("handled");
  return isDone ? "succeeded" : "skipped";
}

/** The status of each instance; calls that belong to none count for all. */
export function instanceStatuses(
  calls: readonly (Standing & Pick<Call, "instance">)[],
  instances: readonly string[],
): Map<string, ShownCallStatus> {
  const own = Map.groupBy(calls, ({ instance }) => instance);
  const shared = own.get("") ?? [];
  return new Map(instances.map((name) => [name, instanceStatus([...shared, ...(own.get(name) ?? [])])]));
}

/** How many instances have each status, what needs a look first. */
export function countStatuses(statuses: Iterable<ShownCallStatus>): [ShownCallStatus, number][] {
  const counts = new Map<ShownCallStatus, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  const order = [...FIRST, "succeeded", "skipped"];
  return [...counts].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}
