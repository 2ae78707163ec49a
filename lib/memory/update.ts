import type { Locale } from "../session/locale.ts";
import { doneOf } from "./actions/done.ts";
import { eventBindingsAfter } from "./actions/event-bindings.ts";
import { goalsAfter } from "./actions/goals.ts";
import type { Happening } from "./actions/happening.ts";
import { objectsAfter } from "./actions/objects.ts";
import { type Outcome, outcomesOf } from "./actions/outcome.ts";
import { withoutPlanned, withPlanned } from "./actions/planned.ts";
import { afterApproval, afterDenial, afterExecution, afterRequest } from "./confirmations.ts";
import type { MemoryDocument } from "./document.ts";

/**
 * The document after an event (M4–M9, M13). Pure: the input is not changed, and unchanged parts are shared with it.
 * `locale` is the language of new entries.
 */
export function update(document: MemoryDocument, happening: Happening, locale: Locale): MemoryDocument {
  switch (happening.type) {
    case "carried_out":
      return afterSuccess(document, happening, locale);
    case "failed":
    case "planned":
      return { ...document, next_planned_actions: withPlanned(document.next_planned_actions, { ...happening.action }) };
    case "requested":
      return afterRequest(document, happening);
    case "approved":
      return afterApproval(document, happening);
    case "denied":
      return afterDenial(document, happening);
    default:
      return happening satisfies never;
  }
}

function afterSuccess(
  document: MemoryDocument,
  happening: Extract<Happening, { type: "carried_out" }>,
  locale: Locale,
): MemoryDocument {
  const { action, at } = happening;
  const told = outcomesOf(happening).reduce((before, outcome) => afterOutcome(before, outcome, at, locale), document);
  return {
    ...told,
    next_planned_actions: withoutPlanned(told.next_planned_actions, action),
    confirmations: afterExecution(told.confirmations, action),
  };
}

function afterOutcome(document: MemoryDocument, outcome: Outcome, at: string, locale: Locale): MemoryDocument {
  const done = doneOf(outcome, at, locale);
  return {
    ...document,
    goals: goalsAfter(document.goals, outcome),
    done: done ? [...document.done, done] : document.done,
    objects: objectsAfter(document.objects, outcome),
    event_bindings: eventBindingsAfter(document.event_bindings, outcome),
  };
}
