import { FORK_SCOPE } from "../../session/fork-scope.ts";
import type { Json, JsonObject } from "../../session/json/json.ts";
import { isOfChannel } from "../../session/json/reserved-names.ts";
import { Attributes } from "./attributes.ts";
import { adkDoing } from "./conventions/adk.ts";
import { genAiDoing } from "./conventions/gen-ai.ts";
import { isContentEvent } from "./conventions/gen-ai-events.ts";
import { flowName, flowSession, genkitDoing } from "./conventions/genkit.ts";
import { graphName } from "./conventions/langchain.ts";
import { langfuseDoing, langfuseFailure } from "./conventions/langfuse.ts";
import { langSmithDoing } from "./conventions/langsmith.ts";
import { mastraDoing } from "./conventions/mastra.ts";
import { textOf } from "./conventions/messages.ts";
import { withState } from "./conventions/obelus.ts";
import { openInferenceDoing } from "./conventions/openinference.ts";
import { traceloopDoing } from "./conventions/traceloop.ts";
import { vercelDoing } from "./conventions/vercel.ts";
import { identifierOf, timeOf } from "./names.ts";
import type { Doing, Meaning, Span } from "./span.ts";

/** What frameworks put before names that their users choose. */
const METADATA = [
  "ai.telemetry.metadata.",
  "ai.settings.context.",
  "traceloop.association.properties.",
  "mastra.metadata.",
  "langsmith.metadata.",
  "langfuse.trace.metadata.",
];

/** Names that frameworks have for a conversation, the conventions' own first. */
const CONVERSATION = [
  "gen_ai.conversation.id",
  "session.id",
  "langfuse.session.id",
  "gcp.vertex.agent.session_id",
  "genkit:sessionId",
  ...METADATA.flatMap((prefix) =>
    ["sessionId", "session_id", "conversationId", "conversation_id", "threadId", "thread_id", "chatId", "chat_id"].map(
      (name) => prefix + name,
    ),
  ),
];

const USER = [
  "user.id",
  "enduser.id",
  "langfuse.user.id",
  ...METADATA.flatMap((prefix) => ["userId", "user_id"].map((name) => prefix + name)),
];

/** A convention of spans: null of a span that does not speak it. */
interface Adapter {
  name: string;
  read(span: Span, attributes: Attributes): Doing | null;
  /** It reads events of OpenTelemetry's conventions, too. */
  readsEvents: boolean;
}

/**
 * In their order: where a span speaks several conventions, the one that says what kind of span it is goes before those that
 * only tell of a model. Each has its source beside its function.
 */
const ADAPTERS: readonly Adapter[] = [
  { name: "OpenInference", read: openInferenceDoing, readsEvents: false },
  { name: "OpenLLMetry", read: traceloopDoing, readsEvents: false },
  { name: "Vercel AI SDK", read: (_, attributes) => vercelDoing(attributes), readsEvents: false },
  { name: "Langfuse", read: langfuseDoing, readsEvents: false },
  { name: "Genkit", read: genkitDoing, readsEvents: false },
  { name: "LangSmith", read: langSmithDoing, readsEvents: true },
  { name: "Mastra", read: mastraDoing, readsEvents: true },
  { name: "Google ADK", read: adkDoing, readsEvents: true },
  { name: "OpenTelemetry GenAI", read: genAiDoing, readsEvents: true },
];

/** What a span says of an agent's session, in whichever convention it speaks (E15). */
export function meaningOf(span: Span): Meaning {
  const attributes = new Attributes(span.attributes);
  const { adapter, doing } = firstReading(span, attributes);
  const error = errorOf(span, doing, attributes);
  const readsEvents = (adapter?.readsEvents ?? false) && doing.kind !== "other";
  return {
    adapter: adapter?.name ?? null,
    doing: withState(withInstructions(doing), attributes),
    conversation_id: notOfChannel(attributes.text(...CONVERSATION) ?? flowSession(span)),
    user_id: notOfHere(attributes.text(...USER)),
    agent: agentOf(span, doing, attributes),
    error,
    rest: {
      ...attributes.rest(),
      ...stackOf(span),
      ...copiedStatus(span, error),
      ...eventsLeft(span, readsEvents, error),
    },
  };
}

function firstReading(span: Span, attributes: Attributes): { adapter: Adapter | null; doing: Doing } {
  for (const adapter of ADAPTERS) {
    const doing = adapter.read(span, attributes);
    if (doing) return { adapter, doing };
  }
  return { adapter: null, doing: { kind: "other" } };
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
  if (doing.kind !== "model" && doing.kind !== "agent") return doing;
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
  const observation = doing.kind === "agent" && "langfuse.observation.type" in span.attributes ? span.name : null;
  return {
    id: attributes.text("gen_ai.agent.id"),
    name: name ?? entity ?? observation ?? graphName(span) ?? flowName(span),
    version: attributes.text("obelus.agent_version", "gen_ai.agent.version"),
  };
}

function errorOf(span: Span, doing: Doing, attributes: Attributes): Meaning["error"] {
  const type = attributes.text("error.type");
  const exception = exceptionOf(span);
  const level = langfuseFailure(span);
  if (!failed(span, type, level) || isCopied(span, doing, type)) return null;
  const code = type ?? filled(exception["exception.type"]) ?? "error";
  const told = filled(exception["exception.message"])?.replace(NAMED, "$2");
  const message = span.status.message || (told ?? level ?? code);
  return { code: code.slice(0, 200), message: message.replace(STACK, "") || code };
}

/** LangSmith has an exception as an event alone: its spans' status is always OK. */
function failed(span: Span, type: string | null, level: string | null): boolean {
  if (span.status.code === "error" || type !== null || level !== null) return true;
  return "langsmith.span.kind" in span.attributes && span.events.some(({ name }) => name === "exception");
}

/**
 * OpenInference on the AI SDK gives a failed tool's status to each span that ends after it: to models that have answered,
 * and to the agent that went on. A failure of its own has an event or a type.
 */
function isCopied(span: Span, doing: Doing, type: string | null): boolean {
  if (type !== null || (doing.kind !== "model" && doing.kind !== "agent")) return false;
  if (!("ai.operationId" in span.attributes && "openinference.span.kind" in span.attributes)) return false;
  return doing.output.length > 0 && !span.events.some(({ name }) => name === "exception");
}

/** A status that is not the span's own is kept as it came. */
function copiedStatus({ status }: Span, error: Meaning["error"]): JsonObject {
  return status.code === "error" && error === null ? { "status.message": status.message } : {};
}

/** Events of a span that nothing above was made of. */
function eventsLeft({ events }: Span, readsEvents: boolean, error: Meaning["error"]): JsonObject {
  const left = events.filter(({ name }) =>
    name === "exception" ? error === null : !(readsEvents && isContentEvent(name)),
  );
  if (left.length === 0) return {};
  return { events: left.map(({ name, time, attributes }) => ({ name, time: timeOf(time), attributes })) };
}

/** LangSmith has an error's name before its message, too. */
const NAMED = /^(\w*(?:Error|Exception)): ([\s\S]+)$/u;

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
