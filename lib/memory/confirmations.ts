import type { Happening } from "./actions/happening.ts";
import { withoutPlanned, withPlanned } from "./actions/planned.ts";
import { isSameAction } from "./actions/same-action.ts";
import type { Confirmation, KeptAction, MemoryDocument, Step } from "./document.ts";

type Of<Type extends Happening["type"]> = Extract<Happening, { type: Type }>;

/**
 * An approval is requested (M9): the confirmation has a copy of the action, which stays planned. A pending request with
 * the same key is replaced: it can no longer be decided, so its step and its planned action are removed.
 */
export function afterRequest(
  document: MemoryDocument,
  { key, action, description, at }: Of<"requested">,
): MemoryDocument {
  const earlier = awaited(document, key);
  const cleared = earlier ? withoutRequest(document, earlier) : document;
  const copy = { ...action, requires_confirmation: true };
  return {
    ...cleared,
    in_progress: [...cleared.in_progress, { description, requested_at: at }],
    next_planned_actions: withPlanned(cleared.next_planned_actions, copy),
    confirmations: {
      ...cleared.confirmations,
      [key]: { status: "requested", requested_at: at, description, action: copy },
    },
  };
}

/**
 * An action was approved (M9). The confirmation's copy becomes the approved action, which stays planned until it is
 * executed. If nothing is pending with the key, nothing changes.
 */
export function afterApproval(document: MemoryDocument, { key, action, at }: Of<"approved">): MemoryDocument {
  const confirmation = awaited(document, key);
  if (!confirmation) return document;
  const cleared = withoutRequest(document, confirmation);
  const copy = decided(confirmation.action, "approve", action);
  const approved = { ...confirmation, status: "approved" as const, approved_at: at, action: copy };
  return {
    ...cleared,
    next_planned_actions: withPlanned(cleared.next_planned_actions, copy),
    confirmations: { ...cleared.confirmations, [key]: arranged(approved) },
  };
}

/**
 * An action was denied (M9): it is removed from the plan. If another action is pending with the key now, the decision
 * was not about it: nothing changes.
 */
export function afterDenial(document: MemoryDocument, { key, action, reason, at }: Of<"denied">): MemoryDocument {
  const confirmation = awaited(document, key);
  if (!confirmation || !isSameAction(confirmation.action, action)) return document;
  const copy = decided(confirmation.action, "deny", confirmation.action);
  const denied = { ...confirmation, status: "denied" as const, denied_at: at, reason, action: copy };
  const cleared = withoutRequest(document, confirmation);
  return { ...cleared, confirmations: { ...cleared.confirmations, [key]: arranged(denied) } };
}

/** An action was executed: this uses its oldest unused approval (P22a). */
export function afterExecution(
  confirmations: MemoryDocument["confirmations"],
  action: Pick<KeptAction, "method" | "params">,
): MemoryDocument["confirmations"] {
  const used = Object.entries(confirmations).find(
    ([, { status, action: copy }]) => status === "approved" && copy.confirmed !== true && isSameAction(copy, action),
  );
  if (!used) return confirmations;
  const [key, confirmation] = used;
  return { ...confirmations, [key]: { ...confirmation, action: { ...confirmation.action, confirmed: true } } };
}

/** Pending confirmations by key, in the document's order. */
export function awaitedConfirmations({ confirmations }: MemoryDocument): [string, Confirmation][] {
  return Object.entries(confirmations).filter(([, { status }]) => status === "requested");
}

function awaited(document: MemoryDocument, key: string): Confirmation | null {
  return awaitedConfirmations(document).find(([name]) => name === key)?.[1] ?? null;
}

/** The document without a pending confirmation's step and planned action. */
function withoutRequest(document: MemoryDocument, confirmation: Confirmation): MemoryDocument {
  const step = stepOf(document, confirmation);
  return {
    ...document,
    in_progress: document.in_progress.filter((other) => other !== step),
    next_planned_actions: withoutPlanned(document.next_planned_actions, confirmation.action),
  };
}

/**
 * An imported document may word the step differently: then it is the step of that time that belongs to no other
 * confirmation.
 */
function stepOf(document: MemoryDocument, { description, requested_at }: Confirmation): Step | undefined {
  const others = new Set(awaitedConfirmations(document).map(([, other]) => other.description));
  const steps = document.in_progress.filter((step) => step.requested_at === requested_at);
  return (
    steps.find((step) => step.description === description) ?? steps.find((step) => !others.has(step.description ?? ""))
  );
}

/** The confirmation with its decision. */
function decided(
  { requires_confirmation: _, ...copy }: KeptAction,
  decision: "approve" | "deny",
  { method, params }: Pick<KeptAction, "method" | "params">,
): KeptAction {
  return { ...copy, method, params, confirmation_decision: decision };
}

/** Known keys in the order of the file format, then other keys. */
function arranged(confirmation: Confirmation): Confirmation {
  const { status, requested_at, approved_at, denied_at, description, reason, action, ...kept } = confirmation;
  return {
    status,
    requested_at,
    ...(approved_at && { approved_at }),
    ...(denied_at && { denied_at }),
    description,
    ...(reason && { reason }),
    action,
    ...kept,
  };
}
