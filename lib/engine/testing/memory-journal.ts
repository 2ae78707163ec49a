import { setImmediate } from "node:timers";
import type { NewEvent, RunHold } from "../../../db/repositories.ts";
import type { SessionEvent } from "../../session/event.ts";
import { PAYLOADS } from "../../session/events/catalogue.ts";
import { isEventType } from "../../session/events/kinds.ts";
import { isJsonObject, isSameJson, type Json } from "../../session/json/json.ts";
import type { DocumentChange, Grant, Journal, OwnRun } from "../journal.ts";
import { isRunEvent, type RunEvent } from "../step/state/run-event.ts";

/**
 * A journal in memory, as faithful as tests need: what is appended together is there together or not at all, and only
 * after the event loop has turned. Payloads are checked against the catalogue and copied, as a disk would do.
 */
export class MemoryJournal implements Journal {
  /** What is on disk. */
  readonly events: SessionEvent[] = [];
  /** Refuses what is appended by who does not hold the run; only where there are several replicas. */
  checkHold: ((hold: RunHold) => void) | null = null;
  /** Called with each event that is there. */
  told: ((event: SessionEvent) => void) | null = null;
  /** How many events came with each append. */
  readonly batches: number[] = [];
  #crashed = false;
  /** The power fails when so many events are there; the append that would pass it is lost as a whole. */
  #last = Number.POSITIVE_INFINITY;
  readonly #seqs = new Map<string, number>();
  /** Who has taken a conversation over. */
  readonly #managers = new Map<string, string>();

  /** Users' documents by their addresses. */
  readonly documents: Map<string, { value: Json; version: number }>;

  constructor(
    events: readonly SessionEvent[] = [],
    documents: ReadonlyMap<string, { value: Json; version: number }> = new Map(),
  ) {
    this.documents = new Map(documents);
    for (const event of events) this.#add(structuredClone(event));
  }

  /** From now on nothing is stored, and nobody is answered. */
  crash(): void {
    this.#crashed = true;
  }

  get hasCrashed(): boolean {
    return this.#crashed;
  }

  /** Crashes before the append that would make it more than `count` events. */
  crashAfter(count: number): void {
    this.#last = count;
  }

  async append(events: NewEvent[], hold: RunHold | null = null): Promise<void> {
    await this.#store(() => ({ events, keep: () => undefined }), hold);
  }

