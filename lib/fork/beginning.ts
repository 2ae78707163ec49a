import type { NewEvent } from "../../db/repositories.ts";
import { newEvent } from "../intake/new-event.ts";
import type { Renaming } from "../intake/renaming.ts";
import type { PlanProblem } from "../plan/problem.ts";
import { dialogAgent } from "../session/dialog-agent.ts";
import type { Payload } from "../session/events/catalogue.ts";
import type { EventType } from "../session/events/kinds.ts";
import type { Json, JsonObject } from "../session/json/json.ts";
import { FORKED } from "../session/runs/run-reasons.ts";
import type { Call, CallStatus, Confirmation, Run, Session } from "../session/session.ts";
import { statusOf } from "../session/summary/summary.ts";
import type { Edit } from "./edits.ts";

/** The input for a fork's own first events. */
export interface Beginning {
  forkId: string;
  from: { conversation_id: string; seq: number };
  /** The source's session at the step. */
  session: Session;
  title: string | null;
  edits: readonly Edit[];
  /** The fork's ids for its history. */
  proposal: { calls: JsonObject[]; problems: readonly PlanProblem[] } | null;
  /** The run whose state is edited and that gets the plan; null for none. */
  renaming: Renaming;
  /** The run whose state is edited and that gets the plan; null for none. */
  run: Run | null;
  /** The dialog's state at the step. */
  dialog: ReadonlyMap<string, Json>;
  /** Who forks. */
  actor: string;
}

/**
 * The fork's own events (E9): its creation; the ends of everything open, so that nothing runs until a person starts it;
 * and the edits.
 */
export function beginFork(beginning: Beginning): NewEvent[] {
  const { forkId, from, session, title } = beginning;
  const events = new Own(beginning);
  events.add("conversation.created", { ...(title !== null && { title }), forked_from: from }, beginning.actor);
  closeConfirmations(events, beginning);
  closeCalls(events, beginning);
  closeRuns(events, beginning);
  // Alerts and takeovers of the source do not concern the fork.
  if (statusOf(session.summary) === "escalated") events.add("conversation.handed_back", { reason: FORKED }, "system");
  for (const [key, value] of beginning.dialog)
    events.add("agent_state.written", { agent_id: dialogAgent(forkId), key, value, version: 1 }, "system");
  if (beginning.edits.length > 0 || beginning.proposal) propose(events, beginning);
  return events.all;
}

class Own {
  readonly all: NewEvent[] = [];
  readonly #forkId: string;
  readonly #length: number;

  constructor({ forkId, from }: Beginning) {
    this.#forkId = forkId;
    this.#length = from.seq;
  }

  add<T extends EventType>(
    type: T,
    payload: Payload<T> & JsonObject,
    actor: string,
    runId: string | null = null,
  ): void {
    this.all.push(
      newEvent(type, payload, {
        id: this.#idAt(this.all.length + 1),
        conversation_id: this.#forkId,
        actor,
        run_id: runId,
        // All events are caused by the fork.
        caused_by: this.all.length === 0 ? null : this.#idAt(1),
      }),
    );
  }

  #idAt(place: number): string {
    return `${this.#forkId}:${this.#length + place}`;
  }
}

function closeConfirmations(events: Own, { session, renaming }: Beginning): void {
  const known = session.confirmations;
  for (const id of session.summary.awaiting) {
    const asked = known.get(id);
    const closed = { confirmation_id: renaming.confirmation(id), reason: FORKED, decided_by: "system" };
    const place = asked ? placeOf(asked) : {};
    events.add(
      "confirmation.denied",
      { ...closed, ...place },
      "system",
      asked?.run_id ? renaming.run(asked.run_id) : null,
    );
  }
}

function placeOf({ call_id, iteration, instance }: Confirmation): Partial<Payload<"confirmation.denied">> & JsonObject {
  return { iteration, ...(call_id !== null && { call_id }), ...(instance !== "" && { instance }) };
}

function closeCalls(events: Own, { session, renaming }: Beginning): void {
  for (const call of session.calls.values()) {
    if (!isOpen(call, session)) continue;
    const { id: call_id, iteration, instance, tool, run_id } = call;
    events.add(
      "call.cancelled",
      { call_id, iteration, ...(instance !== "" && { instance }), tool, reason: FORKED },
      "system",
      run_id === null ? null : renaming.run(run_id),
    );
  }
}

const UNFINISHED: ReadonlySet<CallStatus> = new Set<CallStatus>(["running", "parked"]);

/** A call that is running or waiting, or would still start in an open run. */
function isOpen({ status, run_id }: Call, { summary }: Session): boolean {
  if (UNFINISHED.has(status)) return true;
  return status === "planned" && run_id !== null && Object.hasOwn(summary.open_runs, run_id);
}

/** Runs of delegates before those that called them. */
function closeRuns(events: Own, { session, renaming }: Beginning): void {
  for (const id of Object.keys(session.summary.open_runs).reverse())
    events.add("run.cancelled", { reason: FORKED }, "system", renaming.run(id));
}

/** The edits and the proposed plan: in the run they continue, or in a new run that only holds them. */
function propose(events: Own, { forkId, edits, proposal, renaming, run, actor }: Beginning): void {
  // Events without a run belong to the run "".
  const id = run === null ? `${forkId}:run:draft` : run.id === "" ? null : renaming.run(run.id);
  if (run === null) events.add("run.started", { reason: FORKED }, actor, id);
  for (const { instance, path, value } of edits)
    events.add("state.written", { ...(instance !== "" && { instance }), path, value }, actor, id);
  if (proposal) {
    const iteration = (run?.iteration ?? 0) + 1;
    events.add("plan.proposed", { iteration, calls: proposal.calls.map(asCall) }, actor, id);
    const problems = proposal.problems.map((problem) => ({ ...problem }));
    events.add("plan.validated", { iteration, ...(problems.length > 0 && { problems }) }, "system", id);
  }
  if (run === null) events.add("run.finished", { reason: FORKED }, actor, id);
}

/** A call of a valid plan names its tool. */
function asCall(call: JsonObject): Payload<"plan.proposed">["calls"][number] & JsonObject {
  const { _tool, _id } = call;
  return { ...call, _tool: typeof _tool === "string" ? _tool : "", _id: typeof _id === "string" ? _id : null };
}
