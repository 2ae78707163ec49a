import { isJsonObject, type Json, type JsonObject } from "../../../session/json/json.ts";
import { readJson } from "../../../session/json/json-text.ts";
import { TOO_LONG, UNKNOWN_RESPONSE } from "../../model.ts";
import type { ChainLink } from "../../planning/port.ts";
import type { HistoryRange, StoredChain } from "../../turn.ts";
import type { Run } from "../run.ts";
import type { RunEvent } from "./run-event.ts";
import type { RunState } from "./run-state.ts";

/**
 * The chain of model responses that the provider stores for an agent in a turn (D7), read from the run's events, so that a
 * new process continues the same chain.
 */
export class Chain {
  /** The last response; null before the first, and if the provider stores nothing. */
  response_id: string | null = null;
  /** The messages that the model was sent and has answered; null before its first answer. */
  told: HistoryRange | null = null;
  /** The provider cannot continue the chain: the next request starts a new one. */
  isLost = false;
  /** This turn continued the chain of an earlier turn. */
  goesOnFromStored = false;
  /** The last response has function calls whose outputs were not sent. */
  #isOpen = false;
  #outputs: JsonObject[] = [];
  /** The data last sent, by kind and instance. */
  readonly #known = new Map<string, string>();
  /** The newest request for a plan and its answer. Requests for results of latent tools are separate. */
  #rendered: { event_id: string; told: HistoryRange | null } | null = null;
  #requested: Requested | null = null;
  #responded: { response_id: string; isOpen: boolean } | null = null;

  /** The response that the next turn can continue; null if there is none. */
  get closed(): string | null {
    return this.#isOpen ? null : this.response_id;
  }

  /** How the chain continues; null before the first response. */
  get link(): (ChainLink & { previous_response_id: string }) | null {
    const { response_id: previous_response_id } = this;
    if (previous_response_id === null) return null;
    return { previous_response_id, outputs: this.#outputs, known: new Set(this.#known.values()) };
  }

  /** Another agent takes over: it has its own chain. */
  begin(): void {
    this.isLost = false;
    this.told = null;
    this.#requested = null;
    this.#drop();
  }

  /** What an iteration adds to the native items (P19a): outputs that the provider does not have yet. */
  answer(items: readonly JsonObject[]): void {
    this.#outputs = items.filter(({ type }) => type === "function_call_output");
  }

  apply(event: RunEvent): void {
    switch (event.type) {
      case "prompt.rendered": {
        const { call_id, history } = event.payload;
        if (call_id !== undefined) return;
        this.#rendered = { event_id: event.id, told: toldIn(history) };
        return;
      }
      case "model.requested":
        if (this.#rendered && event.caused_by === this.#rendered.event_id)
          this.#request(event.id, event.payload, this.#rendered.told);
        return;
      case "model.responded":
        if (event.caused_by === this.#requested?.event_id)
          this.#responded = { response_id: event.payload.response_id ?? "", isOpen: hasCalls(event.payload.output) };
        return;
      case "plan.proposed":
        return this.#take();
      case "model.failed": {
        if (event.caused_by !== this.#requested?.event_id || this.#requested.previous === null) return;
        const { error } = event.payload;
        if (typeof error !== "object" || !LOSSES.has(error.code)) return;
        this.isLost = true;
        return this.#drop();
      }
      default:
        // The chain does not depend on other events.
        return;
    }
  }

  #request(event_id: string, { previous_response_id, input }: ModelRequested, told: HistoryRange | null): void {
    const previous = previous_response_id ?? null;
    if (previous !== null && previous !== this.response_id) this.goesOnFromStored = true;
    const { store, input: items } = isJsonObject(input) ? input : {};
    this.#requested = { event_id, previous, told, kept: store === true ? dataIn(items) : null };
  }

  /** The answer was received, so the model has read the request. */
  #take(): void {
    // A given plan is proposed without a model's answer.
    if (!this.#requested?.kept || !this.#responded) return;
    const { previous, told, kept } = this.#requested;
    this.told = told ?? this.told;
    if (previous === null) this.#known.clear();
    for (const [key, content] of kept) this.#known.set(key, content);
    this.response_id = this.#responded.response_id;
    this.#isOpen = this.#responded.isOpen;
    this.isLost = false;
  }

  #drop(): void {
    this.response_id = null;
    this.#isOpen = false;
    this.#outputs = [];
    this.#known.clear();
  }
}

/** A request that was sent. */
interface Requested {
  event_id: string;
  previous: string | null;
  told: HistoryRange | null;
  /** The data that it contained, by kind and instance; null if the provider does not store it. */
  kept: [key: string, content: string][] | null;
}

type ModelRequested = Extract<RunEvent, { type: "model.requested" }>["payload"];

/** Failures that do not occur if the same request contains everything itself. */
const LOSSES: ReadonlySet<string> = new Set([UNKNOWN_RESPONSE, TOO_LONG]);

function hasCalls(output: Json | undefined): boolean {
  return isJsonObject(output) && Array.isArray(output.calls) && output.calls.length > 0;
}

/** Enough for what the engine sends. */
const DEPTH = 64;

/** The data in input items, by kind and instance, as sent. */
function dataIn(items: Json | undefined): [key: string, content: string][] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item): [string, string][] => {
    const content = isJsonObject(item) ? item.content : undefined;
    if (typeof content !== "string" || !content.startsWith("{")) return [];
    const read = readJson(content, DEPTH, "as_written");
    if (!read.ok || !isJsonObject(read.value) || read.value.type !== "data") return [];
    return [[JSON.stringify([read.value.kind, read.value._instance]), content]];
  });
}

/** The same, from a prompt's event. */
function toldIn(history: JsonObject | undefined): HistoryRange | null {
  const { answers, until } = history ?? {};
  return typeof answers === "number" && typeof until === "number" ? { answers, until } : null;
}

/**
 * The turn ends: where it ends by its agent's answer, the next one goes on from there. Where not, what it had gone on
 * from is dropped (D7).
 */
export function keepChain(run: Run, isAnswered: boolean): void {
  const { dialog } = run.env;
  const { state, parent } = run;
  if (!dialog || parent !== null || state.settings.answers === null) return;
  const kept = isAnswered ? storedChain(state) : null;
  if (kept === null && !state.chain.goesOnFromStored) return;
  run.log.emit("agent_state.written", dialog.chain(state.conversation_id, kept), { caused_by: state.latest });
}

function storedChain({ chain, agent_id, id: run_id }: RunState): StoredChain | null {
  const { closed: response_id, told } = chain;
  return response_id === null || agent_id === null || told === null ? null : { response_id, agent_id, run_id, ...told };
}
