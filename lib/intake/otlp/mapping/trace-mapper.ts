import type { NewEvent } from "../../../../db/repositories.ts";
import type { Payload } from "../../../session/events/catalogue.ts";
import type { Json, JsonObject } from "../../../session/json/json.ts";
import { type EventFields, newEvent } from "../../new-event.ts";
import { cut, eventId, identifierOf, timeOf } from "../names.ts";
import type { SpanMessage } from "../span.ts";
import { type HiddenCalls, hiddenCalls, type MappingCall } from "./map-tool.ts";
import type { AskedCall } from "./mapped-state.ts";
import { type Said, Thread } from "./thread.ts";
import { type Node, nodesOf, type Trace, type TraceRun } from "./trace.ts";

/** A run while it is told. */
export interface MappingRun {
  /** Models asked so far. */
  iteration: number;
  instructions: string | null;
  ended: boolean;
  agent_id: string | null;
  /** The newest event that what comes next in it follows from. */
  cause: string | null;
  asked: AskedCall[];
  /** It has been given an input. */
  begun: boolean;
  /** What its newest model said to the user. */
  answer: string | null;
}

/** The work of telling one trace: what is known by now, and the events that come of it. */
export class TraceMapper {
  readonly trace: Trace;
  /** What is remembered from a span's start to its end. */
  readonly iterations = new Map<Node, number>();
  readonly calls = new Map<Node, MappingCall>();
  /** Calls that no tool's span tells of, and that have started. */
  readonly unseen = new Map<AskedCall, MappingCall>();
  /** The user, where any of the spans names one. */
  private readonly userId: string | null;
  private readonly hiddenByRun: ReadonlyMap<string | undefined, HiddenCalls>;
  private readonly threads = new Map<string, Thread>();
  private readonly unknown = new Set<string>();
  private readonly runs = new Map<string, MappingRun>();
  private events: NewEvent[] = [];

  constructor(trace: Trace, said: ReadonlyMap<string, readonly Said[] | null>) {
    this.trace = trace;
    const nodes = nodesOf(trace);
    this.userId = nodes.find(({ meaning }) => identifierOf(meaning.user_id) !== null)?.meaning.user_id ?? null;
    const byRun = Map.groupBy(nodes, ({ run }) => run?.id);
    this.hiddenByRun = new Map([...byRun].map(([id, nodes]) => [id, hiddenCalls(nodes)]));
    for (const [id, messages] of said) {
      this.threads.set(id, new Thread(messages ?? []));
      if (messages === null) this.unknown.add(id);
    }
  }

  /** The events since the last time. */
  take(): NewEvent[] {
    const { events } = this;
    this.events = [];
    return events;
  }

  /** Adds an event and gives its id. */
  emit(event: NewEvent): string {
    this.events.push(event);
    return event.id;
  }

  /** What has been said in a conversation. */
  thread(conversationId: string): Thread {
    const known = this.threads.get(conversationId);
    if (known) return known;
    const thread = new Thread([]);
    this.threads.set(conversationId, thread);
    return thread;
  }

  /** A run as it stands now. */
  run({ id }: TraceRun): MappingRun {
    const known = this.runs.get(id);
    if (known) return known;
    const mapped = this.trace.mapped.runs.get(id);
    const run: MappingRun = {
      iteration: mapped?.iteration ?? 0,
      instructions: mapped?.instructions ?? null,
      ended: mapped?.ended ?? false,
      agent_id: null,
      cause: null,
      asked: [...(mapped?.asked ?? [])],
      begun: (mapped?.iteration ?? 0) > 0,
      answer: null,
    };
    this.runs.set(id, run);
    return run;
  }

  /** What a run's spans tell of its calls. */
  hidden({ id }: TraceRun): HiddenCalls {
    return this.hiddenByRun.get(id) ?? hiddenCalls([]);
  }

  /** Whether a call was told to start before any of these spans came. */
  isRecorded({ id }: TraceRun, { id: callId }: AskedCall): boolean {
    return this.trace.mapped.runs.get(id)?.calls.has(identifierOf(callId) ?? "") ?? false;
  }

  /** What all events of a span have. A conversation that there was not is told to begin by the first of them. */
  fields(node: Node): Omit<EventFields, "id" | "occurred_at"> {
    const { run, conversation_id } = node;
    this.begin(node);
    const agent_id = (run && this.run(run).agent_id) ?? identifierOf(node.meaning.agent.id ?? node.meaning.agent.name);
    return {
      conversation_id,
      run_id: run?.id ?? null,
      parent_run_id: run?.parent_run_id ?? null,
      agent_id,
      actor: agent_id === null ? "agent" : identifierOf(agent_id, "agent:"),
    };
  }

  /** Where an event comes from. */
  origin({ span, meaning }: Node): NonNullable<Payload<"run.started">["span"]> & JsonObject {
    return {
      trace_id: span.trace_id,
      span_id: span.span_id,
      ...(span.parent_span_id !== null && { parent_span_id: span.parent_span_id }),
      name: cut(span.name, 1_000),
      ...(Object.keys(meaning.rest).length > 0 && { attributes: meaning.rest }),
    };
  }

  /** Tells what a person or the agent says, once. */
  say(node: Node, { role, text }: Said, what: string, at: bigint, cause: string | null): string {
    const { trace } = this;
    const id = eventId(trace.id, node.span.span_id, what);
    const { agent_id, ...fields } = this.fields(node);
    const user = identifierOf(node.meaning.user_id ?? this.userId, "user:") ?? "user";
    const name = role === "assistant" ? node.meaning.agent.name : null;
    this.thread(node.conversation_id).add({ role, text });
    return this.emit(
      newEvent(
        "message.created",
        { message_id: id, role, content: text, ...(name !== null && { name: cut(name, 200) }) },
        {
          ...fields,
          id,
          occurred_at: timeOf(at),
          caused_by: cause,
          agent_id: role === "user" ? null : agent_id,
          actor: role === "user" ? user : fields.actor,
        },
      ),
    );
  }

  private begin(node: Node): void {
    const { conversation_id, span, meaning } = node;
    if (!this.unknown.delete(conversation_id)) return;
    const user_id = identifierOf(meaning.user_id ?? this.userId);
    const service = span.resource["service.name"];
    this.emit(
      newEvent(
        "conversation.created",
        {
          channel: "otlp",
          ...(user_id !== null && { user_id }),
          ...(typeof service === "string" && { metadata: { "service.name": service } }),
        },
        {
          id: eventId(this.trace.id, span.span_id, "conversation.created"),
          conversation_id,
          actor: "system",
          occurred_at: timeOf(span.start),
        },
      ),
    );
  }
}

/** Messages as events have them. */
export function asJson(messages: readonly SpanMessage[]): Json {
  return messages.map(({ role, name, parts }) => ({
    role,
    ...(name !== null && { name }),
    parts: parts.map((part) => ({ ...part })),
  }));
}
