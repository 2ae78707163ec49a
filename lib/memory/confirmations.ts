import type { Happening } from "./actions/happening.ts";
import { withoutPlanned, withPlanned } from "./actions/planned.ts";
import { isSameAction } from "./actions/same-action.ts";
import type { Confirmation, KeptAction, MemoryDocument, Step } from "./document.ts";

type Of<Type extends Happening["type"]> = Extract<Happening, { type: Type }>;

/**
 * A person is asked (M9): the confirmation holds a copy of the action, which stays planned. A request that waits under
 * the same key is superseded: it can no longer be decided, so that its step and its place in the plan go.
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
 * A person has agreed (M9). The copy becomes what was agreed to, and stays planned until it is carried out. Nothing
 * waits under the key, or it was decided before: nothing changes.
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
 * A person does not agree (M9): the action leaves the plan. Where another action waits under the key by now, the
 * decision is not about that one: nothing changes.
 */
export function afterDenial(document: MemoryDocument, { key, action, reason, at }: Of<"denied">): MemoryDocument {
  const confirmation = awaited(document, key);
  if (!confirmation || !isSameAction(confirmation.action, action)) return document;
  const copy = decided(confirmation.action, "deny", confirmation.action);
  const denied = { ...confirmation, status: "denied" as const, denied_at: at, reason, action: copy };
  const cleared = withoutRequest(document, confirmation);
  return { ...cleared, confirmations: { ...cleared.confirmations, [key]: arranged(denied) } };
}

/** An action was carried out: the oldest approval of it that was not yet used is (P22a). */
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

/** Those that wait for a decision, by key, in the document's order. */
export function awaitedConfirmations({ confirmations }: MemoryDocument): [string, Confirmation][] {
  return Object.entries(confirmations).filter(([, { status }]) => status === "requested");
}

function awaited(document: MemoryDocument, key: string): Confirmation | null {
  return awaitedConfirmations(document).find(([name]) => name === key)?.[1] ?? null;
}

/** The document without what a waiting confirmation keeps in it: its step, and its action in the plan. */
function withoutRequest(document: MemoryDocument, confirmation: Confirmation): MemoryDocument {
  const step = stepOf(document, confirmation);
  return {
    ...document,
    in_progress: document.in_progress.filter((other) => other !== step),
    next_planned_actions: withoutPlanned(document.next_planned_actions, confirmation.action),
  };
}

/** A document from elsewhere may word the step in another way: then it is the one of that time which is no other's. */
function stepOf(document: MemoryDocument, { description, requested_at }: Confirmation): Step | undefined {
  const others = new Set(awaitedConfirmations(document).map(([, other]) => other.description));
  const steps = document.in_progress.filter((step) => step.requested_at === requested_at);
  return (
    steps.find((step) => step.description === description) ?? steps.find((step) => !others.has(step.description ?? ""))
  );
}

/** The copy of what was decided on: the decision takes the place of the question. */
function decided(
  { requires_confirmation: _, ...copy }: KeptAction,
  decision: "approve" | "deny",
  { method, params }: Pick<KeptAction, "method" | "params">,
): KeptAction {
  return { ...copy, method, params, confirmation_decision: decision };
}

/** The keys in the order of the file's own example, and then what else is kept. */
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
