import { Draft } from "../../plan/schedule/draft.ts";
import type { SessionEvent } from "../event.ts";
import { callKey, planKey } from "../keys.ts";
import type { Alert, Call, Confirmation, Message, Plan, Run, Session, Warning, Write } from "../session.ts";

/** The limits of a view (E8). Older entries are counted, and read from the log by cursor. */
const MESSAGES = 200;
const WARNINGS = 200;
const ALERTS = 100;

/** A mutable working copy of a session while events are reduced. Only copies that it has made are changed. */
export class Folding {
  readonly draft: Draft<Session>;
  /** The index of each path in a list of writes, so that a batch of writes does not search for each. */
  readonly #places = new Map<Write[], Map<string, number>>();

  constructor(session: Session) {
    this.draft = new Draft(session);
  }

  get root(): Session {
    return this.draft.root;
  }

  get runs(): Map<string, Run> {
    return this.draft.map(this.root.runs, (copy) => {
      this.root.runs = copy;
    });
  }

  get plans(): Map<string, Plan> {
    return this.draft.map(this.root.plans, (copy) => {
      this.root.plans = copy;
    });
  }

  get calls(): Map<string, Call> {
    return this.draft.map(this.root.calls, (copy) => {
      this.root.calls = copy;
    });
  }

  get confirmations(): Map<string, Confirmation> {
    return this.draft.map(this.root.confirmations, (copy) => {
      this.root.confirmations = copy;
    });
  }

  /** A copy of the run for changes; null if unknown. */
  run(id: string): Run | null {
    return this.ready(this.root.runs.get(id), (copy) => this.runs.set(id, copy));
  }

  /**
   * A copy of the event's run for changes. A run without a start is created with a warning; events without a run share
   * the run "".
   */
  runOf(event: Pick<SessionEvent, "seq" | "run_id" | "parent_run_id" | "agent_id" | "occurred_at">): Run {
    const id = event.run_id ?? "";
    const known = this.run(id);
    if (known) return known;
    if (id !== "") this.warn(event, "run_not_started", `The run ${id} is named here before it has started`);
    return this.addRun(id, event);
  }

  addRun(id: string, event: Pick<SessionEvent, "seq" | "parent_run_id" | "agent_id" | "occurred_at">): Run {
    const run: Run = this.draft.adopt({
      id,
      parent_run_id: event.parent_run_id,
      parent_call_id: null,
      parent_instance: "",
      continues: null,
      delegate: null,
      agent_id: event.agent_id,
      status: "running",
      simulated: false,
      iteration: 1,
      started_seq: event.seq,
      ended_seq: null,
      started_at: event.occurred_at,
      ended_at: null,
      error: null,
      reason: null,
      prompt_seq: null,
      stages: [],
      speakers: [],
      usage: [],
      state: this.draft.adopt({}),
      writes: this.draft.adopt([]),
    });
    this.runs.set(id, run);
    return run;
  }

  /** A copy of the call for changes; null if unknown. */
  call(key: string): Call | null {
    return this.ready(this.root.calls.get(key), (copy) => this.calls.set(key, copy));
  }

  addCall(call: Call): Call {
    this.calls.set(callKey(call.run_id, call.iteration, call.instance, call.id), this.draft.adopt(call));
    return call;
  }

  addPlan(plan: Plan): void {
    this.plans.set(planKey(plan.run_id, plan.iteration), plan);
  }

  /** A copy of the confirmation for changes; null if unknown. */
  confirmation(id: string): Confirmation | null {
    return this.ready(this.root.confirmations.get(id), (copy) => this.confirmations.set(id, copy));
  }

  addConfirmation(confirmation: Confirmation): void {
    this.confirmations.set(confirmation.id, this.draft.adopt(confirmation));
  }

  addMessage(message: Message): void {
    const { root } = this;
    const kept = root.messages.length < MESSAGES ? root.messages : root.messages.slice(1 - MESSAGES);
    root.messages_before += root.messages.length - kept.length;
    root.messages = [...kept, message];
  }

  addAlert(alert: Alert): void {
    this.root.alerts = [...this.root.alerts.slice(1 - ALERTS), alert];
  }

  /** `by`: the event where it was found. */
  warn(by: Pick<SessionEvent, "seq" | "run_id">, code: Warning["code"], message: string): void {
    const { seq, run_id } = by;
    this.root.warnings = [...this.root.warnings.slice(1 - WARNINGS), { seq, run_id, code, message }];
  }

  /** The index of each `instance, path` in a run's writes; the caller updates it when adding. */
  placesOf(writes: Write[]): Map<string, number> {
    let places = this.#places.get(writes);
    if (!places) {
      places = new Map(writes.map((write, place) => [`${write.instance}\u0000${write.path}`, place]));
      this.#places.set(writes, places);
    }
    return places;
  }

  private ready<T extends object>(found: T | undefined, install: (copy: T) => void): T | null {
    if (!found) return null;
    const own = this.draft.own(found);
    if (own !== found) install(own);
    return own;
  }
}
