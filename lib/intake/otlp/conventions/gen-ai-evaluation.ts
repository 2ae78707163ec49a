import { LONGEST_CATEGORY, LONGEST_COMMENT, LONGEST_SCORE_NAME, type NewScore } from "../../../scores/score.ts";
import type { Json } from "../../../session/json/json.ts";
import { cut, identifierOf } from "../names.ts";
import type { SpanEvent } from "../span.ts";

/**
 * The result of an evaluation, an event of OpenTelemetry's GenAI conventions. It belongs to the span of what was evaluated:
 * https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/gen-ai-events.md
 */
const EVALUATION = "gen_ai.evaluation.result";

/** What an evaluation says, and of which conversation where the event names one. */
export interface Evaluation {
  conversation_id: string | null;
  score: Pick<NewScore, "name" | "value" | "comment">;
}

/**
 * The evaluation that an event holds; null for other events, and for one without a result. With a number, its label begins the
 * comment.
 */
export function evaluationOf({ name, attributes }: SpanEvent): Evaluation | null {
  if (name !== EVALUATION) return null;
  const text = (key: string): string => {
    const value = attributes[key];
    return typeof value === "string" ? value.trim() : "";
  };
  const scored = cut(text("gen_ai.evaluation.name").replaceAll(/[<>=\p{Cc}]/gu, " "), LONGEST_SCORE_NAME).trim();
  const number = numberOf(attributes["gen_ai.evaluation.score.value"]);
  const label = text("gen_ai.evaluation.score.label");
  if (scored === "" || (number === null && label === "")) return null;
  const explanation = text("gen_ai.evaluation.explanation");
  const comment = [number === null ? "" : label, explanation].filter((part) => part !== "").join(": ");
  return {
    conversation_id: identifierOf(text("gen_ai.conversation.id") || text("session.id")),
    score: {
      name: scored,
      value: number ?? cut(label, LONGEST_CATEGORY),
      comment: comment === "" ? null : cut(comment, LONGEST_COMMENT),
    },
  };
}

/** Some exporters print numbers. */
function numberOf(value: Json | undefined): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}
