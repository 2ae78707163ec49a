import type { Context, DataMessage } from "../../../plan/message.ts";
import type { RunState } from "./run-state.ts";

/** A run's context with the current state (P19), by value. */
export function contextNow({ context: { data, text }, states }: RunState): Context {
  const others = data.filter(({ kind, instance }) => kind !== "state" || !states.has(instance));
  const now = [...states].map(([instance, state]): DataMessage => {
    const begun = data.find((message) => message.kind === "state" && message.instance === instance);
    return { ...(begun ?? { kind: "state", instance }), data: structuredClone(state) };
  });
  return { data: [...others, ...now], text };
}
