import type { Json } from "../../session/json/json.ts";
import type { PlanCall } from "../call.ts";
import { type Expression, printReference, type Reference } from "../reference.ts";
import type { Ending } from "./ending.ts";
import type { Prepared } from "./prepare.ts";

/** A call that is due: what it reads is present, or can never be. */
export interface DueCall {
  call: PlanCall;
  /** `ready`: everything it needs is settled and present. Else it ends without running (P21), for the reason. */
  verdict: "ready" | "skipped" | "blocked";
  /** A sentence for a person; null when ready. */
  reason: string | null;
  /** The call that ended last of those it waited for; null if it waited for none. */
  after: string | null;
}

/** One reference in a call's reads, with the calls that may write it. */
interface Reading {
  reference: Reference;
  writers: Set<string>;
  /** Writers that have not ended; 0 when it is settled (P4). */
  pending: number;
  needs: Need;
}

/** One expression of a call: it is decided when it is present, or dead with all its references settled. */
interface Need {
  waiting: Waiting;
  /** Alternatives of gates. */
  gates: Reading[][];
  decided: "present" | "dead" | null;
}

/** A call and what it waits for. */
interface Waiting {
  call: PlanCall;
  place: number;
  needs: Need[];
  undecided: number;
  /** Writers ordered before it that have not ended (P12). */
  earlier: number;
  /** It is due, or was. */
  isDue: boolean;
  /** The call that ended last of those it waited for. */
  after: string | null;
}

/**
 * The progress of one instance's calls: which are due, decided by what is settled and present, never by timing (P4–P6, P12,
 * P21). A dead expression waits for all its references, so that whether a call is skipped or blocked does not depend on
 * which of them was settled first. Linear in the plan, whatever the order of the endings.
 */
export class Progress {
  readonly #prepared: Prepared;
  readonly #read: (reference: Reference) => Json | undefined;
  readonly #endings = new Map<string, Ending>();
  #waiting = new Map<string, Waiting>();
  #readers = new Map<string, Reading[]>();
  #later = new Map<string, Waiting[]>();
  #due: Waiting[] = [];

  /** `read` gives what is present now; undefined for what is not. */
  constructor(prepared: Prepared, read: (reference: Reference) => Json | undefined) {
    this.#prepared = prepared;
    this.#read = read;
    this.#begin(new Set());
  }

  /** Calls that have not ended. */
  get open(): number {
    return this.#prepared.calls.length - this.#endings.size;
  }

