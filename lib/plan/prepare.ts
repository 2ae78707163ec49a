import type { PlanCall } from "./call.ts";
import { Facts } from "./facts.ts";
import { findLinks, type Link } from "./links.ts";
import type { Reference } from "./reference.ts";
import { findWriteOrder, type WriteOrder } from "./write-order.ts";

/** A plan for one instance, with all that follows from who writes and who reads which path. */
export interface Prepared {
  /** In plan order. Their output paths name all that is known (P9, P27). */
  calls: readonly PlanCall[];
  byId: ReadonlyMap<string, PlanCall>;
  links: readonly Link[];
  facts: Facts;
  order: readonly WriteOrder[];
}

/**
 * Prepares the calls of one instance, each id once. `given` tells what is present before the plan starts: initial
 * state and input.
 */
export function prepare(calls: readonly PlanCall[], given: (reference: Reference) => boolean): Prepared {
  const links = findLinks(calls);
  const facts = new Facts(calls, links, given);
  const order = findWriteOrder(calls, facts);
  return { calls, byId: new Map(calls.map((call) => [call.id, call])), links, facts, order };
}
