import type { Context } from "../../../plan/message.ts";
import { parsePath } from "../../../plan/output-path.ts";
import { Draft } from "../../../plan/schedule/draft.ts";
import { createScope, type Scope } from "../../../plan/scope.ts";
import { writeValue } from "../../../plan/state.ts";
import type { Json, JsonObject } from "../../../session/json/json.ts";

/** What a run's calls read: its initial context, its current states and its user's memory (P14b, M15). */
export class RunReads {
  #begun: Context = { data: [], text: [] };
  #memory: JsonObject | null = null;
  #context: Context | null = null;
  readonly #states = new Map<string, Json>();
  readonly #scopes = new Map<string, Scope>();
  // One draft for the whole run: what it made is changed in place, so that a write costs its path and not the state.
  readonly #draft = new Draft<object>({});

  /** The run's initial context. */
  begin(context: Context): void {
    this.#begun = context;
    this.#forget();
  }

  /** From now on, calls read this memory document. */
  remember(document: JsonObject | null): void {
    this.#memory = document;
    this.#forget();
  }

  get context(): Context {
    this.#context ??= this.#memory ? withMemory(this.#begun, this.#memory) : this.#begun;
    return this.#context;
  }

  get states(): ReadonlyMap<string, Json> {
    return this.#states;
  }

  scope(instance: string): Scope {
    const known = this.#scopes.get(instance);
    if (known) return known;
    const scope = createScope(this.context, instance, () => this.#states.get(instance));
    this.#scopes.set(instance, scope);
    return scope;
  }

  write(instance: string, path: string, value: Json): void {
    const target = parsePath(path);
    if (!target.ok) throw new Error(`The run's own path ${path} cannot be read`);
    const written = writeValue(this.#draft, this.#states.get(instance), target.value.path, value);
    // The targets were checked when the call was scheduled and when it ended, and nothing was written since.
    if (!written.ok) throw new Error(`The run's own write to ${path} cannot be: ${written.reason}`);
    this.#states.set(instance, written.root);
  }

  #forget(): void {
    this.#context = null;
    this.#scopes.clear();
  }
}

/** A context that includes a user's memory document (M15). */
export function withMemory({ data, text }: Context, document: JsonObject): Context {
  const others = data.filter(({ kind }) => kind !== "memory");
  return { data: [...others, { kind: "memory", instance: "", data: document }], text };
}
