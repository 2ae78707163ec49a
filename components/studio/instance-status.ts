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
  "planned",
];

/** A person has to look at an instance of this status before any other. */
export function isPressing(status: ShownCallStatus): boolean {
  return status === "parked" || status === "failed" || status === "blocked";
}

/** One status for all calls of an instance: what needs a look, else what is still to come, else done. */
export function instanceStatus(calls: readonly Pick<Call, "status" | "handled" | "decision">[]): ShownCallStatus {
  const statuses = new Set(calls.map(shownStatus));
  return FIRST.find((status) => statuses.has(status)) ?? "succeeded";
}

/** The status of each instance; calls that belong to none count for all. */
export function instanceStatuses(
  calls: readonly Pick<Call, "status" | "handled" | "decision" | "instance">[],
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
  const order = [...FIRST, "succeeded"];
  return [...counts].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}
