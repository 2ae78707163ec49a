import { readCall } from "../../../plan/call.ts";
import { printExpression } from "../../../plan/reference.ts";
import { chooseValue, resolveValue } from "../../../plan/resolve.ts";
import type { Json } from "../../../session/json/json.ts";
import type { Failure } from "../../../session/session.ts";
import { describeFaults } from "../describe-faults.ts";
import type { Run } from "../run.ts";
import type { RunState } from "../state/run-state.ts";

/** A run's output, or why there is none. */
export type Given = { ok: true; output: Json | undefined } | { ok: false; error: Failure };

/**
 * Resolves what the run gives after its calls, and checks it against the output's schema (P19). With instances, an
 * output that reads is one for each of them, by name.
 */
export function resolveOutput(run: Run, output: Json | undefined): Given {
  if (output === undefined) return withoutOutput(run);
  const { reads } = readCall({ _tool: "output", output }, "output");
  const { instances } = run.state;
  const [first = ""] = instances;
  if (first === "" || reads.length === 0) return resolveFor(run, first === "" ? "" : first, output);
  const each: [string, Json][] = [];
  for (const instance of instances) {
    const given = resolveFor(run, instance, output);
    if (!given.ok) return given;
    each.push([instance, given.output ?? null]);
  }
  return { ok: true, output: Object.fromEntries(each) };
}

function withoutOutput(run: Run): Given {
  if (!run.state.by_model || run.state.settings.output_schema === null) return { ok: true, output: undefined };
  return failed("invalid_output", "There is no output, but one is required");
}

function resolveFor(run: Run, instance: string, output: Json): Given {
  const given = readOutput(run.state, instance, output);
  return given.ok && given.output !== undefined ? checkOutput(run, given.output) : given;
}

/** Resolves an output by a run's current state (P8). */
export function readOutput(state: RunState, instance: string, output: Json): Given {
  const { read } = state.scope(instance);
  const { reads, problems } = readCall({ _tool: "output", output }, "output");
  const [problem] = problems;
  if (problem) return failed("invalid_output", `The output cannot be read: ${problem.message}`);
  const absent = reads.find(({ expression }) => chooseValue(expression, read) === undefined);
  if (absent) return failed("unbound", `The output needs ${printExpression(absent.expression)}, which does not exist`);
  return { ok: true, output: resolveValue(output, read) };
}

/** Checks a run's output against the requested schema (P19). */
export function checkOutput(run: Run, output: Json): Given {
  const { output_schema } = run.state.settings;
  const faults = output_schema === null ? [] : run.env.checker.faults(output_schema, output);
  if (faults.length === 0) return { ok: true, output };
  return failed("invalid_output", describeFaults("The output does not match its schema", faults));
}

function failed(code: string, message: string): Given {
  return { ok: false, error: { code, message } };
}
