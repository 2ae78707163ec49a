import type { Context } from "../../plan/message.ts";
import type { PromptContext } from "../../prompt/prompt.ts";
import { isJsonObject, type JsonObject } from "../../session/json/json.ts";
import type { ChainLink } from "../planning/port.ts";
import type { FilledPrompt, HistorySettings } from "../prompt.ts";
import type { RunSettings } from "../step/state/run-settings.ts";
import type { HistoryRange } from "../turn.ts";
import { reachOf, toldWith } from "./reach.ts";
import type { Runner } from "./runner.ts";

/** What the agent of a turn is told, and how its request goes on. */
export interface AgentPrompt {
  filled: FilledPrompt;
  /** Null where the provider keeps nothing (D7). */
  chain: ChainLink | null;
  /** What the model knows with this request of what was said; null where nothing was. */
  told: HistoryRange | null;
}

/** What the agent of a turn is told with the next request (H1–H5); null where no agent answers anybody. */
export async function fillPrompt(
  run: Runner,
  { data }: Context,
  warnings: readonly string[] | null,
): Promise<AgentPrompt | null> {
  const { dialog, prompts } = run.engine.ports;
  const { id, conversation_id, settings } = run.state;
  const { answers, instructions } = settings;
  if (answers === null || instructions === null) return null;
  const all = (await dialog?.before(conversation_id, answers, id)) ?? [];
  const { link: chain, messages } = await reachOf(run, all);
  const history = settings.history ?? unlimited(settings);
  const context = { ...promptContext(run, history), ...known(data), warnings: warnings ?? undefined };
  return { filled: prompts.fill({ instructions, messages, history, context }), chain, told: toldWith(all) };
}

/** A turn that began before histories had limits goes on without them. */
function unlimited({ locale }: RunSettings): HistorySettings {
  return { source: "provider", locale, max_tokens: null, max_chars: null, max_messages: null };
}

function promptContext({ state, run: { tools }, engine }: Runner, { locale }: HistorySettings): PromptContext {
  const { user_id, household_id, timezone, configuration } = state.settings;
  return {
    ...{ user_id, household_id, timezone, configuration, locale },
    now: engine.ports.clock.now(),
    tools: tools.list().map(({ name, description }) => ({ name, description })),
    state_calls: [...state.earlier.values()].flat().flatMap((call) => (call.own ? [call.call_id] : [])),
  };
}

/** What the data that goes to the model says: its state, empty before the first write, and its user's memory in short. */
function known(data: Context["data"]): Pick<PromptContext, "state" | "memory" | "state_summary"> {
  const state: JsonObject = {};
  const own = data.find(({ kind, instance }) => kind === "state" && instance === "")?.data;
  const memory = data.find(({ kind }) => kind === "memory");
  return {
    state: isJsonObject(own) ? own : state,
    memory: memory?.data,
    state_summary: memory?.description,
  };
}
