import type { NewEvent, ToldEvent } from "../../db/repositories.ts";
import { conversationsOf, mapTrace, type SaidBefore } from "../intake/otlp/mapping/map-trace.ts";
import { readMappedState } from "../intake/otlp/mapping/mapped-state.ts";
import { type Trace, traceOf, type Understood } from "../intake/otlp/mapping/trace.ts";
import { isNoAgents, readingsOf, type ScopeReading } from "../intake/otlp/mapping/unread.ts";
import { meaningOf } from "../intake/otlp/meaning.ts";
import { identifierOf } from "../intake/otlp/names.ts";
import { type Span, withLogs } from "../intake/otlp/span.ts";
import { readEvent, readSpans } from "../intake/otlp/stored-span.ts";
import { type EventMessage, messageOf } from "./prepared-event.ts";

/** A trace to be read. */
export interface UnreadTrace {
  id: string;
  /** Its buffered spans: a list of what `printSpan` made of each, in UTF-8. */
  contents: Uint8Array<ArrayBuffer>;
  /** Logs of these spans, as `printEvent` made them. */
  logs: readonly { span_id: string; contents: string[] }[];
  told: ToldEvent[];
  /** More spans of it wait, and are mapped later. */
  goesOn: boolean;
  /** Conversations that its spans cannot belong to, though they name them. */
  forks: string[];
}

/** What has to be known of a trace before it is mapped. */
export interface TraceRead {
  /** The conversations that its spans name. */
  named: string[];
  /** The conversations that its spans belong to. */
  conversations: string[];
  /** Spans that could not be understood, and are stored as they are. */
  faults: { span_id: string; message: string }[];
  /** What no adapter read of them. */
  readings: ScopeReading[];
  /** Nothing in the trace is of an agent: it is mapped to no events. */
  isDropped: boolean;
}

/** Some events of a trace, in order. */
export interface MappedPage {
  events: EventMessage[];
  /** There are no more. */
  isLast: boolean;
}

/** Maps traces to events, in a thread of its own or here. Traces are kept by key from `read` to their last page. */
export interface TraceMapping {
  read(key: number, trace: UnreadTrace): TraceRead | Promise<TraceRead>;
  /** The first page of a trace's events, by the messages of its conversations before it; the next one for null. */
  map(key: number, said: SaidBefore | null): MappedPage | Promise<MappedPage>;
  /** Forgets a trace that is not mapped to its end. */
  drop(key: number): void;
}

/** A page ends with so many events or characters: it is written in one transaction, and longer ones would delay other requests. */
const EVENTS_AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 4 * 1024 * 1024;

/** Maps traces where it is called. */
export function createTraceMapping() {
  const traces = new Map<number, Trace>();
  const begun = new Map<number, Generator<NewEvent, undefined>>();

  function eventsOf(key: number, said: SaidBefore | null): Generator<NewEvent, undefined> {
    const trace = traces.get(key);
    const events = said && trace ? mapTrace(trace, said) : begun.get(key);
    if (!events) throw new Error("There is no such trace to be mapped");
    begun.set(key, events);
    return events;
  }

  function drop(key: number): void {
    traces.delete(key);
    begun.delete(key);
  }

  function page(key: number, events: Generator<NewEvent, undefined>): MappedPage {
    const messages: EventMessage[] = [];
    let characters = 0;
    for (let next = events.next(); !next.done; next = events.next()) {
      const message = messageOf(next.value);
      messages.push(message);
      characters += message[15].length;
      if (messages.length === EVENTS_AT_ONCE || characters > CHARACTERS_AT_ONCE)
        return { events: messages, isLast: false };
    }
    drop(key);
    return { events: messages, isLast: true };
  }

  return {
    read(key, { id, contents, logs, told, goesOn, forks }) {
      const faults: TraceRead["faults"] = [];
      const logsOf = new Map(logs.map(({ span_id, contents }) => [span_id, contents.map(readEvent)]));
      const text = Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength).toString();
      const understood = readSpans(text).map((span) =>
        understand(withLogs(span, logsOf.get(span.span_id) ?? []), faults),
      );
      const named = new Set<string>();
      for (const { meaning } of understood) {
        const name = identifierOf(meaning.conversation_id);
        if (name === null) continue;
        named.add(name);
        if (forks.includes(name)) meaning.conversation_id = null;
      }
      const trace = traceOf(id, understood, readMappedState(told), goesOn);
      traces.set(key, trace);
      const isDropped = isNoAgents(trace);
      const readings = readingsOf(trace, isDropped);
      return { named: [...named], conversations: conversationsOf(trace), faults, readings, isDropped };
    },
    map: (key, said) => page(key, eventsOf(key, said)),
    drop,
  } satisfies TraceMapping;
}

/** A span that cannot be mapped is stored as it is, so that the rest of its trace can be mapped. */
function understand(span: Span, faults: TraceRead["faults"]): Understood {
  try {
    return { span, meaning: meaningOf(span) };
  } catch (error) {
    faults.push({ span_id: span.span_id, message: String(error) });
    const agent = { id: null, name: null, version: null };
    const rest = span.attributes;
    return {
      span,
      meaning: {
        adapter: null,
        doing: { kind: "other" },
        conversation_id: null,
        user_id: null,
        agent,
        error: null,
        rest,
      },
    };
  }
}
