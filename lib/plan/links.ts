import type { PlanCall } from "./call.ts";
import type { OutputPath } from "./output-path.ts";
import type { Reference } from "./reference.ts";

/** One target of a writer that feeds one reference of a reader (P15): the smallest part of an edge. */
export interface Link {
  from: string;
  to: string;
  write: TargetPlace;
  read: ReferencePlace;
}

/** A place in an output path: which alternative (`||`), which target of its fan-out (`&&`). */
export interface TargetPlace {
  alternative: number;
  target: number;
}

/** A place in a call's reads: which of them, which alternative (`||`) of it, which member of the gate (`&&`). */
export interface ReferencePlace {
  read: number;
  alternative: number;
  member: number;
}

/** Finds all links between different calls, in the order of the readers and of what they read. */
export function findLinks(calls: readonly PlanCall[]): Link[] {
  return findLinksUpTo(calls, Number.POSITIVE_INFINITY) ?? [];
}

/** The same; null if there are more than `most`, those of calls with themselves counted: a few calls can have millions. */
export function findLinksUpTo(calls: readonly PlanCall[], most: number): Link[] | null {
  const writers = new WriterIndex(calls);
  const links: Link[] = [];
  let found = 0;
  for (const call of calls) {
    const own = linksTo(call, writers, most);
    found += own.length;
    if (found > most) return null;
    for (const link of own) if (link.from !== link.to) links.push(link);
  }
  return links;
}

/** The same of each reader: the links of a plan of thousands of calls would block the event loop. */
export function* findLinksInParts(
  calls: readonly PlanCall[],
  readers: readonly PlanCall[] = calls,
): Generator<Link[], void> {
  if (readers.length === 0) return;
  const writers = new WriterIndex(calls);
  for (const call of readers) yield linksTo(call, writers).filter(({ from, to }) => from !== to);
}

/** The links to a call, those from itself included; it stops searching when it has more than `most`. */
function linksTo({ id, reads }: PlanCall, writers: WriterIndex, most = Number.POSITIVE_INFINITY): Link[] {
  const links: Link[] = [];
  for (const [read, { expression }] of reads.entries()) {
    for (const [alternative, gate] of expression.entries()) {
      for (const [member, reference] of gate.entries()) {
        for (const { call, place } of writers.overlapping(reference))
          links.push({ from: call, to: id, write: place, read: { read, alternative, member } });
        if (links.length > most) return links;
      }
    }
  }
  return links;
}

interface Write {
  call: string;
  place: TargetPlace;
}

interface Branch {
  writes: Write[];
  children: Map<string, Branch>;
}

/** All targets as a tree of path segments, so that a read meets only the writers that it overlaps. */
class WriterIndex {
  private readonly kinds = new Map<string, Branch>();

  constructor(calls: readonly PlanCall[]) {
    for (const { id, output } of calls) if (output) this.add(id, output);
  }

  /** Writers of the reference itself, of its ancestors and of its descendants. */
  overlapping(reference: Reference): Write[] {
    const found: Write[] = [];
    let branch = this.kinds.get(reference.kind);
    for (const segment of reference.path) {
      if (!branch) return found;
      for (const write of branch.writes) found.push(write);
      branch = branch.children.get(String(segment));
    }
    const open = branch ? [branch] : [];
    for (let next = open.pop(); next; next = open.pop()) {
      for (const write of next.writes) found.push(write);
      for (const child of next.children.values()) open.push(child);
    }
    return found;
  }

  private add(call: string, output: OutputPath): void {
    output.forEach((fanOut, alternative) => {
      fanOut.forEach(({ kind, path }, target) => {
        let branch = childOf(this.kinds, kind);
        for (const segment of path) branch = childOf(branch.children, segment);
        branch.writes.push({ call, place: { alternative, target } });
      });
    });
  }
}

function childOf(children: Map<string, Branch>, name: string): Branch {
  const known = children.get(name);
  if (known) return known;
  const made: Branch = { writes: [], children: new Map() };
  children.set(name, made);
  return made;
}
