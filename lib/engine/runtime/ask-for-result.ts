import { scopedMessages } from "../../plan/scope.ts";
import type { ProducedOutput } from "../planning/port.ts";
import type { EffectOf } from "../step/effect.ts";
import { checkAllowance, requestedWith, whyNoAnswer } from "./model-request.ts";
import type { Runner } from "./runner.ts";

/** Asks the model for the result of a latent tool, in a separate request (P2a). */
export function askForResult(run: Runner, effect: EffectOf<"ask_for_result">): void {
  const { ticket } = effect;
  const controller = new AbortController();
  run.onStop(ticket, (reason) => controller.abort(reason));
  produce(run, effect, controller.signal).then(
    ({ produced, answer }) => {
      run.offStop(ticket);
      run.post({ kind: "result_came", ticket, produced, answer });
    },
    (thrown: unknown) => {
      run.offStop(ticket);
      run.post({ kind: "result_failed", ticket, why: whyNoAnswer(thrown) });
    },
  );
}

async function produce(
  run: Runner,
  { ticket, call, tool, params }: EffectOf<"ask_for_result">,
  signal: AbortSignal,
): Promise<ProducedOutput> {
  const { planner } = run.engine;
  if (!planner) throw new Error(`There is no model to ask for the result of ${call.call_id}`);
  await checkAllowance(run);
  const { context } = run.state.settings;
  const scopes = scopedMessages(context, call.instance, call.plan.scopes, () => run.state.state(call.instance));
  return planner.produceOutput(
    { tool, call: call.json, params: structuredClone(params), scopes },
    {
      onRequest: (request) =>
        run.ask(() => ({ kind: "result_requested", ticket, requested: requestedWith(run, request, null, call) })),
      signal,
    },
  );
}
