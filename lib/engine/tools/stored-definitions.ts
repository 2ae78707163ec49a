/** Definitions that were registered through the API, kept from one start to the next. */
export interface StoredDefinitions<T extends { name: string }> {
  /** All that hold; of each name the newest. */
  load(): Promise<T[]>;
  /** On disk when it resolves; takes the place of an earlier one of this name. */
  save(definition: T, actor: string | null): Promise<void>;
}
