import { scopedMessages } from "../../plan/scope.ts";
import type { JsonObject } from "../../session/json.ts";
import { AllowanceSpent } from "../errors.ts";
import type { Planner } from "../planning/port.ts";
import type { RegisteredTool } from "../tools/tools.ts";
import { alertSpent, checkAllowance } from "./allowance.ts";
import { failCall, finishCall } from "./finish-call.ts";
import type { InFlightCall } from "./in-flight.ts";
import { modelFailure, tellFailure, tellRequest, tellResponse } from "./model-events.ts";
import { releaseSlot } from "./release-slot.ts";
import type { RunCall } from "./run-call.ts";
import type { Runner } from "./runner.ts";

/** Asks the model for a latent tool's result, in a request of its own (P2a). */
export function askForResult(
  run: Runner,
  call: RunCall,
  tool: RegisteredTool,
  params: JsonObject,
  planner: Planner,
): void {
  const controller = new AbortController();
  const live: InFlightCall = {
    kind: "activity",
    waiting: false,
    child: null,
    stop: (reason) => controller.abort(reason),
  };
  let caused_by = call.event_id;
  run.inFlight.set(call, live);
  const ask = async () => {
    await checkAllowance(run);
    const { settings } = run.state;
    const scopes = scopedMessages(settings.context, call.instance, call.plan.scopes, () =>
      run.state.state(call.instance),
    );
    return planner.produceOutput(
      { tool, call: call.json, params: structuredClone(params), scopes },
      {
        onRequest: (request) =>
          run.ask(() => {
            caused_by = tellRequest(run, planner, request, { call, caused_by });
          }),
        signal: controller.signal,
      },
    );
  };
  run.after(() => {
    if (run.inFlight.get(call) !== live) return;
    ask().then(
      ({ produced, answer }) =>
        run.post(() => {
          // The tokens are used, whatever became of the call.
          const responded = tellResponse(run, planner, answer, caused_by);
          if (run.inFlight.get(call) !== live) return;
          releaseSlot(run, call);
          const telling = { caused_by: responded };
          if (!produced.ok) return failCall(run, call, produced.error, telling);
          finishCall(run, call, { value: produced.output, chosen: null, state: undefined }, telling);
        }),
      (thrown: unknown) =>
        run.post(() => {
          if (run.inFlight.get(call) !== live) return;
          if (thrown instanceof AllowanceSpent) {
            releaseSlot(run, call);
            return failCall(
              run,
              call,
              { code: thrown.code, message: thrown.message },
              { caused_by: alertSpent(run, thrown) },
            );
          }
          const failure = modelFailure(thrown);
          const failed = tellFailure(run, planner, failure, caused_by);
          releaseSlot(run, call);
          failCall(run, call, failure, { caused_by: failed });
        }),
    );
  });
}
