import { handOver } from "@/components/takeover/hand-over.ts";
import type { Confirmation } from "@/lib/session/session.ts";
import { type DecisionBody, isWaiting, type Outcome, sendDecision } from "./send-decision.ts";

/** What a decision needs of a confirmation, both in a session and in a list. */
export type Decidable = Pick<
  Confirmation,
  "id" | "cause" | "action" | "before" | "description" | "key" | "requested_seq"
>;

/** Why a decision was not sent, although nobody undid it. */
export type Dropped = "overtaken" | "changed" | "asleep";

/** A decision made in this tab. It can be undone for a moment, and is then sent. */
interface Waiting {
  id: number;
  /** When it was made, and how long it waits, in ms. */
  since: number;
  left: number;
  state:
    | { name: "waiting" | "sending" }
    | { name: "failed"; error: Error }
    | { name: "missed"; outcomes: readonly Outcome[] }
    | { name: "dropped"; why: Dropped };
}

/** A decision about confirmations. */
export interface PendingDecision extends Waiting {
  kind: "decision";
  items: readonly Decidable[];
  body: DecisionBody;
}

/** Hands a conversation back to its agent and closes its alerts (D11). */
export interface PendingHandBack extends Waiting {
  kind: "handBack";
  conversation: HandedBack;
}

export interface HandedBack {
  id: string;
  /** Its title. */
  name: string;
  /** There was no takeover: only its alerts are closed. */
  alertsOnly: boolean;
  /** Called after the handback, also when the page of the request is gone. */
  onDone: () => void;
}

export type Pending = PendingDecision | PendingHandBack;

/** How long a decision can be undone, ms. */
export const UNDO_FOR = 5_000;

const TICK = 200;

/**
 * A page whose timers stood still for this long, ms, was suspended: its decisions are too old to be sent automatically.
 */
const ASLEEP = 20_000;

/** The result of a decision, for listeners. */
export interface Told {
  onSettled?: (outcomes: readonly Outcome[]) => void;
  /** Its confirmations; empty for other actions. */
  onUndone?: (ids: readonly string[]) => void;
}

/** The decisions made in this tab, newest last, kept across navigation. */
let pending: readonly Pending[] = [];
/** Sent decisions whose event has not arrived yet, by `requestKey`. */
const sent = new Set<string>();
let count = 0;
let held = false;
let ticked = 0;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();
const told = new Set<Told>();