  /** The first `most` due calls in plan order. Each is returned once. */
  take(most = Number.POSITIVE_INFINITY): DueCall[] {
    const due = this.#due.filter(({ call }) => !this.#endings.has(call.id)).sort((a, b) => a.place - b.place);
    this.#due = due.slice(most);
    return due.slice(0, most).map((waiting) => this.#dueCallOf(waiting));
  }

  /** Records that a call has ended, its writes included. Idempotent. */
  end(callId: string, ending: Ending): void {
    if (this.#endings.has(callId)) return;
    this.#endings.set(callId, ending);
    for (const reading of this.#readers.get(callId) ?? []) {
      reading.pending -= 1;
      this.#waited(reading.needs.waiting, callId);
      if (reading.pending === 0) this.#decide(reading.needs);
    }
    for (const waiting of this.#later.get(callId) ?? []) {
      waiting.earlier -= 1;
      this.#waited(waiting, callId);
      this.#checkDue(waiting);
    }
  }

  #waited(waiting: Waiting, callId: string): void {
    if (!waiting.isDue) waiting.after = callId;
  }

  /** These calls are planned again (P24): they become due once more. */
  planAgain(callIds: readonly string[]): void {
    const again = new Set(callIds);
    for (const id of again) this.#endings.delete(id);
    // A call that is due and was not taken may have to wait again: for calls that are planned again.
    const untaken = new Set(this.#due);
    const had = [...this.#waiting.values()].filter(
      (waiting) => waiting.isDue && !untaken.has(waiting) && !again.has(waiting.call.id),
    );
    this.#begin(new Set(had.map(({ call }) => call.id)));
  }

  /** Builds what waits for what; `had` are calls that were due and taken. */
  #begin(had: ReadonlySet<string>): void {
    const { calls, links, order } = this.#prepared;
    this.#waiting = new Map(calls.map((call, place) => [call.id, waitingOf(call, place, had.has(call.id))]));
    this.#readers = new Map();
    this.#later = new Map();
    this.#due = [];
    for (const { from, to, read } of links) {
      const reading = this.#waiting.get(to)?.needs[read.read]?.gates[read.alternative]?.[read.member];
      // A writer may feed one reference by several targets.
      if (!reading || reading.writers.has(from)) continue;
      reading.writers.add(from);
      if (this.#endings.has(from)) continue;
      reading.pending += 1;
      push(this.#readers, from, reading);
    }
    for (const { from, to } of order) {
      const waiting = this.#waiting.get(to);
      if (!waiting || this.#endings.has(from)) continue;
      waiting.earlier += 1;
      push(this.#later, from, waiting);
    }
    for (const waiting of this.#waiting.values()) {
      for (const need of waiting.needs) this.#decide(need);
      this.#checkDue(waiting);
    }
  }

  #decide(need: Need): void {
    if (need.decided !== null) return;
    need.decided = this.#decisionOf(need);
    if (need.decided === null) return;
    need.waiting.undecided -= 1;
    this.#checkDue(need.waiting);
  }

  /** The first alternative that arrives, once those before it cannot (P5); a gate cannot when one member cannot (P6). */
  #decisionOf({ gates }: Need): "present" | "dead" | null {
    for (const gate of gates) {
      if (gate.some((reading) => this.#isAbsent(reading))) continue;
      return gate.every(isSettled) ? "present" : null;
    }
    return gates.every((gate) => gate.every(isSettled)) ? "dead" : null;
  }

  #isAbsent({ reference, pending }: Reading): boolean {
    return pending === 0 && this.#read(reference) === undefined;
  }

  #checkDue(waiting: Waiting): void {
    if (waiting.isDue || waiting.undecided > 0 || waiting.earlier > 0) return;
    waiting.isDue = true;
    this.#due.push(waiting);
  }

  #dueCallOf({ call, needs, after }: Waiting): DueCall {
    const absent = needs
      .filter(({ decided }) => decided === "dead")
      .flatMap(({ gates }) => gates.flat().filter((reading) => this.#isAbsent(reading)));
    const [first] = absent;
    if (!first) return { call, verdict: "ready", reason: null, after };
    for (const { reference, writers } of absent) {
      const lost = [...writers].find((writer) => this.#endings.get(writer) === "lost");
      if (lost !== undefined) {
        const reason = `It needs ${printReference(reference)}, which ${lost} did not produce`;
        return { call, verdict: "blocked", reason, after };
      }
    }
    // A planned writer explains more than a branch that was not taken.
    const reported =
      absent.find(({ writers }) => [...writers].some((id) => this.#endings.get(id) === "planned")) ?? first;
    const reason = `It needs ${printReference(reported.reference)}, ${this.#whyAbsent(reported)}`;
    return { call, verdict: "skipped", reason, after };
  }

  #whyAbsent({ writers }: Reading): string {
    if (writers.size === 0) return "which no call writes";
    // With one alternative there is no branch: the result did not have what is read of it.
    const lacking = [...writers].find(
      (id) => this.#endings.get(id) === "done" && this.#prepared.byId.get(id)?.output?.length === 1,
    );
    if (lacking !== undefined) return `which ${lacking} did not produce`;
    const planned = [...writers].find((id) => this.#endings.get(id) === "planned");
    return planned === undefined ? "a branch that was not taken" : `which ${planned} has only planned`;
  }
}

function isSettled({ pending }: Reading): boolean {
  return pending === 0;
}

function waitingOf(call: PlanCall, place: number, isDue: boolean): Waiting {
  const waiting: Waiting = { call, place, needs: [], undecided: call.reads.length, earlier: 0, isDue, after: null };
  waiting.needs = call.reads.map(({ expression }) => needOf(waiting, expression));
  return waiting;
}

function needOf(waiting: Waiting, expression: Expression): Need {
  const needs: Need = { waiting, gates: [], decided: null };
  needs.gates = expression.map((gate) =>
    gate.map((reference) => ({ reference, writers: new Set(), pending: 0, needs })),
  );
  return needs;
}

function push<T>(lists: Map<string, T[]>, key: string, entry: T): void {
  const list = lists.get(key);
  if (list) list.push(entry);
  else lists.set(key, [entry]);
}
