import type { PlanCall } from "../call.ts";
import type { Target } from "../output-path.ts";
import { printReference } from "../reference.ts";
import { hasBit, setBit } from "./bits.ts";
import { findCycles } from "./cycles.ts";
import type { Facts, WriteFacts } from "./facts.ts";

/** One writer waits for another, because both may write one path or a path and one below it (P12). */
export interface WriteOrder {
  from: string;
  to: string;
  /** The path of the later one's write: `†state.x`. */
  path: string;
}

interface Write {
  call: string;
  /** Its call's place in the plan. */
  place: number;
  facts: WriteFacts;
  target: Target;
}

/** The writes of one path, with the paths below it. */
interface Branch {
  writes: Write[];
  children: Map<string, Branch>;
}

/**
 * Writers of overlapping paths that are not exclusive run one after another: ancestors before descendants, then in plan
 * order (P12). Neighbours only, where the rest follows from them: ten thousand writers of one path are a chain. Yields after
 * each write, which is compared with those before it.
 */
export function* findWriteOrderInParts(calls: readonly PlanCall[], facts: Facts): Generator<void, WriteOrder[]> {
  const root: Branch = { writes: [], children: new Map() };
  calls.forEach(({ id, output }, place) => {
    output?.forEach((fanOut, alternative) => {
      const own = facts.of({ call: id, alternative });
      for (const target of fanOut) add(root, { call: id, place, facts: own, target });
    });
  });
  const chains = new Chains(facts);
  yield* chains.walk(root);
  if (chains.order.length === 0) return [];
  const ids = calls.map(({ id }) => id);
  if (findCycles(ids, chains.order).length === 0) return chains.order;
  // Two calls each above the other somewhere: only pair by pair does plan order decide between them.
  return yield* pairByPair(root, facts);
}

function add(root: Branch, write: Write): void {
  let branch = root;
  for (const segment of write.target.path) {
    let child = branch.children.get(segment);
    if (!child) {
      child = { writes: [], children: new Map() };
      branch.children.set(segment, child);
    }
    branch = child;
  }
  branch.writes.push(write);
}

/** A write on the way from the root of the paths down, with all that comes before it. */
interface Entry {
  write: Write;
  /** As bits: the entries of the same way that run before this one, by whatever chain. */
  before: Uint32Array;
}

/** Orders the writes of a tree of paths by few pairs, from which the rest follows. */
class Chains {
  readonly order: WriteOrder[] = [];
  readonly #facts: Facts;
  /** Where on the way the write of each fact stands, for the current branch; -1 for nowhere. */
  readonly #places: Int32Array;

  constructor(facts: Facts) {
    this.#facts = facts;
    this.#places = new Int32Array(facts.bits).fill(-1);
  }

  *walk(root: Branch): Generator<void, void> {
    const open: { branch: Branch; above: readonly Entry[] }[] = [{ branch: root, above: [] }];
    for (let next = open.pop(); next; next = open.pop()) {
      const { branch, above } = next;
      const isAlone = above.length === 0 && branch.writes.length === 1 && branch.children.size === 0;
      const way = branch.writes.length === 0 || isAlone ? above : yield* this.#order(above, branch.writes);
      for (const child of branch.children.values()) open.push({ branch: child, above: way });
    }
  }

  /** Puts the writes of one path behind those above them and behind each other. */
  *#order(above: readonly Entry[], writes: readonly Write[]): Generator<void, Entry[]> {
    const way = [...above];
    for (const [index, { write }] of above.entries()) this.#place(write, index);
    for (const write of writes) {
      const before = this.#orderOne(way, write);
      this.#place(write, way.length);
      way.push({ write, before });
      yield;
    }
    for (const { write } of way) this.#place(write, -1);
    return way;
  }

  #orderOne(way: readonly Entry[], write: Write): Uint32Array {
    const before = new Uint32Array(Math.ceil(way.length / 32));
    const done = new Uint32Array(before.length);
    // Most often those that a write cannot meet are those whose other alternative it needs: all of them at once.
    this.#facts.markRuledOut(write.facts, this.#places, done);
    for (let index = way.length - 1; index >= 0; index--) {
      if (done[index >>> 5] === ALL) index -= index & 31;
      else if (!hasBit(done, index)) {
        const earlier = way[index];
        if (
          !earlier ||
          earlier.write.place === write.place ||
          this.#facts.areExclusive(earlier.write.facts, write.facts)
        )
          continue;
        this.order.push({ from: earlier.write.call, to: write.call, path: printReference(write.target) });
        setBit(before, index);
        setBit(done, index);
        for (let word = 0; word < earlier.before.length; word++) {
          before[word] = (before[word] ?? 0) | (earlier.before[word] ?? 0);
          done[word] = (done[word] ?? 0) | (earlier.before[word] ?? 0);
        }
      }
    }
    return before;
  }

  #place(write: Write, index: number): void {
    if (write.facts.own >= 0) this.#places[write.facts.own] = index;
  }
}

/** A word of bits that are all set. */
const ALL = 0xffffffff;

/** Every pair of overlapping writes by itself. */
function* pairByPair(root: Branch, facts: Facts): Generator<void, WriteOrder[]> {
  const pairs = new Map<string, { earlier: Write; later: Write; above: boolean; below: boolean }>();
  const meet = (upper: Write, lower: Write, nested: boolean) => {
    if (upper.call === lower.call || facts.areExclusive(upper.facts, lower.facts)) return;
    const [earlier, later] = upper.place < lower.place ? [upper, lower] : [lower, upper];
    const key = `${earlier.place} ${later.place}`;
    const pair = pairs.get(key) ?? { earlier, later, above: false, below: false };
    if (nested && upper === earlier) pair.above = true;
    if (nested && upper === later) pair.below = true;
    pairs.set(key, pair);
  };
  const open: { branch: Branch; above: Write[] }[] = [{ branch: root, above: [] }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { branch, above } = next;
    for (const [index, write] of branch.writes.entries()) {
      for (const upper of above) meet(upper, write, true);
      for (const other of branch.writes.slice(index + 1)) meet(write, other, false);
      yield;
    }
    for (const child of branch.children.values()) open.push({ branch: child, above: [...above, ...branch.writes] });
  }
  return [...pairs.values()].map(({ earlier, later, above, below }) => {
    const [from, to] = below && !above ? [later, earlier] : [earlier, later];
    return { from: from.call, to: to.call, path: printReference(to.target) };
  });
}