/** Subscribes to changes. */
export function onPending(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Subscribes to results of decisions. */
export function onDecisionResult(one: Told): () => void {
  told.add(one);
  return () => told.delete(one);
}

export function readPending(): readonly Pending[] {
  return pending;
}

/** It can be undone, or is being sent. */
export function isOpen({ state }: Pending): boolean {
  return state.name === "waiting" || state.name === "sending";
}

/** The newest open decision about a confirmation. */
export function pendingOf(all: readonly Pending[], id: string): PendingDecision | null {
  return (
    all.filter((one) => one.kind === "decision").findLast(({ items }) => items.some((item) => item.id === id)) ?? null
  );
}

/** The open handback of a conversation. */
export function handBackOf(all: readonly Pending[], conversationId: string): PendingHandBack | null {
  return all.filter((one) => one.kind === "handBack").find(({ conversation: { id } }) => id === conversationId) ?? null;
}

/** Whether the decision was sent and there is nothing left to decide. */
export function isSent(item: Decidable): boolean {
  return sent.has(requestKey(item));
}

/** Makes a decision, which is sent after a moment unless it is undone. */
export function decide(items: readonly Decidable[], body: DecisionBody): void {
  const ids = new Set(items.map(({ id }) => id));
  const isAbout = (one: Pending) => one.kind === "decision" && one.items.some(({ id }) => ids.has(id));
  if (pending.some((one) => isOpen(one) && isAbout(one))) return;
  update([...pending.filter((one) => !isAbout(one)), { ...fresh(), kind: "decision", items, body }]);
}

/** Hands a conversation back after a moment unless it is undone. */
export function handBack(conversation: HandedBack): void {
  const before = handBackOf(pending, conversation.id);
  if (before && isOpen(before)) return;
  update([...pending.filter((one) => one !== before), { ...fresh(), kind: "handBack", conversation }]);
}

function fresh(): Waiting {
  count += 1;
  return { id: count, since: performance.now(), left: UNDO_FOR, state: { name: "waiting" } };
}

/** Undoes a decision; the newest one by default. */
export function undo(id?: number): void {
  const one = pending.findLast((each) => each.state.name === "waiting" && (id === undefined || each.id === id));
  if (!one) return;
  update(pending.filter((each) => each !== one));
  const ids = one.kind === "decision" ? one.items.map((item) => item.id) : [];
  for (const { onUndone } of told) onUndone?.(ids);
}

/** Sends a decision now, or again after a failure. */
export function sendNow(id: number): void {
  const one = pending.find((each) => each.id === id);
  if (one && one.state.name !== "sending") void send(one);
}

/** Removes a completed decision. */
export function dismiss(id: number): void {
  update(pending.filter((each) => each.id !== id || isOpen(each)));
}

/** Pauses or resumes the time of all decisions. */
export function hold(stop: boolean): void {
  if (held === stop) return;
  held = stop;
  ticked = performance.now();
  tell();
}

export function isPaused(): boolean {
  return held;
}

/** A confirmation was decided elsewhere or requested with other values: the decision made here is not sent. */
export function drop(confirmationId: string, why: Dropped): void {
  const isIt = ({ id }: Decidable) => id === confirmationId;
  update(
    pending.map((one) => {
      if (one.kind !== "decision" || one.state.name !== "waiting" || !one.items.some(isIt)) return one;
      const rest = one.items.filter((item) => !isIt(item));
      return rest.length > 0 ? { ...one, items: rest } : { ...one, state: { name: "dropped", why } };
    }),
  );
}

/** Somebody else took a conversation over or handed it back: the handback made here is not sent. */
export function dropHandBack(conversationId: string): void {
  const one = handBackOf(pending, conversationId);
  if (one?.state.name === "waiting") change(one.id, { name: "dropped", why: "overtaken" });
}

async function send(one: Pending): Promise<void> {
  change(one.id, { name: "sending" });
  try {
    if (one.kind === "decision") await sendOne(one);
    else {
      await handOver(one.conversation.id, "handback");
      update(pending.filter(({ id }) => id !== one.id));
      one.conversation.onDone();
    }
  } catch (error) {
    change(one.id, { name: "failed", error: error instanceof Error ? error : new Error(String(error)) });
  }
}

async function sendOne(one: PendingDecision): Promise<void> {
  const outcomes = await sendDecision(one.items, one.body);
  const missed = outcomes.filter(({ outcome }) => outcome !== "decided");
  const wrong = new Set(missed.map(({ id }) => id));
  const waiting = new Set(outcomes.filter(isWaiting).map(({ id }) => id));
  for (const item of one.items) if (!wrong.has(item.id) && !waiting.has(item.id)) sent.add(requestKey(item));
  if (missed.length === 0) update(pending.filter(({ id }) => id !== one.id));
  else change(one.id, { name: "missed", outcomes });
  for (const { onSettled } of told) onSettled?.(outcomes);
}

/** The key of a request; a changed request has another one. */
export function requestKey({ id, requested_seq }: Decidable): string {
  return `${requested_seq} ${id}`;
}

function change(id: number, state: Waiting["state"]): void {
  update(pending.map((one) => (one.id === id ? { ...one, state } : one)));
}

function update(next: readonly Pending[]): void {
  pending = next;
  const waits = pending.some(({ state }) => state.name === "waiting");
  if (!waits) {
    clearInterval(timer);
    timer = undefined;
    held = false;
  } else if (timer === undefined) {
    ticked = performance.now();
    timer = setInterval(tick, TICK);
  }
  tell();
}

function tick(): void {
  const now = performance.now();
  const passed = now - ticked;
  ticked = now;
  const waiting = pending.filter(({ state }) => state.name === "waiting");
  if (passed > ASLEEP) {
    for (const { id } of waiting) change(id, { name: "dropped", why: "asleep" });
    return;
  }
  if (held) return;
  for (const one of waiting) if (one.left <= passed) void send(one);
  update(pending.map((one) => (one.state.name === "waiting" ? { ...one, left: one.left - passed } : one)));
}

function tell(): void {
  for (const listener of listeners) listener();
}
