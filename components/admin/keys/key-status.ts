import type { ApiKey } from "@/lib/api/shapes.ts";

/** Whether a key is valid: neither revoked nor expired. */
export type KeyStatus = "valid" | "expired" | "revoked";

export function keyStatusOf({ revoked_at, expires_at }: ApiKey, now: number): KeyStatus {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= now ? "expired" : "valid";
}

/** Valid keys first; the order is otherwise kept. */
export function validFirst(keys: readonly ApiKey[], now: number): ApiKey[] {
  const isOver = (key: ApiKey) => Number(keyStatusOf(key, now) !== "valid");
  return [...keys].sort((a, b) => isOver(a) - isOver(b));
}
