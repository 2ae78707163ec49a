/** An edge between two calls, whatever it stands for. */
export interface CallEdge {
  from: string;
  to: string;
}

/**
 * One cycle for each knot of calls that wait for one another: its calls in order, each waited for by the next and the
 * last by the first. An edge from a call to itself is a cycle of one. Iterative, so that a chain of any length fits.
 */
export function findCycles(ids: readonly string[], edges: readonly CallEdge[]): string[][] {
  const places = new Map(ids.map((id, place) => [id, place]));
  const placeOf = (id: string) => places.get(id) ?? -1;
  // Most plans are in an order in which they can run.
  if (edges.every(({ from, to }) => placeOf(from) < placeOf(to))) return [];
  const next = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { from, to } of edges) next.get(from)?.push(to);
  return findKnots(ids, next).flatMap((knot) => {
    const inKnot = new Set(knot);
    const [first = ""] = ids.filter((id) => inKnot.has(id));
    const cycle = shortestWayBack(first, (id) => (next.get(id) ?? []).filter((to) => inKnot.has(to)));
    return cycle ? [cycle] : [];
  });
}

/** The strongly connected parts with more than one call, or one that leads to itself (Tarjan, without recursion). */
function findKnots(ids: readonly string[], next: ReadonlyMap<string, readonly string[]>): string[][] {
  const number = new Map<string, number>();
  const lowest = new Map<string, number>();
  const onStack = new Set<string>();
  const stack: string[] = [];
  const knots: string[][] = [];
  const enter = (id: string) => {
    number.set(id, number.size);
    lowest.set(id, number.size - 1);
    stack.push(id);
    onStack.add(id);
    return { id, at: 0 };
  };
  const lower = (id: string, to: number) => lowest.set(id, Math.min(lowest.get(id) ?? 0, to));
  for (const root of ids) {
    if (number.has(root)) continue;
    const way = [enter(root)];
    for (let place = way.at(-1); place; place = way.at(-1)) {
      const to = next.get(place.id)?.[place.at++];
      if (to !== undefined) {
        if (!number.has(to)) way.push(enter(to));
        else if (onStack.has(to)) lower(place.id, number.get(to) ?? 0);
        continue;
      }
      way.pop();
      const parent = way.at(-1);
      if (parent) lower(parent.id, lowest.get(place.id) ?? 0);
      if (lowest.get(place.id) !== number.get(place.id)) continue;
      const knot = stack.splice(stack.lastIndexOf(place.id));
      for (const id of knot) onStack.delete(id);
      if (knot.length > 1 || next.get(place.id)?.includes(place.id)) knots.push(knot);
    }
  }
  return knots;
}

/** The shortest cycle through a call; null when there is none. */
function shortestWayBack(start: string, next: (id: string) => readonly string[]): string[] | null {
  const from = new Map<string, string>();
  const queue = [start];
  for (const id of queue) {
    for (const to of next(id)) {
      if (to === start) return wayTo(id, from, start);
      if (from.has(to)) continue;
      from.set(to, id);
      queue.push(to);
    }
  }
  return null;
}

function wayTo(last: string, from: ReadonlyMap<string, string>, start: string): string[] {
  const way = [last];
  for (let id = last; id !== start; ) {
    id = from.get(id) ?? start;
    way.push(id);
  }
  return way.reverse();
}
