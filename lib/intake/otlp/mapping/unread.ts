import { isJsonObject, type Json } from "../../../session/json/json.ts";
import { type Node, nodesOf, type Trace } from "./trace.ts";

/** What the adapters made of a scope's spans in one trace. */
export interface ScopeReading {
  scope: string;
  version: string;
  /** The adapters that read some of its spans. */
  adapters: string[];
  spans: number;
  /** Spans that no adapter read, and that say something of their own. */
  unread: number;
  /** Names of attributes and events that no adapter read, with the number of spans that have each. */
  attributes: Map<string, number>;
  /** A span with some of them. */
  example: { conversation_id: string | null; span_id: string; name: string } | null;
}

/** Attributes by which a span is known to be of an agent, whatever it does. */
const OF_AGENTS =
  /^(?:gen_ai|ai|llm|openinference|traceloop|langfuse|langsmith|mastra|genkit|gcp\.vertex\.agent|obelus)[.:]/u;

/** Attributes of servers, clients, databases and runtimes. They say nothing of an agent, and need no adapter. */
const GENERAL =
  /^(?:http|url|net|network|server|client|user_agent|db|rpc|messaging|faas|cloud|k8s|container|host|os|process|thread|code|telemetry|otel|peer|service|deployment|exception|error|dns|tls|fs|next|express|koa|fastify|nestjs|graphql|prisma|redis|mongodb|aws|component|status)(?:[._]|$)/u;

/** Attributes of a request to a server, or of a message from a queue. */
const OF_REQUESTS = /^(?:http|rpc|messaging|faas)\./u;

/** The longest name that is reported, and how many of one trace's scope. */
const LONGEST_NAME = 200;
const MOST_NAMES = 100;

/**
 * Whether nothing in a trace is of an agent, as in those of a health check. Traces with attributes that nobody knows are kept,
 * unless a request begins them: they may be of an agent that no adapter reads.
 */
export function isNoAgents(trace: Trace): boolean {
  if (trace.runs.length > 0 || trace.mapped.spans.size > 0) return false;
  const nodes = nodesOf(trace);
  if (nodes.some(isOfAgents)) return false;
  const isRequest = ({ span }: Node) => Object.keys(span.attributes).some((name) => OF_REQUESTS.test(name));
  return trace.roots.some(isRequest) || !nodes.some(saysUnknown);
}

function isOfAgents({ span, meaning }: Node): boolean {
  if (meaning.conversation_id !== null || meaning.agent.name !== null || meaning.agent.id !== null) return true;
  return Object.keys(span.attributes).some((name) => OF_AGENTS.test(name));
}

/** What the adapters made of a trace's spans, by scope. `isDropped`: its spans are in no conversation. */
export function readingsOf(trace: Trace, isDropped: boolean): ScopeReading[] {
  const readings = new Map<string, ScopeReading>();
  for (const node of nodesOf(trace)) {
    const { span, meaning } = node;
    const { name: scope, version } = span.scope;
    const key = JSON.stringify([scope, version]);
    const reading: ScopeReading = readings.get(key) ?? {
      ...{
        scope: cut(scope),
        version: cut(version),
        adapters: [],
        spans: 0,
        unread: 0,
        attributes: new Map(),
        example: null,
      },
    };
    readings.set(key, reading);
    const names = unreadIn(node);
    reading.spans += 1;
    if (meaning.adapter === null && names.length > 0) reading.unread += 1;
    if (meaning.adapter !== null && !reading.adapters.includes(meaning.adapter)) reading.adapters.push(meaning.adapter);
    for (const name of names) count(reading.attributes, name);
    if (names.length > 0)
      reading.example ??= {
        conversation_id: isDropped ? null : node.conversation_id,
        span_id: span.span_id,
        name: cut(span.name),
      };
  }
  return [...readings.values()];
}

function saysUnknown(node: Node): boolean {
  return unreadIn(node).length > 0;
}

/** Names that no adapter read; the numbers in those of spread lists are left out. */
function unreadIn({ meaning }: Node): string[] {
  const { events, ...attributes } = meaning.rest;
  const names = Object.keys(attributes).filter((name) => !GENERAL.test(name));
  const found = [...names.map((name) => name.replace(/\.\d+(?=\.|$)/gu, ".N")), ...eventsIn(events)];
  return [...new Set(found.map(cut))];
}

function eventsIn(events: Json | undefined): string[] {
  return (Array.isArray(events) ? events : []).flatMap((event) => {
    const name = isJsonObject(event) ? event.name : null;
    return typeof name === "string" && !GENERAL.test(name) ? `event ${name}` : [];
  });
}

function count(counts: Map<string, number>, name: string): void {
  const known = counts.get(name);
  if (known !== undefined || counts.size < MOST_NAMES) counts.set(name, (known ?? 0) + 1);
}

function cut(name: string): string {
  return name.slice(0, LONGEST_NAME).toWellFormed();
}
