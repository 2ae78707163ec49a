import { z } from "zod";
import { readContext } from "../../../plan/context.ts";
import type { Context } from "../../../plan/message.ts";
import type { Payload } from "../../../session/events/catalogue.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import type { Locale } from "../../../session/locale.ts";
import type { Budget, RunMode } from "../../engine.ts";
import { DEFAULT_CONCURRENCY, DEFAULT_ITERATIONS } from "../../ports.ts";
import type { HistorySettings } from "../../prompt.ts";
import { type ToolDefinition, toolDefinition } from "../../tools/tool-definition.ts";
import type { Speaker } from "../../turn.ts";

/** Settings that only a speaker in a directed turn has, from the newest part (D1). */
export interface Speaking {
  /** Prefix of what it says to its user beside its calls. */
  prefix: string;
  /** Only the director reads what it says. */
  silent: boolean;
  /** What `{{configuration}}` of its instructions reads (D4). */
  configuration: JsonObject | null;
}

/** A run's settings, from its first event; in a directed turn, overridden by the newest speaker's. */
export interface RunSettings extends Speaking {
  mode: RunMode;
  /** Tools that require approval in the mode `confirm`; empty means all (P22). */
  confirm: string[];
  concurrency: number;
  max_iterations: number;
  budget: Budget;
  context: Context;
  /** Tools that came with the request. */
  tools: ToolDefinition[];
  /** Tools that it may use; null for all. */
  allowed_tools: string[] | null;
  output_schema: Json | null;
  user_id: string | null;
  /** Under whose name it keeps a memory and takes its turn: the user's, or in a fork the fork's own for that user. */
  user_scope: string | null;
  /** In a fork: no tool is called, and calls answer with what was recorded for them. */
  simulated: boolean;
  delegate: string | null;
  /** Of a turn: the user's message that it answers, and what its agent is told. */
  answers: string | null;
  instructions: string | null;
  /** A turn in which the director says who speaks (D1). */
  directed: boolean;
  /** Likewise; null in a turn of before there were such settings. */
  history: HistorySettings | null;
  /** What the prompt contains about the user. */
  timezone: string | null;
  household_id: string | null;
  locale: Locale;
}

const definitions = z.array(toolDefinition);

/** Reads a run's settings. Throws if the engine did not write the event. */
export function readSettings(started: Payload<"run.started">): RunSettings {
  const context = readContext(messagesOf(started.context ?? []));
  if (!context.ok) throw new Error("The context of a run's own beginning cannot be read");
  return {
    mode: started.mode ?? "execute",
    confirm: started.confirm ?? [],
    concurrency: started.concurrency ?? DEFAULT_CONCURRENCY,
    max_iterations: started.max_iterations ?? DEFAULT_ITERATIONS,
    budget: started.budget ?? {},
    context: context.context,
    tools: definitions.parse(started.tools ?? []),
    allowed_tools: started.allowed_tools ?? null,
    output_schema: started.output_schema ?? null,
    user_id: started.user_id ?? null,
    user_scope: started.user_scope ?? started.user_id ?? null,
    simulated: started.simulated ?? false,
    delegate: started.delegate ?? null,
    answers: started.answers ?? null,
    instructions: started.instructions ?? null,
    directed: started.directed ?? false,
    history: started.history ? readHistory(started.history) : null,
    timezone: started.timezone ?? null,
    household_id: started.household_id ?? null,
    locale: started.locale ?? "en",
    ...{ prefix: "", silent: false, configuration: null },
  };
}

type PrintedSpeaker = NonNullable<Payload<"run.iteration">["speaker"]>;

/** Writes who speaks from an iteration on, as its event tells (D12). */
export function printSpeaker(speaker: Speaker): PrintedSpeaker & JsonObject {
  const { agent_id, node, instructions, mode, max_iterations } = speaker;
  return {
    ...{ agent_id, node, instructions, mode, max_iterations },
    history: printHistory(speaker.history),
    ...(speaker.agent_version === null ? {} : { agent_version: speaker.agent_version }),
    ...(speaker.timezone === null ? {} : { timezone: speaker.timezone }),
    ...(speaker.tools === null ? {} : { allowed_tools: speaker.tools }),
    ...(speaker.prefix === "" ? {} : { prefix: speaker.prefix }),
    ...(speaker.silent ? { silent: true } : {}),
    ...(speaker.configuration === null ? {} : { configuration: speaker.configuration }),
    ...(speaker.note === null ? {} : { note: speaker.note }),
  };
}

/** The settings of a directed turn from a speaker's first iteration on (D1). */
export function spokenBy(settings: RunSettings, speaker: PrintedSpeaker): RunSettings {
  return {
    ...settings,
    instructions: speaker.instructions,
    history: readHistory(speaker.history),
    timezone: speaker.timezone ?? null,
    allowed_tools: speaker.allowed_tools ?? null,
    // Whatever its definition says: nobody's calls are carried out in a fork that simulates them.
    mode: settings.simulated ? "shadow" : speaker.mode,
    max_iterations: speaker.max_iterations,
    prefix: speaker.prefix ?? "",
    silent: speaker.silent ?? false,
    configuration: speaker.configuration ?? null,
  };
}

type PrintedHistory = NonNullable<Payload<"run.started">["history"]>;

/** Writes how a turn's history reaches its model, as a run's beginning tells it. */
export function printHistory({ source, locale, max_tokens, max_chars, max_messages }: HistorySettings): PrintedHistory {
  return {
    ...{ source, locale },
    ...(max_tokens === null ? {} : { max_tokens }),
    ...(max_chars === null ? {} : { max_chars }),
    ...(max_messages === null ? {} : { max_messages }),
  };
}

function readHistory(printed: PrintedHistory): HistorySettings {
  return { max_tokens: null, max_chars: null, max_messages: null, ...printed };
}

function messagesOf(context: Json): JsonObject[] {
  if (!Array.isArray(context) || !context.every(isJsonObject)) throw new Error("A context is a list of messages");
  return context;
}
