import type { Span } from "../span.ts";

/**
 * Events of OpenTelemetry's conventions that hold what a model was given and answered. They come with their span, or as logs:
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/
 */
const CONTENT =
  /^gen_ai\.(?:(?:system|user|assistant|tool)\.message|choice|content\.(?:prompt|completion)|client\.inference\.operation\.details)$/u;

export function isContentEvent(name: string): boolean {
  return CONTENT.test(name);
}

/** Whether an event has what a model answered: the last of a request. */
export function isAnswerEvent(name: string): boolean {
  return name === "gen_ai.choice" || name === "gen_ai.client.inference.operation.details";
}

const MODEL_OPERATIONS = ["chat", "text_completion", "generate_content"];
const CONTENT_ATTRIBUTE =
  /messages|content|(?:prompt|completion)(?:\.\d|$)|(?:input|output|response)\.(?:value|text)|llm_re/u;

/** Whether a span is of a model that has answered, and says neither what nor to what: that comes as logs, if at all. */
export function awaitsLogs({ attributes, events, status }: Span): boolean {
  const operation = attributes["gen_ai.operation.name"];
  if (typeof operation !== "string" || !MODEL_OPERATIONS.includes(operation) || status.code === "error") return false;
  return (
    !events.some(({ name }) => isContentEvent(name)) &&
    !Object.keys(attributes).some((name) => CONTENT_ATTRIBUTE.test(name))
  );
}
