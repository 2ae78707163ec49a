import type { Objects } from "../document.ts";
import { fieldOf } from "../field.ts";
import type { Named } from "../words/words.ts";
import { idOf, newIdOf, type ObjectId, objectOf } from "./id.ts";
import { methodOf, type ObjectKind } from "./methods.ts";
import type { Outcome } from "./outcome.ts";

/** The kinds with a current object. */
const CURRENT_KINDS = ["deal", "contact", "company", "task"] as const;
type CurrentKind = (typeof CURRENT_KINDS)[number];

/** References to other objects in an object that is read. */
const TOLD: Partial<Record<ObjectKind, readonly CurrentKind[]>> = {
  deal: ["contact", "company"],
  contact: ["company"],
};

/** The current objects after a successful action (M5): what was read, with its related objects, or what was created. */
export function objectsAfter(objects: Objects, outcome: Pick<Outcome, "method" | "result">): Objects {
  const found = foundIn(outcome).filter(([, id]) => id !== null);
  return { ...objects, ...Object.fromEntries(found.map(([kind, id]) => [`current_${kind}_id`, id])) };
}

function foundIn({ method, result }: Pick<Outcome, "method" | "result">): [CurrentKind, ObjectId | null][] {
  const known = methodOf(method);
  if (!known || !isCurrentKind(known.kind)) return [];
  const { kind } = known;
  if (known.verb === "add") return [[kind, newIdOf(result)]];
  const read = known.verb === "get" ? objectOf(result) : null;
  if (!read) return [];
  const told = TOLD[kind] ?? [];
  return [
    [kind, idOf(fieldOf(read, "ID"))],
    ...told.map((other): [CurrentKind, ObjectId | null] => [other, idOf(fieldOf(read, `${other}_id`))]),
  ];
}

function isCurrentKind(kind: string): kind is CurrentKind {
  return CURRENT_KINDS.some((current) => current === kind);
}

/** The current objects, in the order of their kinds. */
export function knownObjects(objects: Objects): Named[] {
  return CURRENT_KINDS.flatMap((kind) => {
    const id = idOf(objects[`current_${kind}_id`]);
    return id === null ? [] : [{ kind, id }];
  });
}
