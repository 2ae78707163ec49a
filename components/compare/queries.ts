/** The query key of a session at a step; null for its end. */
export function viewKey(id: string, at: number | null): readonly unknown[] {
  return ["compare", "view", id, at];
}

/** The query key of a session's step rows. */
export function rowsKey(id: string): readonly unknown[] {
  return ["compare", "rows", id];
}
