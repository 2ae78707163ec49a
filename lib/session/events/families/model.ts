import type { EventOf } from "../../event.ts";
import type { Folding } from "../../reducer/folding.ts";
import { addUsage } from "../../runs/usage.ts";
import type { Usage } from "../../session.ts";
import { callColumns, ERASED, type EventDefinition, type Family, PLACE, RECORDED } from "./family.ts";

type ModelType =
  | "prompt.rendered"
  | "history.truncated"
  | "placeholder.missing"
  | "model.requested"
  | "model.responded"
  | "model.failed";

const MODEL = {
  ...RECORDED,
  authority: "ingest",
  structure: {
    model: "kept",
    provider: "kept",
    input_tokens: "kept",
    output_tokens: "kept",
    iteration: "kept",
    error: "failure",
  },
} as const satisfies Partial<EventDefinition<ModelType>>;

/** Requests to models and their responses. Prompts and requests repeat earlier messages, so they are not indexed. */
export const MODEL_EVENTS = {
  "prompt.rendered": {
    ...RECORDED,
    authority: "ingest",
    structure: { prompt: { put: ERASED }, ...PLACE, tokens: "kept", budget: "kept" },
    columns: callColumns,
    unsearched: "all",
    fold: foldPrompt,
  },
  "history.truncated": { ...RECORDED, authority: "ingest", structure: {}, unsearched: "all" },
  "placeholder.missing": {
    ...RECORDED,
    authority: "ingest",
    structure: { names: { put: [] }, iteration: "kept" },
  },
  "model.requested": { ...MODEL, steers: true, unsearched: ["input"], fold: foldLateRequest },
  "model.responded": { ...MODEL, steers: true, fold: foldUsage },
  "model.failed": { ...MODEL, columns: () => ({ error: true }), fold: foldUsage },
} as const satisfies Family<ModelType>;

/** The newest prompt of a run, as a reference to its event. */
function foldPrompt(folding: Folding, event: EventOf<"prompt.rendered">): void {
  folding.runOf(event).prompt_seq = event.seq;
}

/** A request in a run that has ended counts as its iteration: spans arrive late, and clocks differ. */
function foldLateRequest(folding: Folding, event: EventOf<"model.requested">): void {
  const { iteration = 0 } = event.payload;
  const before = folding.root.runs.get(event.run_id ?? "");
  if (!before || before.ended_seq === null || before.iteration >= iteration) return;
  const run = folding.run(before.id);
  if (run) run.iteration = iteration;
}

/** The token usage of a response counts for its run and for the session; so does that of a failure, if it had any. */
function foldUsage(folding: Folding, event: EventOf<"model.responded" | "model.failed">): void {
  const { model, input_tokens, output_tokens } = event.payload;
  const isReported = input_tokens !== undefined || output_tokens !== undefined;
  if (!isReported && event.type === "model.failed") return;
  const used: Usage = {
    model,
    responses: 1,
    unreported: isReported ? 0 : 1,
    input_tokens: input_tokens ?? 0,
    output_tokens: output_tokens ?? 0,
  };
  const run = folding.run(event.run_id ?? "");
  if (run) run.usage = addUsage(run.usage, used);
  folding.root.usage = addUsage(folding.root.usage, used);
}
