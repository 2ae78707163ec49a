import { nearestOf } from "../plan/nearest.ts";
import { type Found, PLACEHOLDERS } from "./lookup.ts";
import type { PromptWarning, RenderedPrompt } from "./prompt.ts";
import type { Placeholder } from "./template.ts";

/** The maximum number of warnings; all names are listed anyway. */
const MOST_WARNINGS = 100;

/** The results of a template's placeholders, each name once, in order. */
export class Findings {
  readonly #replaced = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #warnings = new Map<string, PromptWarning>();

  add(part: Placeholder, found: Found): void {
    const { placeholder } = part;
    const isReplaced = found.kind === "value";
    (isReplaced ? this.#replaced : this.#missing).add(placeholder);
    // The zone is the same for all that depend on it.
    const subject = isReplaced ? "" : placeholder;
    if (this.#warnings.size >= MOST_WARNINGS || this.#warnings.has(subject)) return;
    const warning = warningOf(part, found);
    if (warning) this.#warnings.set(subject, warning);
  }

  told(): Pick<RenderedPrompt, "replaced" | "missing" | "warnings"> {
    return {
      replaced: [...this.#replaced],
      missing: [...this.#missing],
      warnings: [...this.#warnings.values()],
    };
  }
}

function warningOf(part: Placeholder, found: Found): PromptWarning | null {
  const { placeholder } = part;
  switch (found.kind) {
    case "value": {
      if (found.refused === null) return null;
      const { timezone, zone } = found.refused;
      const detail = `The time zone ${timezone} is unknown, so the system's, ${zone}, is used; name one such as Europe/Moscow.`;
      return { code: "unknown_timezone", placeholder, detail };
    }
    case "missing": {
      const stands = part.default === null ? "nothing" : "its default";
      return {
        code: "missing",
        placeholder,
        detail: `There is no ${found.what}: ${placeholder} is replaced by ${stands}.`,
      };
    }
    case "unknown": {
      const nearest = nearestOf(part.name, PLACEHOLDERS);
      const detail = `${placeholder} is not a known placeholder and is left unchanged; did you mean ${nearest}?`;
      return { code: "unknown_placeholder", placeholder, detail };
    }
    default:
      return found satisfies never;
  }
}
