import type { PlanCall } from "../call.ts";
import type { Link } from "../links.ts";
import type { Reference } from "../reference.ts";
import { BitSets, forEachBit, hasBit, setBit } from "./bits.ts";

/** Facts as bits: one for each alternative of each call that has several. Null: it can never run. */
type FactSet = Uint32Array | null;

/** What must hold for a write to happen, looked up once for one that is compared with many. */
export interface WriteFacts {
  /** What its call needs; undefined for a call of a cycle. */
  readonly needed: FactSet | undefined;
  /** The same number for all that need the very same. */
  readonly group: number;
  /** The bits of its call's alternatives, from `first` to before `end`; none when it has only one. */
  readonly first: number;
  readonly end: number;
  /** The bit of the write's own alternative; -1 when there is no other. */
  readonly own: number;
}

/**
 * The facts that must hold for each call to run (P16): pairs of a call and the alternative it takes. They are united
 * over parameters and `&&`, intersected over `||` and over several possible writers, and carried along the links.
 * Two writes are exclusive when their facts need different alternatives of one call.
 */
export class Facts {
  /** The first bit of each call with several alternatives. */
  readonly #firstBit = new Map<string, number>();
  /** Which call each bit belongs to, by its first bit; bits of one call stand together. */
  readonly #owners: Int32Array;
  /** Each fact at its own place. */
  readonly #places: Int32Array;
  readonly #made: BitSets;
  /** Shared by all that need nothing. Sets are never changed once they are made. */
  readonly #none: Uint32Array;
  readonly #sets = new Map<string, FactSet>();
  readonly #via = new Map<number, FactSet>();
  readonly #groups = new Map<FactSet | undefined, number>();
  readonly #others = new Map<number, Uint32Array>();
  /** Which groups are known to be apart from the one that was asked about last: plans compare one write with many. */
  #lastGroup = -1;
  #apart: Int8Array | null = null;

  /**
   * Makes them call by call: each call of a chain of branches needs what all before it need. `given`: whether a reference is present
   * before the plan starts; reading it needs no fact. Calls of a cycle have no facts.
   */
  static *inParts(
    calls: readonly PlanCall[],
    links: readonly Link[],
    given: (reference: Reference) => boolean,
  ): Generator<void, Facts> {
    const order = calls.some(isBranch) ? inOrder(calls, links) : [];
    const facts = new Facts(calls, order);
    yield* facts.#collect(order, links, given);
    return facts;
  }

  private constructor(calls: readonly PlanCall[], order: readonly PlanCall[]) {
    // Numbered in the order of the data, so that what two calls both come from is among the first that are compared.
    const owners: number[] = [];
    for (const { id, output } of [...new Set([...order, ...calls])].filter(isBranch)) {
      const first = owners.length;
      this.#firstBit.set(id, first);
      for (const _ of output ?? []) owners.push(first);
    }
    this.#owners = Int32Array.from(owners);
    this.#places = Int32Array.from(owners.keys());
    this.#made = new BitSets(owners.length);
    this.#none = this.#made.empty();
  }

  /** How many facts there can be: each is a bit, the number of an alternative among all of the plan. */
  get bits(): number {
    return this.#owners.length;
  }

