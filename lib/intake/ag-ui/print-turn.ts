import { type AGUIEvent, EventType } from "@ag-ui/core";
import { isKnown, type SessionEvent } from "../../session/event.ts";
import type { JsonObject } from "../../session/json/json.ts";
import { AgUiPrinter } from "./print.ts";

/** A run that answers a front end. */
export interface PrintedTurn {
  threadId: string;
  /** The run's name in AG-UI: a run that goes on after waiting is another one there. */
  name: string;
  runId: string;
  /** The names of tools that the front end carries out. */
  tools: ReadonlySet<string>;
  /** The state that the front end has. */
  state: JsonObject;
}

/**
 * Prints one run for the front end that started it: its answer as it is streamed, calls that the front end carries out
 * without their results, and one end. What a run is made of (prompts, requests to models) is not printed.
 */
export class AgUiTurnPrinter {
  readonly #turn: PrintedTurn;
  readonly #printer: AgUiPrinter;
  /** Calls that the front end has not answered yet. */
  readonly #pending = new Set<string>();
  /** All calls of its tools. */
  readonly #own = new Set<string>();
  #draft: { of: object; id: string; text: string } | null = null;
  #drafts = 0;
  #ending: AGUIEvent | null = null;

  constructor(turn: PrintedTurn) {
    this.#turn = turn;
    this.#printer = new AgUiPrinter(turn.threadId, turn.runId, turn.state);
  }

  /** The run has ended or waits; `end` is to be sent last. */
  get isOver(): boolean {
    return this.#ending !== null;
  }

  begin(): AGUIEvent[] {
    const { threadId, name } = this.#turn;
    return [{ type: EventType.RUN_STARTED, threadId, runId: name }];
  }

  /** An event before this part of the run: it is taken in, and not printed. */
  skip(event: SessionEvent): void {
    this.print(event);
    this.#ending = null;
  }

  print(event: SessionEvent): AGUIEvent[] {
    const printed = this.#printer.print(event);
    return printed.flatMap((each) => this.#adapt(each, event));
  }

  /** What is new of an answer that is being streamed. */
  draft(draft: { text: string }): AGUIEvent[] {
    const said: AGUIEvent[] = [];
    if (this.#draft?.of !== draft) {
      said.push(...this.#endDraft());
      this.#drafts += 1;
      this.#draft = { of: draft, id: `${this.#turn.name}-${this.#drafts}`, text: "" };
      said.push({ type: EventType.TEXT_MESSAGE_START, messageId: this.#draft.id, role: "assistant" });
    }
    const whole = wholeText(draft.text);
    const delta = whole.slice(this.#draft.text.length);
    if (delta !== "") said.push({ type: EventType.TEXT_MESSAGE_CONTENT, messageId: this.#draft.id, delta });
    this.#draft.text = whole;
    return said;
  }

  end(): AGUIEvent[] {
    return [...this.#endDraft(), ...(this.#ending ? [this.#ending] : [])];
  }

  #adapt(said: AGUIEvent, event: SessionEvent): AGUIEvent[] {
    switch (said.type) {
      // It has begun, and goes on after what ends it in the log.
      case EventType.RUN_STARTED:
      case EventType.CUSTOM:
        return [];
      case EventType.RUN_FINISHED:
        this.#ending ??= { ...said, runId: this.#turn.name, outcome: this.#outcome(said, event) };
        return [];
      case EventType.RUN_ERROR:
        this.#ending ??= said;
        return [];
      case EventType.TEXT_MESSAGE_START:
        if (!this.#isAnswer(event) || this.#finishesDraft(event)) return [];
        return [...this.#endDraft(), said];
      case EventType.TEXT_MESSAGE_CONTENT:
        return this.#isAnswer(event) ? this.#content(said) : [];
      case EventType.TEXT_MESSAGE_END:
        return this.#isAnswer(event) ? this.#endText(said) : [];
      case EventType.TOOL_CALL_START:
        if (this.#turn.tools.has(said.toolCallName) && said.subagentRunId === undefined) {
          this.#own.add(said.toolCallId);
          this.#pending.add(said.toolCallId);
        }
        return [...this.#endDraft(), said];
      case EventType.TOOL_CALL_RESULT:
        this.#pending.delete(said.toolCallId);
        return this.#own.has(said.toolCallId) ? [] : [said];
      default:
        return [said];
    }
  }

  /** Calls that the front end carries out end a run in AG-UI; only what needs a decision interrupts it. */
  #outcome(said: Extract<AGUIEvent, { type: EventType.RUN_FINISHED }>, { type }: SessionEvent) {
    const { outcome } = said;
    const asked = outcome?.type === "interrupt" && outcome.interrupts.some(({ reason }) => reason === "confirmation");
    if (type !== "run.waiting" || asked || this.#pending.size === 0) return outcome;
    return { type: "success" as const, pendingToolCallIds: [...this.#pending] };
  }

  /** The front end has what its user said. */
  #isAnswer(event: SessionEvent): boolean {
    const role = isKnown(event) && event.type === "message.created" ? event.payload.role : null;
    return role !== "user";
  }

  /** Whether a message is the one that was streamed. */
  #finishesDraft(event: SessionEvent): boolean {
    const content = isKnown(event) && event.type === "message.created" ? event.payload.content : "";
    return this.#draft !== null && this.#draft.text !== "" && content.startsWith(this.#draft.text);
  }

  #content(said: Extract<AGUIEvent, { type: EventType.TEXT_MESSAGE_CONTENT }>): AGUIEvent[] {
    if (!this.#draft) return [said];
    const delta = said.delta.slice(this.#draft.text.length);
    this.#draft.text = said.delta;
    return delta === "" ? [] : [{ ...said, messageId: this.#draft.id, delta }];
  }

  #endText(said: Extract<AGUIEvent, { type: EventType.TEXT_MESSAGE_END }>): AGUIEvent[] {
    return this.#draft ? this.#endDraft() : [said];
  }

  #endDraft(): AGUIEvent[] {
    if (!this.#draft) return [];
    const { id: messageId } = this.#draft;
    this.#draft = null;
    return [{ type: EventType.TEXT_MESSAGE_END, messageId }];
  }
}

/** Without half of a surrogate pair at the end: the other half is still to come. */
export function wholeText(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
