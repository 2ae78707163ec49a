import { setImmediate as turn } from "node:timers/promises";
import { inParts } from "../../event-loop/yielding.ts";
import { UnreadableMemory } from "../memory.ts";
import { Toolset } from "../tools/toolset.ts";
import { admit } from "./admission.ts";
import { park } from "./approvals.ts";
import { placeKeyOf } from "./begin-run.ts";
import { BudgetUse } from "./budget.ts";
import { delegateOf, handlerOf } from "./call-target.ts";
import { begin } from "./direct.ts";
import type { EngineContext } from "./engine-context.ts";
import { escalateAgain } from "./escalate.ts";
import { askForPlan } from "./outer-loop.ts";
import { REASONS } from "./reasons.ts";
import { watchTimeBudget } from "./request-termination.ts";
import { waitToRetry } from "./run-activity.ts";
import type { RunCall } from "./run-call.ts";
import { isRunEvent } from "./run-event.ts";
import { RunMemory } from "./run-memory.ts";
import { RunState } from "./run-state.ts";
import type { Runner } from "./runner.ts";
import { closeOn } from "./termination.ts";

/** A top-level run with its delegates' runs, as the log tells them. */
export interface Tree {
  runs: ReadonlyMap<string, RunState>;
  /** Delegates' runs by the `call.started` that each was begun by. */
  byStart: ReadonlyMap<string, RunState>;
}

/** Events that are taken in before everybody else has a turn, about 5 ms. */
const EVENTS_AT_ONCE = 1_000;

/** Reads a top-level run and its delegates' runs from the log. */
export async function loadTree(engine: EngineContext, rootId: string): Promise<Tree> {
  const runs = new Map<string, RunState>();
  const use = new BudgetUse();
  const memory = new RunMemory();
  let applied = 0;
  for (const event of await engine.ports.journal.read(rootId)) {
    const { run_id: id, conversation_id, parent_run_id, agent_id } = event;
    if (id === null || conversation_id === null || !isRunEvent(event)) continue;
    const state = runs.get(id) ?? new RunState({ id, conversation_id, parent_run_id, agent_id }, use, memory);
    runs.set(id, state);
    state.apply(event);
    if (state.isReading) await inParts(state.readPlan());
    applied += 1;
    if (applied % EVENTS_AT_ONCE === 0) await turn();
  }
  // What was told in one transaction with the memory is in it; but for an end that the memory itself brought about.
  for (const state of runs.values()) if (state.error?.code !== UnreadableMemory.code) state.notes_to_keep = [];
  // Without a process no time was used.
  use.skipTo(engine.ports.clock.now());
  const begun = [...runs.values()].flatMap((state): [string, RunState][] =>
    state.started_by === null ? [] : [[state.started_by, state]],
  );
  return { runs, byStart: new Map(begun) };
}

/** Takes a run up where the log leaves it (P23), and with it its delegates' runs that have not ended. */
export function takeUpTree(engine: EngineContext, tree: Tree, rootId: string): Runner {
  const root = openRun(engine, tree, rootId, null);
  root.post(() => takeUp(root, tree));
  escalateAgain(root, tree);
  return root;
}

/** Opens a run of which the log has the beginning. */
export function openRun(engine: EngineContext, tree: Tree, runId: string, parent: Runner["parent"]): Runner {
  const state = tree.runs.get(runId);
  if (!state) throw new Error(`The log has nothing of the run ${runId}`);
  const { tools, delegates } = engine.ports;
  return engine.open(state, parent?.run.tools ?? Toolset.of(tools, delegates, state.settings.tools), parent);
}

function takeUp(run: Runner, tree: Tree): void {
  const { state } = run;
  if (run.parent === null) run.place.enterAgain(placeKeyOf(state));
  if (state.ended) return;
  // Told, so that the time without a process is never taken for the run's own, however often this happens.
  if (run.parent === null && state.status === "running")
    run.log.emit("run.resumed", { reason: REASONS.serverStarted() }, { caused_by: state.latest });
  closeOn(run);
  if (state.iteration === 0) begin(run, state.latest);
  else if (state.proposed === null) {
    endEarly(run);
    askForPlan(run, state.latest);
  }
  for (const call of state.calls()) {
    if (call.status === "running") takeUpRunning(run, call, tree);
    else if (call.status === "parked") takeUpParked(run, call);
  }
  // After its delegates' runs are taken up: it may have to end them.
  if (run.parent === null) watchTimeBudget(run);
}

/** What started while a plan streamed is lost with that plan: the model is asked for another. */
function endEarly(run: Runner): void {
  for (const { name } of [...run.state.early.values()])
    run.log.emit("call.cancelled", { ...name, reason: REASONS.planCut() });
}

/** A call that had started: its try goes on, it is run again if that is safe, or a person is asked (P23). */
function takeUpRunning(run: Runner, call: RunCall, tree: Tree): void {
  const { clock } = run.engine.ports;
  if (call.retry !== null) {
    // No longer than it was to wait, should the clock have been set back since.
    const left = Math.min(call.retry.delay, Math.max(0, call.retry.at - clock.now()));
    return waitToRetry(run, call, left);
  }
  const { tool, event_id: caused_by, params } = call;
  const ready = { call, tool, params: params ?? {}, confirmation_id: null, caused_by };
  const isDelegate = delegateOf(call, tool) !== null;
  const child = isDelegate && call.event_id !== null ? tree.byStart.get(call.event_id) : undefined;
  if (child) return takeUpDelegate(run, call, child, tree);
  // It ends with its run.
  if (run.termination !== null) return;
  const handler = isDelegate ? null : handlerOf(run, call);
  // A latent tool's question to the model changes nothing outside, however often it is asked.
  if (handler === null || handler?.idempotent) run.interrupted.set(call, ready);
  else park(run, ready, "interrupted");
}

/** Its run goes on, or has ended and gives its outcome once more. */
function takeUpDelegate(run: Runner, call: RunCall, state: RunState, tree: Tree): void {
  const child = openRun(run.engine, tree, state.id, { run, call });
  const waiting = state.status === "waiting";
  run.inFlight.set(call, { kind: "delegate", waiting, child });
  if (!waiting) run.slots.retake();
  child.post(() => takeUp(child, tree));
}

/** An approved call that had not started does so now; of any other, the decision is awaited. */
function takeUpParked(run: Runner, call: RunCall): void {
  const confirmation = run.state.confirmations.get(call.confirmation_id ?? "");
  if (run.termination !== null || confirmation?.status !== "approved") return;
  const { method: tool, params } = confirmation.action;
  const ready = { call, tool, params, confirmation_id: confirmation.id, caused_by: confirmation.event_id };
  if (admit(run, ready)) run.slots.add(call.instance, ready);
}
