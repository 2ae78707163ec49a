import type { Action } from "../../lib/memory/actions/happening.ts";
import { effectOf, methodOf } from "../../lib/memory/actions/methods.ts";
import { readCalls } from "../../lib/plan/call.ts";
import type { Target } from "../../lib/plan/output-path.ts";
import { printReference } from "../../lib/plan/reference.ts";
import type { Json, JsonObject } from "../../lib/session/json/json.ts";
import type { News } from "./memory-keeper.ts";
import { type PlayedCall, read, resolvedParams, writersOf } from "./played-call.ts";
import type { Draft } from "./recording.ts";
import type { Asked, Decision, Delegate, Scene, Stage } from "./scene.ts";
import { Scratchpad } from "./scratchpad.ts";

/** The delay between two calls that start together. */
const DISPATCH = 7;

/** The end of a plan: its last event and time, and whether calls are still pending. */
export interface Played {
  at: number;
  last: Draft;
  waiting: boolean;
}

/**
 * Simulates a plan by its references: a call starts when its inputs are written, is skipped when they never will be,
 * and ends with its outcome. Records every event from `at` on, epoch ms.
 */
export function playPlan(stage: Stage, plan: readonly JsonObject[], scenes: Record<string, Scene>, at: number): Played {
  const planned = readCalls(plan);
  const calls = Object.entries(scenes).flatMap(([instance, { input, outcomes }]) => {
    const pad = new Scratchpad(input);
    return planned.map((call): PlayedCall => {
      // A call without an outcome never starts.
      const outcome = outcomes[call.id] ?? { ms: 0 };
      return { call, instance, outcome, pad, status: "planned", last: null };
    });
  });
  return new Play(stage, calls, at).toEnd();
}

class Play {
  readonly #stage: Stage;
  readonly #calls: readonly PlayedCall[];
  readonly #agenda: { at: number; act: () => void }[] = [];
  #at: number;
  #last: Draft;
  #waiting = false;

  constructor(stage: Stage, calls: readonly PlayedCall[], at: number) {
    this.#stage = stage;
    this.#calls = calls;
    this.#at = at;
    this.#last = stage.cause;
  }

