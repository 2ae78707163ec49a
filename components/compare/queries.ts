/** Under which a session at a step is kept; null is its end. */
export function viewKey(id: string, at: number | null): readonly unknown[] {
  return ["compare", "view", id, at];
}

/** Under which the slim rows of a session are kept. */
export function rowsKey(id: string): readonly unknown[] {
  return ["compare", "rows", id];
}
