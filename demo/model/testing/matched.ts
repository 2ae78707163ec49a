import type { ModelAnswer, ModelRequest } from "../../../lib/engine/model.ts";
import { reply } from "../matcher.ts";
import { SCRIPT } from "../scenarios/scenarios.ts";
import { readTurn } from "../turn.ts";

const NOW = new Date("2026-04-10T12:00:00");
let calls = 0;

/** The matcher's response to a request, without a server. */
export async function askMatcher({
  instructions,
  input,
  tools,
}: ModelRequest): Promise<Pick<ModelAnswer, "text" | "calls">> {
  const said = reply(readTurn({ instructions: instructions ?? "", items: input, tools }), SCRIPT, NOW);
  if ("text" in said) return { text: said.text, calls: [] };
  const native = said.calls.map(({ name, params }) => ({
    call_id: `call_${calls++}`,
    name,
    arguments: JSON.stringify(params),
  }));
  return { text: "", calls: native };
}
