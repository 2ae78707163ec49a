import { z } from "zod";
import { readContext } from "../../plan/context.ts";
import type { Context } from "../../plan/message.ts";
import type { Payload } from "../../session/catalogue.ts";
import { isJsonObject, type Json, type JsonObject } from "../../session/json.ts";
import type { Locale } from "../../session/locale.ts";
import type { Budget, RunMode } from "../engine.ts";
import { DEFAULT_CONCURRENCY, DEFAULT_ITERATIONS } from "../ports.ts";
import type { HistorySettings } from "../prompt.ts";
import { type ToolDefinition, toolDefinition } from "../tools/tool-definition.ts";

/** How a run was started, as its first event tells. */
export interface RunSettings {
  mode: RunMode;
  /** Tools to be confirmed in the mode `confirm`; none names all (P22). */
  confirm: string[];
  concurrency: number;
  max_iterations: number;
  budget: Budget;
  context: Context;
  /** Tools that came with the request. */
  tools: ToolDefinition[];
  /** Tools that it may use; null for all there are. */
  allowed_tools: string[] | null;
  output_schema: Json | null;
  user_id: string | null;
  delegate: string | null;
  /** Of a turn: the user's message that it answers, and what its agent is told. */
  answers: string | null;
  instructions: string | null;
  /** Likewise; null in a turn of before there were such settings. */
  history: HistorySettings | null;
  /** What the prompt knows of the user. */
  timezone: string | null;
  household_id: string | null;
  locale: Locale;
}

const definitions = z.array(toolDefinition);

/** Reads a run's settings back. Throws when the event is none that the engine wrote. */
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
    delegate: started.delegate ?? null,
    answers: started.answers ?? null,
    instructions: started.instructions ?? null,
    history: started.history ? readHistory(started.history) : null,
    timezone: started.timezone ?? null,
    household_id: started.household_id ?? null,
    locale: started.locale ?? "en",
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
