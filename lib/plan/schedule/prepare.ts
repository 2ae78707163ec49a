import type { PlanCall } from "../call.ts";
import { findLinksInTurn, type Link } from "../links.ts";
import type { Reference } from "../reference.ts";
import { Facts } from "./facts.ts";
import { findWriteOrderInTurn, type WriteOrder } from "./write-order.ts";

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
 * state and input. `links`: all links between these calls, if they are known.
 */
export function prepare(
  calls: readonly PlanCall[],
  given: (reference: Reference) => boolean,
  links: readonly Link[] | null = null,
): Prepared {
  return toEnd(prepareInTurn(calls, given, links));
}

/** The same in parts: a plan of thousands of calls would block the event loop. */
export function* prepareInTurn(
  calls: readonly PlanCall[],
  given: (reference: Reference) => boolean,
  known: readonly Link[] | null = null,
): Generator<void, Prepared> {
  const links = known ?? (yield* linksInTurn(calls));
  const facts = yield* Facts.inTurn(calls, links, given);
  const order = yield* findWriteOrderInTurn(calls, facts);
  return { calls, byId: new Map(calls.map((call) => [call.id, call])), links, facts, order };
}

function* linksInTurn(calls: readonly PlanCall[]): Generator<void, Link[]> {
  const links: Link[] = [];
  for (const found of findLinksInTurn(calls)) {
    for (const link of found) links.push(link);
    yield;
  }
  return links;
}

/** Runs a generator to its end, and returns its result. */
export function toEnd<T>(parts: Iterator<void, T>): T {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}