  toEnd(): Played {
    for (;;) {
      this.#startReady();
      const parked = this.#calls.some(({ status }) => status === "parked");
      if (parked && !this.#waiting && !this.#calls.some(({ status }) => status === "busy")) this.#wait();
      const [next] = this.#agenda.sort((a, b) => a.at - b.at).splice(0, 1);
      if (!next) return { at: this.#at, last: this.#last, waiting: parked };
      this.#at = Math.max(this.#at, next.at);
      next.act();
    }
  }

  #wait(): void {
    const origin = this.#from(this.#last);
    this.#last = this.#stage.recording.add(this.#tick(), "run.waiting", { reason: "confirmation" }, origin);
    this.#waiting = true;
  }

  /** Repeated, because a skipped call settles its outputs. */
  #startReady(): void {
    for (let changed = true; changed; ) {
      changed = false;
      for (const played of this.#calls) {
        if (played.status !== "planned") continue;
        const readings = played.call.reads.map(({ expression }) => read(expression, played, this.#calls));
        if (readings.includes("never")) this.#passOver(played);
        else if (readings.includes("pending")) continue;
        else this.#start(played);
        changed = true;
      }
    }
  }

  /** The inputs of a call can no longer be written: a branch was not taken, or a writer failed (P21). */
  #passOver(played: PlayedCall): void {
    const missing = played.call.reads.find(({ expression }) => read(expression, played, this.#calls) === "never");
    const references = (missing?.expression ?? []).flat();
    const writers = writersOf(references, played, this.#calls);
    const broken = writers.some(({ status }) => status === "broken");
    played.status = broken ? "broken" : "ended";
    const path = references.map(printReference).join(" || ");
    const reason = broken ? `waits for ${path}, which can no longer arrive` : "branch not taken";
    const cause = writers.at(-1)?.last ?? this.#stage.cause;
    this.#record(played, broken ? "call.blocked" : "call.skipped", { reason }, cause);
  }

  #start(played: PlayedCall): void {
    // The newest write of its inputs: the one that it waited for.
    const cause = played.pad.awaited(played.call.reads) ?? this.#stage.cause;
    if (played.outcome.asks) this.#park(played, played.outcome.asks, cause);
    else this.#begin(played, this.#tick(), cause);
  }

  #park(played: PlayedCall, asks: Asked, cause: Draft): void {
    played.status = "parked";
    const { recording, run } = this.#stage;
    const { call, instance } = played;
    const { key, description, before, decision } = asks;
    const confirmation_id = `${run.id}:${call.id}${instance}`;
    const params = resolvedParams(played, this.#calls);
    const parked = this.#record(played, "call.parked", { params, confirmation_id, reason: "risk" }, cause);
    const action = { method: call.tool, params };
    const asked = { ...this.#name(played), confirmation_id, key, cause: "risk" as const, description, action };
    const told = { ...asked, ...(before && { before }) };
    const request = recording.add(this.#tick(), "confirmation.requested", told, this.#from(parked));
    this.#remember({ type: "requested", key, action, description }, request);
    if (!decision) return;
    this.#agenda.push({
      at: this.#at + decision.after,
      act: () => this.#decide(played, { confirmation_id, key, action }, decision, request),
    });
  }

  #decide(
    played: PlayedCall,
    { confirmation_id, key, action }: { confirmation_id: string; key: string; action: Action },
    { by, deny }: Decision,
    request: Draft,
  ): void {
    const { recording } = this.#stage;
    const decided = { ...this.#name(played), confirmation_id, decided_by: by, ...(deny && { reason: deny }) };
    const type = deny ? "confirmation.denied" : "confirmation.approved";
    const decision = recording.add(this.#at, type, decided, this.#from(request, `operator:${by}`));
    this.#remember(deny ? { type: "denied", key, action, reason: deny } : { type: "approved", key, action }, decision);
    if (this.#waiting) recording.add(this.#tick(), "run.resumed", {}, this.#from(decision));
    this.#waiting = false;
    if (!deny) return this.#begin(played, this.#tick(), decision);
    played.status = "broken";
    this.#record(played, "call.denied", { confirmation_id, reason: deny }, decision);
  }

  #begin(played: PlayedCall, start: number, cause: Draft): void {
    const { tries = [], ms, model, delegate } = played.outcome;
    const params = resolvedParams(played, this.#calls);
    played.status = "busy";
    let at = start;
    let started = this.#record(played, "call.started", { params, attempt: 1 }, cause, at);
    for (const [index, { ms: lasted, error, delay }] of tries.entries()) {
      at += lasted;
      const attempt = index + 1;
      const broken = { attempt, error, reason: error.code, delay_ms: delay };
      const retried = this.#record(played, "call.retried", broken, started, at);
      at += delay;
      started = this.#record(played, "call.started", { params, attempt: attempt + 1 }, retried, at);
    }
    if (model) this.#ask(started, model, at, ms);
    const end = delegate ? this.#delegate(played, delegate, started, at) : at + ms;
    this.#agenda.push({ at: end, act: () => this.#end(played, params, started) });
  }

  #ask(cause: Draft, tokens: { input: number; output: number }, at: number, ms: number): void {
    const { recording, model, iteration } = this.#stage;
    const requested = recording.add(at, "model.requested", { ...model, iteration }, this.#from(cause));
    const used = { ...model, iteration, input_tokens: tokens.input, output_tokens: tokens.output };
    recording.add(at + ms, "model.responded", used, this.#from(requested, "model"));
  }

  /** The delegate's run, in an isolated context with one instance (P27); returns when it ended. */
  #delegate(played: PlayedCall, { name, plan, outcomes }: Delegate, cause: Draft, at: number): number {
    const { recording, run: parent, actor } = this.#stage;
    const { call, instance, outcome } = played;
    const run = { id: `${parent.id}.${call.id}${instance}`, parentId: parent.id, agentId: parent.agentId };
    const input = resolvedParams(played, this.#calls);
    const output = outcome.output ?? null;
    const named = { ...this.#name(played), delegate: name };
    let newest = cause;
    const from = () => ({ actor, run, cause: newest });
    newest = recording.add(at + DISPATCH, "run.started", { delegate: name, call_id: call.id, instance, input }, from());
    newest = recording.add(at + 2 * DISPATCH, "delegate.started", { ...named, input }, from());
    const began = at + 3 * DISPATCH;
    newest = recording.add(began, "plan.proposed", { iteration: 1, calls: asCalls(plan) }, from());
    const stage = { ...this.#stage, run, iteration: 1, cause: newest };
    const own = playPlan(stage, plan, { [instance]: { input, outcomes } }, began);
    const end = own.at + outcome.ms;
    newest = recording.add(end, "run.finished", { output }, { ...from(), cause: own.last });
    recording.add(end + 1, "delegate.finished", { ...named, output }, from());
    return end + 2;
  }

  #end(played: PlayedCall, params: JsonObject, cause: Draft): void {
    const { error, output = null, branch } = played.outcome;
    const alternatives = played.call.output ?? [];
    const chosen: JsonObject = alternatives.length > 1 ? { branch: branch ?? 0 } : {};
    const handled = error !== undefined && branch !== undefined;
    played.status = error && !handled ? "broken" : "ended";
    const result: JsonObject = error ? { error, ...(handled && { handled, ...chosen }) } : { output, ...chosen };
    const type = error ? "call.failed" : "call.succeeded";
    const ended = this.#record(played, type, result, cause, this.#at, `tool:${played.call.tool}`);
    this.#rememberEnd(played, params, ended);
    if (played.status === "broken") return;
    for (const target of alternatives[branch ?? 0] ?? []) this.#write(played, target, error ?? output, ended);
  }

  /** Records a call's action; a delegate's own calls record theirs. */
  #rememberEnd({ call: { tool: method }, outcome }: PlayedCall, params: JsonObject, ended: Draft): void {
    const { delegate, error, output = null, effect = methodOf(method) ? effectOf(method) : "none" } = outcome;
    if (delegate) return;
    const action = { method, params };
    this.#remember(error ? { type: "failed", action } : { type: "carried_out", action, result: output, effect }, ended);
  }

  #remember(news: News, cause: Draft): void {
    const { memory, actor, run } = this.#stage;
    memory?.note(news, cause, { actor, run });
  }

  #write(played: PlayedCall, target: Target, value: Json, cause: Draft): void {
    const payload = { ...this.#name(played), path: printReference(target), value };
    this.#last = this.#stage.recording.add(this.#tick(1), "state.written", payload, this.#from(cause));
    played.pad.write(target, value, this.#last);
  }

  #record(
    played: PlayedCall,
    type: CallEvent,
    what: JsonObject,
    cause: Draft,
    at = this.#tick(),
    actor = this.#stage.actor,
  ): Draft {
    const payload = { ...this.#name(played), tool: played.call.tool, ...what };
    this.#last = this.#stage.recording.add(at, type, payload, this.#from(cause, actor));
    played.last = this.#last;
    return this.#last;
  }

  #name({ call, instance }: PlayedCall): { call_id: string; iteration: number; instance?: string } {
    return { call_id: call.id, iteration: this.#stage.iteration, ...(instance !== "" && { instance }) };
  }

  #from(cause: Draft, actor = this.#stage.actor): { actor: string; run: Stage["run"]; cause: Draft } {
    return { actor, run: this.#stage.run, cause };
  }

  #tick(ms = DISPATCH): number {
    this.#at += ms;
    return this.#at;
  }
}

type CallEvent =
  | "call.started"
  | "call.retried"
  | "call.parked"
  | "call.succeeded"
  | "call.failed"
  | "call.skipped"
  | "call.blocked"
  | "call.denied";

/** The calls of a session, validated, so that mistakes are found at once. */
export function asCalls(plan: readonly JsonObject[]): ({ _tool: string } & JsonObject)[] {
  return plan.map((call) => {
    if (typeof call._tool !== "string") throw new Error(`A call of a demo plan has no tool: ${JSON.stringify(call)}`);
    return { ...call, _tool: call._tool };
  });
}
