import type { KnownEvent } from "./event.ts";
import type { Folding } from "./folding.ts";
import type { Usage } from "./session.ts";
import { addUsage } from "./usage.ts";

/** A model has answered: what it says of its tokens counts for its run and for the session. */
export function foldUsage(folding: Folding, event: Extract<KnownEvent, { type: "model.responded" }>): void {
  const { model, input_tokens = 0, output_tokens = 0 } = event.payload;
  const used: Usage = { model, responses: 1, input_tokens, output_tokens };
  const run = folding.run(event.run_id ?? "");
  if (run) run.usage = addUsage(run.usage, used);
  folding.root.usage = addUsage(folding.root.usage, used);
}
