import type { Run, Session, Usage } from "../session.ts";

/** The maximum number of models (E8); the others are added up, without a name. */
const MODELS = 20;

/** Adds usage, by model in order of appearance. */
export function addUsage(usage: readonly Usage[], more: Usage): Usage[] {
  const known = usage.some(({ model }) => model === more.model);
  const model = known || usage.length < MODELS ? more.model : "";
  const before = usage.find((one) => one.model === model);
  if (!before) return [...usage, { ...more, model }];
  return usage.map((one) => (one === before ? sum(one, more) : one));
}

/** The usage of a run with its delegates' runs. */
export function usageOfRun({ runs }: Pick<Session, "runs">, run: Run): Usage[] {
  const within = new Set([run.id]);
  let usage = run.usage.map((one) => ({ ...one }));
  // A run comes after its parent.
  for (const one of runs.values()) {
    if (one.id === run.id || one.parent_run_id === null || !within.has(one.parent_run_id)) continue;
    within.add(one.id);
    usage = one.usage.reduce(addUsage, usage);
  }
  return usage;
}

/** Whether a sum of tokens is all of them, at least so many, or not known at all. */
export function reporting({ responses, unreported }: Pick<Usage, "responses" | "unreported">): Reporting {
  if (unreported === 0) return "all";
  return unreported < responses ? "some" : "none";
}

export type Reporting = "all" | "some" | "none";

/** A sum of tokens; null where no response told any. */
export function knownTokens(usage: Usage, part: "input_tokens" | "output_tokens"): number | null {
  return reporting(usage) === "none" ? null : usage[part];
}

/** The sum of all models. */
export function totalUsage(usage: readonly Usage[]): Usage {
  return usage.reduce(sum, { model: "", responses: 0, unreported: 0, input_tokens: 0, output_tokens: 0 });
}

function sum(one: Usage, more: Usage): Usage {
  return {
    model: one.model,
    responses: one.responses + more.responses,
    unreported: one.unreported + more.unreported,
    input_tokens: one.input_tokens + more.input_tokens,
    output_tokens: one.output_tokens + more.output_tokens,
  };
}