  /** What must hold for a call's write by this alternative. */
  of({ call, alternative }: { call: string; alternative: number }): WriteFacts {
    const needed = this.#sets.get(call);
    const group = this.#groups.get(needed) ?? this.#groups.size;
    this.#groups.set(needed, group);
    const first = this.#firstBit.get(call);
    if (first === undefined) return { needed, group, first: 0, end: 0, own: -1 };
    let end = first;
    while (this.#owners[end] === first) end++;
    return { needed, group, first, end, own: first + alternative };
  }

  /**
   * Marks the places of the facts that cannot hold when this write's call runs: the other alternatives of those it
   * needs. `places` has the place of each fact, -1 for none.
   */
  markRuledOut({ needed }: WriteFacts, places: Int32Array, marks: Uint32Array): void {
    if (!needed || needed === this.#none) return;
    // A chain of n calls comes by here n² / 2 times, so that this is one loop without calls.
    const owners = this.#owners;
    for (let word = 0; word < needed.length; word++) {
      for (let rest = needed[word] ?? 0; rest !== 0; rest &= rest - 1) {
        const bit = word * 32 + 31 - Math.clz32(rest & -rest);
        const owner = owners[bit] ?? bit;
        for (let other = owner; owners[other] === owner; other++) {
          const place = places[other] ?? -1;
          if (other !== bit && place >= 0) setBit(marks, place);
        }
      }
    }
  }

  /** Whether what must hold for this call to run can hold at once. */
  canRun(id: string): boolean {
    return this.#sets.get(id) !== null;
  }

  /** Whether two writes, each by an alternative of another call, can never both happen. */
  areExclusive(a: WriteFacts, b: WriteFacts): boolean {
    // Most often one call runs only because of how the other ended, which a single bit shows.
    return contradicts(b, a.needed) || contradicts(a, b.needed) || this.#areApart(a, b);
  }

  /** Whether what two calls need cannot hold at once. */
  #areApart(a: WriteFacts, b: WriteFacts): boolean {
    if (a.needed === null || b.needed === null) return true;
    if (!a.needed || !b.needed || a.needed === this.#none || b.needed === this.#none) return false;
    if (b.group !== this.#lastGroup || !this.#apart) {
      this.#lastGroup = b.group;
      this.#apart = new Int8Array(this.#groups.size);
    }
    const known = this.#apart[a.group] ?? 0;
    if (known !== 0) return known > 0;
    const areApart = intersect(a.needed, this.#othersOf(b));
    this.#apart[a.group] = areApart ? 1 : -1;
    return areApart;
  }

  /** The facts that cannot hold with these, as a set. */
  #othersOf(facts: WriteFacts): Uint32Array {
    const known = this.#others.get(facts.group);
    if (known) return known;
    const others = this.#made.empty();
    this.markRuledOut(facts, this.#places, others);
    this.#others.set(facts.group, others);
    return others;
  }

  /** `order`: the calls after those whose results they read. */
  *#collect(
    order: readonly PlanCall[],
    links: readonly Link[],
    given: (reference: Reference) => boolean,
  ): Generator<void, void> {
    if (order.length === 0) return;
    const linksTo = Map.groupBy(links, ({ to }) => to);
    for (const call of order) {
      this.#sets.set(call.id, this.#factsOf(call, linksTo.get(call.id) ?? [], given));
      yield;
    }
  }

  #factsOf(call: PlanCall, links: readonly Link[], given: (reference: Reference) => boolean): FactSet {
    const writers = Map.groupBy(links, ({ read }) => `${read.read} ${read.alternative} ${read.member}`);
    return this.#unite(
      call.reads.map(({ expression }, read) =>
        this.#common(
          expression.map((gate, alternative) =>
            this.#unite(
              gate.map((reference, member) => {
                if (given(reference)) return this.#none;
                const links = writers.get(`${read} ${alternative} ${member}`) ?? [];
                return this.#common(links.map((link) => this.#factsVia(link)));
              }),
            ),
          ),
        ),
      ),
    );
  }

  /** What must hold for a value to come by this link: what its writer needs, and the alternative it takes. */
  #factsVia({ from, write }: Link): FactSet {
    const needed = this.#sets.get(from);
    if (needed === null) return null;
    const first = this.#firstBit.get(from);
    if (first === undefined) return needed ?? this.#none;
    const bit = first + write.alternative;
    const known = this.#via.get(bit);
    if (known) return known;
    // A call's own alternatives are no facts of its own, so this cannot contradict what is there.
    const set = this.#made.copy(needed ?? this.#none);
    setBit(set, bit);
    this.#via.set(bit, set);
    return set;
  }

  /** A union that needs two alternatives of one call can never hold. */
  #unite(sets: readonly FactSet[]): FactSet {
    if (sets.includes(null)) return null;
    const [first = this.#none, ...others] = new Set(
      sets.filter((set) => set !== null).filter((set) => set !== this.#none),
    );
    if (others.length === 0) return first;
    const united = this.#made.copy(first);
    for (const set of others) {
      for (let index = 0; index < set.length; index++) united[index] = (united[index] ?? 0) | (set[index] ?? 0);
    }
    return this.#isConsistent(united) ? united : null;
  }

  /** What all ways have in common; a way that can never be taken does not count. */
  #common(ways: readonly FactSet[]): FactSet {
    const [first = null, ...others] = new Set(ways.filter((way) => way !== null));
    if (first === null || others.length === 0) return first;
    const kept = this.#made.copy(first);
    for (const way of others) {
      for (let index = 0; index < way.length; index++) kept[index] = (kept[index] ?? 0) & (way[index] ?? 0);
    }
    return kept;
  }

  /** Bits of one call stand together, so that two of them are found side by side. */
  #isConsistent(set: Uint32Array): boolean {
    let last = -1;
    let consistent = true;
    forEachBit(set, (bit) => {
      const owner = this.#owners[bit] ?? -1;
      if (owner === last) consistent = false;
      last = owner;
    });
    return consistent;
  }
}

function isBranch({ output }: PlanCall): boolean {
  return (output?.length ?? 0) > 1;
}

/** Calls after those whose results they read; those of a cycle are left out. */
function inOrder(calls: readonly PlanCall[], links: readonly Link[]): PlanCall[] {
  const waitsFor = new Map<string, number>(calls.map(({ id }) => [id, 0]));
  const followers = new Map<string, string[]>();
  for (const { from, to } of links) {
    waitsFor.set(to, (waitsFor.get(to) ?? 0) + 1);
    const known = followers.get(from);
    if (known) known.push(to);
    else followers.set(from, [to]);
  }
  const byId = new Map(calls.map((call) => [call.id, call]));
  const ready = calls.filter(({ id }) => waitsFor.get(id) === 0);
  for (const { id } of ready) {
    for (const follower of followers.get(id) ?? []) {
      const left = (waitsFor.get(follower) ?? 0) - 1;
      waitsFor.set(follower, left);
      const call = byId.get(follower);
      if (left === 0 && call) ready.push(call);
    }
  }
  return ready;
}

/** Whether a call runs only if the write's own call takes another alternative. */
function contradicts({ first, end, own }: WriteFacts, needed: FactSet | undefined): boolean {
  if (!needed) return false;
  for (let bit = first; bit < end; bit++) if (bit !== own && hasBit(needed, bit)) return true;
  return false;
}

function intersect(a: Uint32Array, b: Uint32Array): boolean {
  for (let index = 0; index < a.length; index++) if (((a[index] ?? 0) & (b[index] ?? 0)) !== 0) return true;
  return false;
}
