import type { Call, CallStatus } from "@/lib/session/session.ts";

// What a person should know first about an instance: the first of these that any of its calls is.
const FIRST: readonly CallStatus[] = ["parked", "failed", "blocked", "running", "denied", "planned"];

/** One status for all calls of an instance: what needs a look, else what is still to come, else done. */
export function instanceStatus(calls: readonly Pick<Call, "status" | "handled">[]): CallStatus {
  const statuses = new Set(
    calls.filter(({ status, handled }) => !(status === "failed" && handled)).map(({ status }) => status),
  );
  return FIRST.find((status) => statuses.has(status)) ?? "succeeded";
}
