import { AllowanceSpent } from "../errors.ts";
import { ModelError, type ModelRequest } from "../model.ts";
import { toJson } from "../plain-json.ts";
import type { NoPlan, Requested } from "../step/input.ts";
import { placeOf, type RunCall } from "../step/state/run-call.ts";
import type { AgentPrompt } from "./prompting.ts";
import type { Runner } from "./runner.ts";

/** Throws `AllowanceSpent` if the run's agent has spent its model budget. */
export async function checkAllowance({ engine, state }: Runner): Promise<void> {
  const spent = await engine.ports.allowance?.spent(state.agent_id);
  if (spent) throw new AllowanceSpent(spent.message, spent.alert);
}

/** A request as the log records it. `agent`: the instructions of a turn; `call`: the call whose result is requested. */
export function requestedWith(
  { engine, state }: Runner,
  { instructions, ...input }: ModelRequest,
  agent: AgentPrompt | null,
  call: RunCall | null,
): Requested {
  const { id: run_id, conversation_id, agent_id, iteration } = state;
  const place = { conversation_id, run_id, agent_id, iteration, ...(call === null ? {} : placeOf(call)) };
  return {
    prompt: engine.ports.prompts.tell({ instructions, ...input }, agent?.filled ?? null, place),
    input: toJson(input),
    previous_response_id: input.previous_response_id,
    told: agent?.told ?? null,
  };
}

/** The failure of a request: no response, or an unusable one. */
export function whyNoAnswer(thrown: unknown): Exclude<NoPlan, { kind: "prompt" }> {
  if (thrown instanceof AllowanceSpent) {
    const { message, code, alert } = thrown;
    return { kind: "allowance", message, code, alert };
  }
  const code = thrown instanceof ModelError ? thrown.code : "model_failed";
  return { kind: "model", failure: { code, message: thrown instanceof Error ? thrown.message : String(thrown) } };
}
