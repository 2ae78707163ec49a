import type { Context } from "../../plan/message.ts";
import type { PromptContext } from "../../prompt/prompt.ts";
import { isJsonObject, type JsonObject } from "../../session/json/json.ts";
import type { ChainLink } from "../planning/port.ts";
import type { FilledPrompt, HistorySettings } from "../prompt.ts";
import type { RunSettings } from "../step/state/run-settings.ts";
import type { HistoryRange } from "../turn.ts";
import { reachOf, toldWith } from "./reach.ts";
import type { Runner } from "./runner.ts";

/** The prompt of a turn's request, and the chain that it continues. */
export interface AgentPrompt {
  filled: FilledPrompt;
  /** Null if the provider stores nothing (D7). */
  chain: ChainLink | null;
  /** Up to which messages the model has the conversation with this request; null without messages. */
  told: HistoryRange | null;
}

/** Renders the prompt of a turn's next request (H1–H5); null if the run answers no user. */
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

/** A turn that started before histories had limits continues without them. */
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

/** The data for the model: the state, empty before the first write, and a summary of the user's memory. */
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
