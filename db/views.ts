import type { ListView } from "../lib/queue/list-view.ts";

/** Views of the list that people saved. They are not derived from the log. */
export interface ViewStore {
  /** Those of a person, and those that others share, by name. */
  list(owner: string): Promise<ListView[]>;
  /** Null: there is none. */
  get(id: string): Promise<ListView | null>;
  /** Adds a view. Throws `Conflict` if the owner has one of this name, or `MOST_VIEWS`. */
  add(view: Pick<ListView, "owner" | "name" | "query" | "shared">): Promise<ListView>;
  /** Replaces a view. Throws `Conflict` like `add`. Null: there is none. */
  change(id: string, change: Pick<ListView, "name" | "query" | "shared">): Promise<ListView | null>;
  /** Whether there was one. */
  remove(id: string): Promise<boolean>;
}
