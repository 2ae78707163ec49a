import { Findings } from "./findings.ts";
import { fitHistory, printHistory } from "./history/history.ts";
import { assertLimits } from "./limits.ts";
import { createLookup, type Found } from "./lookup.ts";
import type {
  HistoryLimits,
  HistoryMessage,
  HistoryReport,
  Origin,
  PromptContext,
  PromptPart,
  RenderedPrompt,
} from "./prompt.ts";
import { type Placeholder, parseTemplate } from "./template.ts";
import { estimateTokens } from "./tokens.ts";

/** UTF-16 units: many times what any model reads. A short template can insert a large value any number of times. */
const LONGEST_PROMPT = 8 * 1024 * 1024;

/** Placeholders, and positions of messages, whose description is many times longer than the prompt itself. */
const MOST_PARTS = 100_000;

/** The prompt would be too long. `message` is one sentence without its full stop. */
export class PromptTooLong extends Error {
  readonly code = "prompt_too_long";

  constructor() {
    super(
      `The prompt would have more than ${LONGEST_PROMPT} characters, or ${MOST_PARTS} placeholders and messages; limit its history, and name only the parts of the state or memory that it needs, each once`,
    );
    this.name = "PromptTooLong";
  }
}

export interface RenderRequest {
  template: string;
  /** Oldest first. */
  messages: readonly HistoryMessage[];
  context: PromptContext;
  limits: HistoryLimits;
}

/**
 * Renders a template (H1–H4) in one pass, so that no value is parsed for placeholders. The history is only formatted if
 * the template includes it. Throws `LimitTooSmall`, also without a history, and `PromptTooLong`.
 */
export function renderPrompt({ template, messages, context, limits }: RenderRequest): RenderedPrompt {
  assertLimits(limits);
  const parsed = parseTemplate(template);
  const named = parsed.some((part) => part.kind === "placeholder" && isHistory(part));
  const { timezone, locale, state_calls } = context;
  const fitted = named ? fitHistory(messages, { limits, timezone, locale, state_calls }) : null;
  const history = fitted && printHistory(fitted);
  const lookUp = createLookup(context, history?.text ?? "");

  const text = new Text();
  const findings = new Findings();
  const parts: PromptPart[] = [];
  let told = 0;
  for (const part of parsed) {
    if (part.kind === "text") {
      text.add(part.raw);
      continue;
    }
    const { placeholder } = part;
    const found = lookUp(part);
    const { text: value, origin } = fill(part, found);
    told += 1 + (origin === "history" && history ? history.messages.length : 0);
    if (told > MOST_PARTS) throw new PromptTooLong();
    const start = text.length;
    text.add(value);
    parts.push({
      ...{ start, end: text.length, placeholder, origin },
      ...(origin === "history" && history && { messages: moved(history.messages, start) }),
    });
    findings.add(part, found);
  }
  const prompt = text.toString();
  return {
    prompt,
    ...findings.told(),
    history: fitted?.report ?? unused(messages.length),
    tokens: estimateTokens(prompt),
    parts,
  };
}

/** The text of a placeholder. */
function fill(part: Placeholder, found: Found): { text: string; origin: Origin } {
  if (found.kind === "value") return found;
  if (found.kind === "unknown") return { text: part.raw, origin: "unknown" };
  return part.default === null ? { text: "", origin: "missing" } : { text: part.default, origin: "default" };
}

/** Builds a text from pieces. */
class Text {
  readonly #pieces: string[] = [];
  length = 0;

  add(piece: string): void {
    this.length += piece.length;
    if (this.length > LONGEST_PROMPT) throw new PromptTooLong();
    this.#pieces.push(piece);
  }

  toString(): string {
    return this.#pieces.join("");
  }
}

function isHistory({ name, path }: Placeholder): boolean {
  return name === "messageHistory" && path === null;
}

function moved<T extends { start: number; end: number }>(places: readonly T[], by: number): T[] {
  return places.map((place) => ({ ...place, start: place.start + by, end: place.end + by }));
}

/** For a template without the history. */
function unused(total: number): HistoryReport {
  const nothing = () => ({ messages: 0, characters: 0, tokens: 0 });
  return {
    ...{ total, shown: 0, original_tokens: 0, final_tokens: 0, truncated: false },
    ...{ before: nothing(), after: nothing(), left_out: [], shortened: [] },
  };
}
