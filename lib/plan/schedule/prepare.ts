import type { PlanCall } from "../call.ts";
import { findLinksInParts, type Link } from "../links.ts";
import type { Reference } from "../reference.ts";
import { Facts } from "./facts.ts";
import { findWriteOrderInParts, type WriteOrder } from "./write-order.ts";

/** A plan for one instance, with all that follows from which calls write and read which paths. */
export interface Prepared {
  /** In plan order. Their output paths name all that is known (P9, P27). */
  calls: readonly PlanCall[];
  byId: ReadonlyMap<string, PlanCall>;
  links: readonly Link[];
  facts: Facts;
  order: readonly WriteOrder[];
}

/**
 * Prepares the calls of one instance, each id once. `given`: whether a reference is present before the plan starts, in
 * the initial state or the input. `links`: all links between these calls, if they are known.
 */
export function prepare(
  calls: readonly PlanCall[],
  given: (reference: Reference) => boolean,
  links: readonly Link[] | null = null,
): Prepared {
  return runToEnd(prepareInParts(calls, given, links));
}

/** The same in parts: a plan of thousands of calls would block the event loop. */
export function* prepareInParts(
  calls: readonly PlanCall[],
  given: (reference: Reference) => boolean,
  known: readonly Link[] | null = null,
): Generator<void, Prepared> {
  const links = known ?? (yield* linksInParts(calls));
  const facts = yield* Facts.inParts(calls, links, given);
  const order = yield* findWriteOrderInParts(calls, facts);
  return { calls, byId: new Map(calls.map((call) => [call.id, call])), links, facts, order };
}

function* linksInParts(calls: readonly PlanCall[]): Generator<void, Link[]> {
  const links: Link[] = [];
  for (const found of findLinksInParts(calls)) {
    for (const link of found) links.push(link);
    yield;
  }
  return links;
}

/** Runs a generator to its end, and returns its result. */
export function runToEnd<T>(parts: Iterator<void, T>): T {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}
