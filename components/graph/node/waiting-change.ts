import { changesOf, figuresOf, type ValueChange } from "@/components/approvals/item/changes.ts";
import type { Json } from "@/lib/session/json/json.ts";
import type { Call, Confirmation } from "@/lib/session/session.ts";

/**
 * The change of a parked call that fits a card: the first new value, preferably one with a known old value, as in the
 * inbox (C7). Null for any other call, and when no value is known.
 */
export function waitingChange(
  { status, decision, params }: Pick<Call, "status" | "decision" | "params">,
  confirmation: Pick<Confirmation, "action" | "before"> | null,
  state: Json,
): ValueChange | null {
  if (status !== "parked" || decision !== null) return null;
  const changes = changesOf(confirmation?.action?.params ?? params, confirmation?.before ?? null, state);
  const change = changes.find(({ before }) => before !== undefined) ?? changes[0];
  return change ? { ...change, ...figuresOf(change) } : null;
}
