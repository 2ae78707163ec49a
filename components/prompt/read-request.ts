import type { PromptWarning, Size } from "@/lib/prompt/prompt.ts";
import { isKnown, type KnownEvent, type SessionEvent } from "@/lib/session/event.ts";
import { isJsonObject, type Json, type JsonObject } from "@/lib/session/json/json.ts";
import type { Budget } from "./budget-bar.tsx";
import type { ReplacedPart } from "./prompt-marks.ts";

/** What is known about the history; external agents may report little. */
export interface HistoryCut {
  total: number | null;
  shown: number | null;
  isCut: boolean;
  before: Partial<Size>;
  after: Partial<Size>;
  /** Message ids. */
  leftOut: string[];
  shortened: string[];
  limits: Partial<Size>;
  /** Sent separately and kept by the provider. */
  isBeside: boolean;
  /** The response from which the request continues: the provider has earlier messages (D7). */
  goesOnFrom: string | null;
}

/** A model request: its prompt, and how it was made. */
export interface ModelRequest {
  step: number;
  prompt: string;
  iteration: number | null;
  tokens: number | null;
  parts: ReplacedPart[];
  budget: Budget | null;
  history: HistoryCut | null;
  warnings: PromptWarning[];
}

/**
 * Reads a request from its prompt event and those that follow; null when the first is no prompt. Payloads are
 * validated, except `history`, which may have any shape.
 */
export function readRequest([prompt, ...others]: readonly SessionEvent[]): ModelRequest | null {
  if (!prompt || !isKnown(prompt) || prompt.type !== "prompt.rendered") return null;
  const { payload, seq } = prompt;
  const known = others.filter(isKnown).filter(({ run_id }) => run_id === prompt.run_id);
  const parts = payload.parts ?? [];
  return {
    step: seq,
    prompt: payload.prompt,
    iteration: payload.iteration ?? null,
    tokens: payload.tokens ?? null,
    parts,
    budget: payload.budget ?? null,
    history: readHistory(payload.history ?? null, truncation(known)),
    warnings: warningsOf([...(payload.missing ?? []), ...namesOf(known)], parts),
  };
}

function truncation(events: readonly KnownEvent[]): JsonObject | null {
  const event = events.find(({ type }) => type === "history.truncated");
  return event?.type === "history.truncated" ? event.payload : null;
}

function namesOf(events: readonly KnownEvent[]): string[] {
  return events.flatMap((event) => (event.type === "placeholder.missing" ? event.payload.names : []));
}

function warningsOf(names: readonly string[], parts: readonly ReplacedPart[]): PromptWarning[] {
  return [...new Set(names)].map((placeholder) => {
    const isUnknown = parts.some((part) => part.placeholder === placeholder && part.origin === "unknown");
    return { code: isUnknown ? "unknown_placeholder" : "missing", placeholder, detail: "" };
  });
}

/** The report in the prompt's event, with limits from the event of the truncation. */
function readHistory(report: JsonObject | null, cut: JsonObject | null): HistoryCut | null {
  if (!report && !cut) return null;
  const all = { ...cut, ...report };
  return {
    total: numberIn(all.total),
    shown: numberIn(all.shown),
    isCut: cut !== null || all.truncated === true,
    before: sizeIn(all.before, all.original_tokens),
    after: sizeIn(all.after, all.final_tokens),
    leftOut: textsIn(all.left_out),
    shortened: textsIn(all.shortened),
    limits: limitsIn(cut?.limits),
    isBeside: all.source === "provider",
    goesOnFrom: typeof all.previous_response_id === "string" ? all.previous_response_id : null,
  };
}

/** A size may have all measures, or only tokens. */
function sizeIn(value: Json | undefined, tokens: Json | undefined): Partial<Size> {
  if (isJsonObject(value))
    return known({
      messages: numberIn(value.messages),
      characters: numberIn(value.characters),
      tokens: numberIn(value.tokens),
    });
  return known({ tokens: numberIn(value) ?? numberIn(tokens) });
}

function limitsIn(value: Json | undefined): Partial<Size> {
  if (!isJsonObject(value)) return {};
  return known({
    messages: numberIn(value.max_messages),
    characters: numberIn(value.max_chars),
    tokens: numberIn(value.max_tokens),
  });
}

function known(size: { [measure in keyof Size]?: number | null }): Partial<Size> {
  const { messages, characters, tokens } = size;
  return {
    ...(typeof messages === "number" && { messages }),
    ...(typeof characters === "number" && { characters }),
    ...(typeof tokens === "number" && { tokens }),
  };
}

function numberIn(value: Json | undefined): number | null {
  return typeof value === "number" && value >= 0 ? value : null;
}

function textsIn(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}
