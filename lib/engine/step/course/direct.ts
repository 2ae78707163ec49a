import type { DirectedTurn, Direction, Speaker, SpokenPart } from "../../turn.ts";
import { controlOf } from "../calls/approval-policy.ts";
import type { Run } from "../run.ts";
import type { RunCall } from "../state/run-call.ts";
import { printSpeaker } from "../state/run-settings.ts";
import { answerOf, type Part } from "../state/spoken.ts";
import { failRun, finishRun } from "./end-run.ts";
import { askForPlan, nextIteration } from "./outer-loop.ts";
import { goOn } from "./resume-waiting.ts";
import { waitsForTurn } from "./turn-place.ts";

/** Starts a run that a model plans, once it is its turn (M11): in a directed turn the director says who speaks first. */
export function begin(run: Run, caused_by: string | null): void {
  if (waitsForTurn(run, { act: "begin", caused_by })) return;
  if (run.state.settings.directed) direct(run, caused_by);
  else nextIteration(run, caused_by);
}

/**
 * Asks the director how a turn goes on (D1, D6). Nothing is told before it has answered, so that the next process asks it
 * anew: with the same turn so far, it answers the same (P23).
 */
export function direct(run: Run, caused_by: string | null): void {
  if (waitsForTurn(run, { act: "direct", caused_by })) return;
  goOn(run, caused_by);
  const ticket = run.ticket();
  run.asking = { ticket, caused_by, requested: null };
  run.after({ kind: "ask_director", ticket });
}

/** Handles the director's answer. */
export function takeDirection(run: Run, ticket: number, direction: Direction): void {
  const { asking } = run;
  if (asking?.ticket !== ticket) return;
  run.asking = null;
  follow(run, direction, asking.caused_by);
}

/** The turn, from the run's events. */
export function turnOf(run: Run): DirectedTurn {
  const { id: run_id, conversation_id, settings, spoken } = run.state;
  const { answers: message_id, user_id, locale } = settings;
  if (message_id === null) throw new Error(`The run ${run_id} is directed, and answers nobody`);
  const parts = spoken.parts.map((part) => partOf(run, part));
  return structuredClone({ conversation_id, run_id, message_id, user_id, locale, told: spoken.told, parts });
}

/** What an agent said and did; for the newest, including the iteration that just ended. */
function partOf(run: Run, part: Part): SpokenPart {
  const { state } = run;
  const isNewest = part === state.spoken.newest;
  const calls = isNewest ? [...part.calls, ...state.calls()] : part.calls;
  return {
    node: part.node,
    agent_id: part.agent_id,
    answer: isNewest ? answerOf(state) : part.answer,
    used_tools: [...new Set(calls.filter(({ attempt }) => attempt > 0).map(({ tool }) => tool))],
    handed_over: calls.find((call) => handsOver(run, call))?.params ?? null,
    response_id: part.response_id,
  };
}

/** Whether it ends its agent's part of the turn (D5). */
export function handsOver(run: Run, call: RunCall): boolean {
  const isDone = call.status === "succeeded" || call.status === "superseded";
  return isDone && controlOf(run, { call, tool: call.tool, params: call.params ?? {} }) === "hand_over";
}

function follow(run: Run, direction: Direction, caused_by: string | null): void {
  const told = tell(run, direction, caused_by);
  switch (direction.kind) {
    case "ask":
      return giveWordTo(run, direction.speaker, told);
    case "answer":
      return finishRun(run, direction.text);
    default:
      return direction satisfies never;
  }
}

/** Records the events of a direction, each caused by the one before; returns the last. */
function tell(run: Run, { events }: Direction, caused_by: string | null): string | null {
  return events.reduce((cause, event) => {
    const origin = { actor: "system", caused_by: cause };
    switch (event.type) {
      case "stage.entered":
        return run.log.emit(event.type, event.payload, origin);
      case "stage.changed":
        return run.log.emit(event.type, event.payload, origin);
      case "agent_state.written":
        return run.log.emit(event.type, event.payload, origin);
      default:
        return event satisfies never;
    }
  }, caused_by);
}

function giveWordTo(run: Run, speaker: Speaker, caused_by: string | null): void {
  const begun = { iteration: run.state.iteration + 1, speaker: printSpeaker(speaker) };
  askForPlan(run, run.log.emit("run.iteration", begun, { caused_by }));
}

/** The director failed. */
export function failUndirected(run: Run, ticket: number, cause: string): void {
  const { asking } = run;
  if (asking?.ticket !== ticket) return;
  run.asking = null;
  const message = `Could not determine which agent speaks in this turn: ${cause}; resume the run to retry`;
  failRun(run, { code: DIALOG_FAILED, message }, asking.caused_by);
}

/** The failure of a run whose turn could not be directed. */
export const DIALOG_FAILED = "dialog_failed";
