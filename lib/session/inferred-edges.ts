import { pointerTo } from "../plan/problem.ts";
import type { Payload } from "./catalogue.ts";
import { isKnown, type SessionEvent } from "./event.ts";
import type { Json } from "./json.ts";
import { planKey } from "./keys.ts";
import { asText, isSpecific } from "./specific-value.ts";
import { SpokenWords } from "./spoken-words.ts";

/** Which call: by run, iteration, instance and id (P19b). */
export interface CallPlace {
  run_id: string;
  iteration: number;
  instance: string;
  call_id: string;
}

/** Where a value came from; `path` is a JSON Pointer into the call's result. */
export type EdgeSource =
  | { kind: "call"; call: CallPlace; path: string }
  | { kind: "message"; message_id: string; seq: number; role: string };

/** A call used a value that an earlier result or message had brought. Nobody declared it. */
export interface InferredEdge {
  from: EdgeSource;
  to: CallPlace;
  /** JSON Pointer into the parameters. */
  to_path: string;
  /** The value as text, cut to 200 characters. */
  value: string;
}

/** The first place where a value stood. Null: the agent's own words or parameters, from which no edge goes. */
interface Origin {
  seq: number;
  source: EdgeSource | null;
}

/** Of one value so many parts are looked at: more than a page of search results has, and bounded. */
const MOST_LEAVES = 2_000;
const MOST_EDGES = 20_000;
const LONGEST_EVIDENCE = 200;

/**
 * Reads the events of a session in their order, and finds which calls without a plan used what earlier calls or messages
 * brought. A value is brought by the first place where it stands as a whole: a result, what a user or the system said, or
 * the agent's own words and parameters. So a result that only repeats what it was asked for brings nothing. Values that
 * many things share are not followed (`isSpecific`).
 */
export class EdgeInference {
  readonly edges: InferredEdge[] = [];
  /** Whether something was left out: a value of very many parts, or too many edges. */
  cut = false;
  private readonly origins = new Map<string, Origin>();
  private readonly spoken = new SpokenWords<Origin>();
  private readonly iterations = new Map<string, number>();
  private readonly planned = new Set<string>();

  /** The next event. Those of other conversations must not come in between. */
  add(event: SessionEvent): void {
    if (!isKnown(event)) return;
    const run = event.run_id ?? "";
    switch (event.type) {
      case "run.iteration":
        this.iterations.set(run, event.payload.iteration ?? 0);
        return;
      case "plan.proposed":
        this.planned.add(planKey(run, event.payload.iteration));
        return;
      case "message.created":
        return this.message(event.payload, event.seq);
      case "call.started":
        return this.started(this.placeOf(run, event.payload), event.payload.params, event.seq);
      case "call.succeeded":
        return this.succeeded(this.placeOf(run, event.payload), event.payload.output, event.seq);
      default:
        return;
    }
  }

  private placeOf(run_id: string, { call_id, iteration, instance = "" }: Payload<"call.started">): CallPlace {
    return { run_id, iteration: iteration ?? this.iterations.get(run_id) ?? 0, instance, call_id };
  }

  private message({ role, content, message_id }: Payload<"message.created">, seq: number): void {
    // A tool's message repeats its call's result.
    if (role === "tool") return;
    const source: EdgeSource | null = role === "assistant" ? null : { kind: "message", message_id, seq, role };
    this.spoken.add(content, { seq, source });
  }

  private started(to: CallPlace, params: Json | undefined, seq: number): void {
    const planned = this.planned.has(planKey(to.run_id, to.iteration));
    for (const { path, text } of this.leaves(params)) {
      const origin = this.originOf(text);
      if (!origin) this.origins.set(text, { seq, source: null });
      else if (origin.source && !planned) this.connect(origin.source, to, path, text);
    }
  }

  private succeeded(call: CallPlace, output: Json | undefined, seq: number): void {
    for (const { path, text } of this.leaves(output)) {
      if (this.originOf(text)) continue;
      this.origins.set(text, { seq, source: { kind: "call", call, path } });
    }
  }

  private originOf(text: string): Origin | null {
    const known = this.origins.get(text);
    const said = this.spoken.first(text);
    if (!known || !said) return known ?? said;
    return known.seq < said.seq ? known : said;
  }

  private connect(from: EdgeSource, to: CallPlace, to_path: string, text: string): void {
    if (this.edges.length >= MOST_EDGES) this.cut = true;
    else this.edges.push({ from, to, to_path, value: text.slice(0, LONGEST_EVIDENCE) });
  }

  /** The specific values within a value, each with its path. Walks with a list of its own, in the order of the value. */
  private *leaves(root: Json | undefined): Generator<{ path: string; text: string }> {
    const open: { value: Json; path: PropertyKey[] }[] = root === undefined ? [] : [{ value: root, path: [] }];
    for (let seen = 0, next = open.pop(); next; next = open.pop()) {
      const { value, path } = next;
      if (typeof value === "object" && value !== null) {
        const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
        open.push(...inner.map(([key, item]) => ({ value: item, path: [...path, key] })).reverse());
        continue;
      }
      seen += 1;
      if (seen > MOST_LEAVES) {
        this.cut = true;
        return;
      }
      const text = asText(value);
      if (text !== null && isSpecific(text)) yield { path: pointerTo(path), text };
    }
  }
}
