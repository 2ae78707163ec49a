import { changesOf, figuresOf, type ValueChange } from "@/components/approvals/item/changes.ts";
import type { Json } from "@/lib/session/json/json.ts";
import type { Call, Confirmation } from "@/lib/session/session.ts";

/**
 * What a card has room for of an action that waits: the first value that it would set, one with a known old value before
 * others, told as the inbox tells it (C7). Null for any other call, and where no value can be told.
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
