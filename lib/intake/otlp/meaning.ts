import { FORK_SCOPE } from "../../session/fork-scope.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { isOfChannel } from "../../session/json/reserved-names.ts";
import { Attributes } from "./attributes.ts";
import { genAiDoing } from "./conventions/gen-ai.ts";
import { graphName } from "./conventions/langchain.ts";
import { textOf } from "./conventions/messages.ts";
import { withState } from "./conventions/obelus.ts";
import { openInferenceDoing } from "./conventions/openinference.ts";
import { traceloopDoing } from "./conventions/traceloop.ts";
import { vercelDoing } from "./conventions/vercel.ts";
import { identifierOf } from "./names.ts";
import type { Doing, Meaning, Span } from "./span.ts";

/** Names that frameworks have for a conversation, the conventions' own first. */
const CONVERSATION = [
  "gen_ai.conversation.id",
  "session.id",
  ...["ai.telemetry.metadata.", "ai.settings.context.", "traceloop.association.properties."].flatMap((prefix) =>
    ["sessionId", "session_id", "conversationId", "conversation_id", "threadId", "thread_id", "chatId", "chat_id"].map(
      (name) => prefix + name,
    ),
  ),
];

const USER = [
  "user.id",
  "enduser.id",
  ...["ai.telemetry.metadata.", "ai.settings.context.", "traceloop.association.properties."].flatMap((prefix) =>
    ["userId", "user_id"].map((name) => prefix + name),
  ),
];

/**
 * What a span says of an agent's session, in whichever convention it speaks (E15). Where it speaks several, the one that
 * says what kind of span it is goes before those that only tell of a model.
 */
export function meaningOf(span: Span): Meaning {
  const attributes = new Attributes(span.attributes);
  const doing: Doing = openInferenceDoing(span, attributes) ??
    traceloopDoing(span, attributes) ??
    vercelDoing(attributes) ??
    genAiDoing(span, attributes) ?? { kind: "other" };
  return {
    doing: withState(withInstructions(doing), attributes),
    conversation_id: notOfChannel(attributes.text(...CONVERSATION)),
    user_id: notOfHere(attributes.text(...USER)),
    agent: agentOf(span, doing, attributes),
    error: errorOf(span, attributes),
    rest: { ...attributes.rest(), ...stackOf(span) },
  };
}

/** A channel's conversation is written by this server alone: what names one is told in a session of its own. */
function notOfChannel(name: string | null): string | null {
  return isOfChannel(identifierOf(name) ?? "") ? null : name;
}

/** No span tells of a channel's user, or of a fork's: this server's agents work with what they remember of those. */
function notOfHere(name: string | null): string | null {
  const id = identifierOf(name) ?? "";
  return isOfChannel(id) || id.startsWith(FORK_SCOPE) ? null : name;
}

/** Most conventions have the instructions as the first messages of the input; here they stand apart. */
function withInstructions(doing: Doing): Doing {
  if (doing.kind !== "model") return doing;
  const first = doing.input.findIndex(({ role }) => role !== "system");
  const system = doing.input.slice(0, first < 0 ? doing.input.length : first);
  if (system.length === 0) return doing;
  const texts = [...(doing.instructions === null ? [] : [doing.instructions]), ...system.map(textOf)];
  return { ...doing, instructions: texts.join("\n\n"), input: doing.input.slice(system.length) };
}

function agentOf(span: Span, doing: Doing, attributes: Attributes): Meaning["agent"] {
  const name = attributes.text("gen_ai.agent.name", "agent.name", "ai.telemetry.functionId");
  // A name that others than agents have, too: nodes of a graph, for instance.
  const entity =
    doing.kind === "agent" ? attributes.text("traceloop.entity.name", "graph.node.name", "graph.node.id") : null;
  return { id: attributes.text("gen_ai.agent.id"), name: name ?? entity ?? graphName(span) };
}

function errorOf(span: Span, attributes: Attributes): Meaning["error"] {
  const type = attributes.text("error.type");
  if (span.status.code !== "error" && type === null) return null;
  const exception = exceptionOf(span);
  const code = type ?? filled(exception["exception.type"]) ?? "error";
  const message = span.status.message || (filled(exception["exception.message"]) ?? code);
  return { code: code.slice(0, 200), message: message.replace(STACK, "") || code };
}

/** LangChain in JS has an error's stack below its message, both of them once more. */
const STACK = /\n\n\w*(?:Error|Exception)\b[^\n]*\n\s+at [\s\S]*$/u;

/** Where in the agent's code it failed: not for its users, but for who mends it. */
function stackOf(span: Span): JsonObject {
  const exception = exceptionOf(span);
  const stack = filled(exception["exception.stacktrace"]) ?? STACK.exec(span.status.message)?.[0].trim();
  return stack === undefined ? {} : { "exception.stacktrace": stack };
}

function exceptionOf({ events }: Span): JsonObject {
  return events.findLast(({ name }) => name === "exception")?.attributes ?? {};
}

function filled(value: Json | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
