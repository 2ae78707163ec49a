import { parsePath } from "../plan/output-path.ts";
import { setKey, writeValue } from "../plan/state.ts";
import { cite } from "./cite.ts";
import type { KnownEvent } from "./event.ts";
import { meetInstance } from "./fold-plan.ts";
import type { Folding } from "./folding.ts";
import type { Run, Write } from "./session.ts";

/** A value is written to a path of the run's state (P9), and who wrote it is remembered. */
export function foldState(folding: Folding, event: Extract<KnownEvent, { type: "state.written" }>): void {
  const { path, value, instance = "", call_id, iteration } = event.payload;
  const target = parsePath(path);
  if (!target.ok)
    return folding.warn(event, "unreadable_path", `The path ${path} was not written: ${target.error.message}`);
  const run = folding.runOf(event);
  meetInstance(folding, event, run, instance);
  const root = Object.hasOwn(run.state, instance) ? run.state[instance] : undefined;
  const written = writeValue(folding.draft, root, target.value.path, cite(event, "/value", value));
  if (!written.ok)
    return folding.warn(event, "write_below_scalar", `The path ${path} was not written: ${WHY[written.reason]}`);
  run.state = folding.draft.own(run.state);
  setKey(run.state, instance, written.root);
  remember(folding, run, {
    seq: event.seq,
    instance,
    path,
    call_id: call_id ?? null,
    iteration: iteration ?? run.iteration,
  });
}

const WHY = {
  below_scalar: "a value above it is not an object",
  not_an_object: "†state alone takes an object",
};

function remember(folding: Folding, run: Run, write: Write): void {
  run.writes = folding.draft.own(run.writes);
  const places = folding.placesOf(run.writes);
  const key = `${write.instance}\u0000${write.path}`;
  const place = places.get(key) ?? run.writes.length;
  places.set(key, place);
  run.writes[place] = write;
}
