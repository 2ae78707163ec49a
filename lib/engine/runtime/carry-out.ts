import type { JsonObject } from "../../session/json/json.ts";
import type { Recorded } from "../isolation.ts";
import { actionOf, guardOf } from "../step/calls/approval-policy.ts";
import { awaitedIn } from "../step/calls/approvals.ts";
import { turnOf } from "../step/course/direct.ts";
import type { Effect, EffectOf } from "../step/effect.ts";
import type { Awaited } from "../step/input.ts";
import type { PendingStart } from "../step/state/in-flight.ts";
import type { DirectedTurn, Direction } from "../turn.ts";
import { askForPlan } from "./ask-for-plan.ts";
import { askForResult } from "./ask-for-result.ts";
import { callActivity } from "./call-activity.ts";
import type { Runner } from "./runner.ts";

/** Carries out an effect after the events of its tick are on disk. What it was for may have ended in the same tick. */
export function carryOut(run: Runner, effect: Effect): void {
  switch (effect.kind) {
    case "call_activity":
      if (run.run.attempts.get(effect.ticket)?.isOver === false) callActivity(run, effect);
      return;
    case "wait_to_retry":
      return waitToRetry(run, effect);
    case "find_approval":
      return findApproval(run, effect);
    case "find_recording":
      return findRecording(run, effect);
    case "ask_for_result":
      if (run.run.isLive(effect.call, effect.ticket)) askForResult(run, effect);
      return;
    case "ask_for_plan":
      if (run.run.asking?.ticket === effect.ticket) askForPlan(run, effect);
      return;
    case "ask_director":
      if (run.run.asking?.ticket === effect.ticket) askDirector(run, effect);
      return;
    case "release_grant":
      run.engine.grants.delete(effect.confirmation_id);
      return;
    case "send": {
      const { to, input } = effect;
      const { runners, runnerOf, withdrawElsewhere } = run.engine;
      const runner = typeof to === "string" ? runners.get(to) : runnerOf.get(to);
      if (runner) return runner.post(input);
      return typeof to === "string" && input.kind === "withdraw" ? withdrawElsewhere?.(to, input) : undefined;
    }
    default:
      return effect satisfies never;
  }
}

function waitToRetry(run: Runner, { ticket, delay_ms }: EffectOf<"wait_to_retry">): void {
  const call = run.run.retries.get(ticket);
  if (!call || !run.run.isLive(call, ticket)) return;
  const callOff = run.engine.ports.clock.later(delay_ms, () => {
    run.offStop(ticket);
    run.post({ kind: "retry_due", ticket });
  });
  run.onStop(ticket, callOff);
}

function findApproval(run: Runner, { ticket, pending }: EffectOf<"find_approval">): void {
  if (!run.run.isLive(pending.call, ticket)) return;
  const controller = new AbortController();
  run.onStop(ticket, (reason) => controller.abort(reason));
  lookUpApproval(run, pending, controller.signal).then(async ({ approval, before }) => {
    const elsewhere = approval === null ? await awaitedAtReplicas(run) : [];
    run.offStop(ticket);
    run.post(() => {
      const { grants } = run.engine;
      const grant = approval !== null && !grants.has(approval) ? approval : null;
      if (grant !== null) grants.add(grant);
      return {
        kind: "approval_found",
        ticket,
        grant,
        before,
        others: grant === null ? [...awaitedElsewhere(run), ...elsewhere] : [],
      };
    });
  });
}

/** Looks up an earlier approval of the same action, or else the description for the operator. */
async function lookUpApproval(
  { engine, run, state }: Runner,
  pending: PendingStart,
  signal: AbortSignal,
): Promise<{ approval: string | null; before: JsonObject | null }> {
  const { journal, logger } = engine.ports;
  const { id: run_id, conversation_id } = state;
  try {
    const grant = await journal.unusedApproval(conversation_id, actionOf(run, pending));
    if (grant !== null) return { approval: grant.confirmation_id, before: null };
  } catch (error) {
    logger.warn({ err: error, run_id, conversation_id }, "Could not read earlier approvals; requesting approval");
  }
  try {
    return { approval: null, before: (await guardOf(run, pending)?.before(pending.params, signal)) ?? null };
  } catch (error) {
    const place = { run_id, conversation_id, tool: pending.tool };
    logger.warn({ err: error, ...place }, "Could not read the values before a change");
    return { approval: null, before: null };
  }
}

/** The pending confirmations of other runs of the same user. */
function awaitedElsewhere({ engine, run }: Runner): Awaited[] {
  const { user_scope } = run.state.settings;
  if (user_scope === null) return [];
  return [...engine.runners.values()].flatMap((other) =>
    other.run !== run && other.state.settings.user_scope === user_scope
      ? awaitedIn(other.run).map(({ id, key, action }) => ({ run_id: other.state.id, id, key, action }))
      : [],
  );
}

/** The same, of runs that rest: no replica has them. */
async function awaitedAtReplicas({ engine, run, root }: Runner): Promise<Awaited[]> {
  const { ownership, logger } = engine.ports;
  const { hold } = root;
  if (!ownership || !hold || run.state.settings.user_scope === null) return [];
  try {
    return (await ownership.awaited(hold.key)).filter(({ run_id }) => !engine.runners.has(run_id));
  } catch (error) {
    const { id: run_id, conversation_id } = run.state;
    logger.warn({ err: error, run_id, conversation_id }, "Could not read what other runs of the user wait for");
    return [];
  }
}

function findRecording(run: Runner, { ticket, pending }: EffectOf<"find_recording">): void {
  if (!run.run.isLive(pending.call, ticket)) return;
  lookUpRecording(run, pending).then((recorded) => run.post({ kind: "recording_found", ticket, recorded }));
}

async function lookUpRecording(run: Runner, { call, tool, params }: PendingStart): Promise<Recorded | null> {
  const { isolation, logger } = run.engine.ports;
  const { id: run_id, conversation_id } = run.state;
  try {
    return (await isolation?.recorded(conversation_id, { place: call, tool, params })) ?? null;
  } catch (error) {
    logger.error(
      { err: error, run_id, conversation_id, tool },
      "Could not read recorded results; the call stays planned",
    );
    return null;
  }
}

function askDirector(run: Runner, { ticket }: EffectOf<"ask_director">): void {
  const { logger } = run.engine.ports;
  const { id: run_id, conversation_id } = run.state;
  direct(run, () => turnOf(run.run)).then(
    (direction) => run.post({ kind: "directed", ticket, direction }),
    (thrown: unknown) => {
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      run.post(() => {
        if (run.run.asking?.ticket === ticket)
          logger.error({ err: thrown, run_id, conversation_id }, "Could not determine the next speaker of a turn");
        return { kind: "direction_failed", ticket, message };
      });
    },
  );
}

async function direct({ engine }: Runner, turn: () => DirectedTurn): Promise<Direction> {
  const { director } = engine.ports;
  if (!director) throw new Error("this server has nobody to direct it");
  return director.next(turn());
}
