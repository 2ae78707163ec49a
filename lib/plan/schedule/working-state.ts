import type { Json } from "../../session/json/json.ts";
import { writeValue } from "../state.ts";
import { Draft } from "./draft.ts";

/** A mutable state; what `freeze` has returned does not change. */
export class WorkingState {
  #root: Json | undefined;
  #draft = new Draft<object>({});

  constructor(root: Json | undefined) {
    this.#root = root;
  }

  /** The state as it is now; it may change with the next write. Undefined before there is any. */
  get root(): Json | undefined {
    return this.#root;
  }

  /** The state as it is now, which no later write changes. */
  freeze(): Json {
    this.#draft = new Draft({});
    return this.#root ?? {};
  }

  /** Writes a value (P9). What cannot be written there leaves the state as it is. */
  write(path: readonly string[], value: Json): void {
    const written = writeValue(this.#draft, this.#root, path, value);
    if (written.ok) this.#root = written.root;
  }
}