  async appendWithMemory(
    events: NewEvent[],
    { agentId, key, apply }: DocumentChange,
    hold: RunHold | null = null,
  ): Promise<NewEvent | null> {
    const address = JSON.stringify([agentId, key]);
    let told: NewEvent | null = null;
    await this.#store(() => {
      const stored = this.documents.get(address) ?? null;
      const changed = apply(structuredClone(stored));
      told = changed?.event ?? null;
      const value = changed?.document;
      return {
        events: changed ? [...events, changed.event] : events,
        keep: () => {
          if (value !== undefined) this.documents.set(address, { value, version: (stored?.version ?? 0) + 1 });
        },
      };
    }, hold);
    return told;
  }

  async #store(make: () => { events: NewEvent[]; keep: () => void }, hold: RunHold | null): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    if (hold) this.checkHold?.(hold);

    const { events, keep } = this.#crashed ? { events: [], keep: () => undefined } : make();
    const checked = events.map((event) => {
      this.#refuseSpeech(event);
      if (isEventType(event.type)) PAYLOADS[event.type].parse(event.payload);
      return structuredClone(event);
    });
    if (this.#crashed || this.events.length + checked.length > this.#last) {
      this.#crashed = true;
      await new Promise(() => undefined);
    }
    keep();
    this.batches.push(checked.length);
    for (const { recorded_at, ...event } of checked) {
      this.#add({ ...event, seq: 0, position: 0, recorded_at: recorded_at ?? event.occurred_at ?? "" });
    }
  }

  async read(runId: string): Promise<SessionEvent[]> {
    return this.treeOf(runId);
  }

  /** The events of each top-level run with its delegates' runs. */
  trees(): SessionEvent[][] {
    const roots = this.events.flatMap(({ run_id, parent_run_id }) =>
      run_id === null || parent_run_id !== null ? [] : [run_id],
    );
    return [...new Set(roots)].map((runId) => this.treeOf(runId));
  }

  /** The events of a run and of its delegates' runs. */
  treeOf(runId: string): SessionEvent[] {
    const ids = new Set([runId]);
    const own = this.events.filter(({ run_id, parent_run_id }) => {
      if (run_id !== null && parent_run_id !== null && ids.has(parent_run_id)) ids.add(run_id);
      return run_id !== null && ids.has(run_id);
    });
    return structuredClone(own);
  }

  async find(runId: string): Promise<OwnRun | null> {
    const event = this.events.find(({ run_id }) => run_id === runId);
    if (!event || event.conversation_id === null) return null;
    return { run_id: runId, conversation_id: event.conversation_id, parent_run_id: event.parent_run_id };
  }

  async open(): Promise<OwnRun[]> {
    const open = new Map<string, OwnRun>();
    for (const { type, run_id, conversation_id, parent_run_id } of this.events) {
      if (run_id === null || conversation_id === null || parent_run_id !== null) continue;
      if (type === "run.started" || type === "run.resumed")
        open.set(run_id, { run_id, conversation_id, parent_run_id });
      if (["run.finished", "run.failed", "run.cancelled"].includes(type)) open.delete(run_id);
    }
    return [...open.values()];
  }

  async takenOver(conversationId: string): Promise<string | null> {
    return this.#managers.get(conversationId) ?? null;
  }

  async unusedApproval(conversationId: string, action: { method: string; params: Json }): Promise<Grant | null> {
    // Of a run that goes on, and of one that a person cancelled, an approval serves nobody else.
    const bound = new Set((await this.open()).map(({ run_id }) => run_id));
    for (const { type, run_id } of this.events) if (type === "run.cancelled" && run_id !== null) bound.add(run_id);
    const told = this.events.filter((event) => event.conversation_id === conversationId);
    const used = new Set<string>();
    const approved = new Map<string, { method: string; params: Json }>();
    const asked = new Map<string, { method: string; params: Json }>();
    for (const event of told) {
      if (!isRunEvent(event)) continue;
      const known: RunEvent = event;
      if (known.type === "call.started" && known.payload.confirmation_id) used.add(known.payload.confirmation_id);
      if (known.type === "confirmation.requested") asked.set(known.payload.confirmation_id, known.payload.action);
      if (known.type !== "confirmation.approved" || known.payload.result !== undefined) continue;
      const { confirmation_id } = known.payload;
      const wanted = known.payload.action ?? asked.get(confirmation_id);
      if (wanted && event.run_id !== null && !bound.has(event.run_id)) approved.set(confirmation_id, wanted);
    }
    for (const [confirmation_id, { method, params }] of approved)
      if (!used.has(confirmation_id) && method === action.method && isSameJson(params, action.params))
        return { confirmation_id };
    return null;
  }

  /** As the log does: no agent speaks, and no turn begins, where a manager has the conversation (D11). */
  #refuseSpeech({ type, payload, conversation_id }: NewEvent): void {
    const by = this.#managers.get(conversation_id ?? "");
    if (by === undefined || !isJsonObject(payload)) return;
    const speaks = type === "message.created" && payload.role === "assistant";
    if (speaks || (type === "run.started" && payload.answers !== undefined))
      throw Object.assign(new Error(`${by} has taken the conversation over`), { code: "taken_over", by });
  }

  #add(event: SessionEvent): void {
    const conversation = event.conversation_id ?? "";
    const seq = (this.#seqs.get(conversation) ?? 0) + 1;
    this.#seqs.set(conversation, seq);
    if (event.type === "conversation.taken_over") this.#managers.set(conversation, event.actor ?? "A manager");
    if (event.type === "conversation.handed_back") this.#managers.delete(conversation);
    const stored = { ...event, seq, position: this.events.length + 1 };
    this.events.push(stored);
    this.told?.(stored);
  }
}
