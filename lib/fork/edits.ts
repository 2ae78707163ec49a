import { InvalidInput } from "../engine/errors.ts";
import { parsePath } from "../plan/output-path.ts";
import { Draft } from "../plan/schedule/draft.ts";
import { writeValue } from "../plan/state.ts";
import type { Json } from "../session/json/json.ts";

/** An edit of the state by a person. */
export interface Edit {
  /** "" for the run's own state. */
  instance: string;
  /** `†state.deal.amount` */
  path: string;
  value: Json;
}

/** States by instance; "" is the run's own. */
export type States = Readonly<Record<string, Json>>;

/**
 * Applies a person's edits to states. They may replace values (P12 applies to calls only). Throws `InvalidInput` with
 * all invalid edits.
 */
export function editStates(states: States, edits: readonly Edit[]): States {
  const draft = new Draft<object>({});
  const edited = new Map(Object.entries(states));
  const faults = edits.flatMap(({ instance, path, value }, index) => {
    const fault = (field: string, message: string) => [{ path: `/edits/${index}/${field}`, message }];
    if (instance !== "" && !edited.has(instance)) return fault("instance", unknownInstance(Object.keys(states)));
    const target = parsePath(path);
    if (!target.ok) return fault("path", `is not a state path: ${target.error.message}`);
    const written = writeValue(draft, edited.get(instance), target.value.path, value);
    if (!written.ok) return fault(WHY[written.reason].field, WHY[written.reason].message);
    edited.set(instance, written.root);
    return [];
  });
  const [first] = faults;
  if (first) throw new InvalidInput(`${first.path} ${first.message}`, faults);
  return Object.fromEntries(edited);
}

const WHY = {
  below_scalar: { field: "path", message: "is below a value that is not an object; write that value instead" },
  not_an_object: { field: "value", message: "must be an object when the whole †state is written" },
};

function unknownInstance(names: readonly string[]): string {
  const known = names.filter((name) => name !== "");
  return known.length === 0
    ? "names an instance, but the run has none at this step"
    : `is not an instance of the run at this step: ${known.join(", ")}`;
}
