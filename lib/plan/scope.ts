import type { Json } from "../session/json/json.ts";
import { type Context, layOver, messageOf } from "./context.ts";
import type { DataMessage } from "./message.ts";
import { childAt, type Path, type Reference } from "./reference.ts";

/** What one instance's calls can read. */
export interface Scope {
  readonly instance: string;
  /** There is something of this kind to read, be it only a blueprint; the state is always there. */
  has(kind: string): boolean;
  /** The value at a reference; undefined when it is not present (P4). The source's own: copy it before handing it on. */
  read(reference: Reference): Json | undefined;
}

/** Two values of which the upper one is laid deeply over the lower one. */
interface Layers {
  upper: Json | undefined;
  lower: Json | undefined;
}

/**
 * What an instance reads: its own message of a kind laid deeply over the global one (P14b). `ownState` gives the own
 * state as the run has it now; the context's message is only where it began. In a run without instances (`instance`
 * "") the own state is the whole.
 */
export function createScope(context: Context, instance: string, ownState: () => Json | undefined): Scope {
  // Read for every reference of every call, so each kind's messages are looked up once.
  const layers = new Map<string, Layers>();
  const layersOf = (kind: string): Layers => {
    const known = layers.get(kind);
    if (known) return known;
    const found = findLayers(context, kind, instance);
    layers.set(kind, found);
    return found;
  };
  return {
    instance,
    has: (kind) => kind === "state" || messagesFor(context, kind, instance).length > 0,
    read: ({ kind, path }) => {
      const { upper, lower } = layersOf(kind);
      return readLayers({ upper: kind === "state" ? ownState() : upper, lower }, path);
    },
  };
}

/**
 * The messages that `_scopes` lets through (P28): for each kind the global one, then the instance's own, each without
 * its instance and by value. The state is passed on as it is now.
 */
export function scopedMessages(
  context: Context,
  instance: string,
  kinds: readonly string[],
  ownState: () => Json | undefined,
): DataMessage[] {
  return [...new Set(kinds)].flatMap((kind) =>
    withState(context, kind, instance, ownState).map((message) => structuredClone({ ...message, instance: "" })),
  );
}

/** The messages of a kind that this instance sees, the global one first; the own state stands in for its beginning. */
function withState(context: Context, kind: string, instance: string, ownState: () => Json | undefined): DataMessage[] {
  const messages = messagesFor(context, kind, instance);
  if (kind !== "state") return messages;
  const own = messages.find((message) => message.instance === instance) ?? { kind, instance };
  const { data: _begin, ...rest }: DataMessage = own;
  const state = ownState();
  const now: DataMessage = state === undefined ? rest : { ...rest, data: state };
  const global = messages.filter((message) => message.instance !== instance);
  return now.data === undefined && now.schema === undefined ? global : [...global, now];
}

function messagesFor(context: Context, kind: string, instance: string): DataMessage[] {
  const instances = instance === "" ? [""] : ["", instance];
  return instances.flatMap((each) => messageOf(context, kind, each) ?? []);
}

function findLayers(context: Context, kind: string, instance: string): Layers {
  return {
    upper: messageOf(context, kind, instance)?.data,
    lower: instance === "" ? undefined : messageOf(context, kind, "")?.data,
  };
}

/** Goes down both layers at once, so that a read costs its path and not the tree. */
function readLayers({ upper, lower }: Layers, path: Path): Json | undefined {
  let over = upper;
  let under = lower;
  for (const segment of path) {
    // Only an object over an object lets the lower one through.
    if (over !== undefined && !(isObjectLike(over) && under !== undefined && isObjectLike(under))) under = undefined;
    over = over === undefined ? undefined : childAt(over, segment);
    under = under === undefined ? undefined : childAt(under, segment);
  }
  return layOver(under, over);
}

function isObjectLike(value: Json): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
