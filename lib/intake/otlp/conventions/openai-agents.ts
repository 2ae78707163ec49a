import type { Attributes } from "../attributes.ts";
import type { Span } from "../span.ts";

/** What OpenInference says of the OpenAI Agents SDK is told by instrumentations of these names, in JS and in Python. */
function isOfAgents({ scope }: Span): boolean {
  return /openai[-_]agents$/u.test(scope.name);
}

/** Whether an agent's span is none: a trace of the SDK, in which agents take turns. It is no node of their graph. */
export function isTraceOfAgents(span: Span): boolean {
  return isOfAgents(span) && span.attributes["graph.node.id"] === undefined;
}

/** A handover is a call of a tool that the model knows by another name than the span has; null for other tools. */
export function handoverOf(span: Span, attributes: Attributes): string | null {
  const to = /^handoff_to_(.+)$/u.exec(attributes.text("tool.name") ?? "")?.[1];
  if (to === undefined || !isOfAgents(span)) return null;
  return `transfer_to_${to.replace(/[^a-zA-Z0-9]/gu, "_")}`;
}
