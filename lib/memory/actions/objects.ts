import type { Objects } from "../document.ts";
import { fieldOf } from "../field.ts";
import type { Named } from "../words/words.ts";
import { idOf, newIdOf, type ObjectId, objectOf } from "./id.ts";
import { methodOf, type ObjectKind } from "./methods.ts";
import type { Outcome } from "./outcome.ts";

/** The kinds that have a current object. */
const CURRENT_KINDS = ["deal", "contact", "company", "task"] as const;
type CurrentKind = (typeof CURRENT_KINDS)[number];

/** What an object tells of others when it is read. */
const TOLD: Partial<Record<ObjectKind, readonly CurrentKind[]>> = {
  deal: ["contact", "company"],
  contact: ["company"],
};

/** The current objects after an action that succeeded (M5): what was read, with what that belongs to, or what was made. */
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

/** The current objects that are known, in the order of their kinds. */
export function knownObjects(objects: Objects): Named[] {
  return CURRENT_KINDS.flatMap((kind) => {
    const id = idOf(objects[`current_${kind}_id`]);
    return id === null ? [] : [{ kind, id }];
  });
}
