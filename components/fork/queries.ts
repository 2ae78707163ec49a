/** Under which the forks of a conversation are kept. */
export function forksKey(conversationId: string): readonly string[] {
  return ["forks", conversationId];
}

/** Under this whether a fork's tools are called is kept. */
export function forkModeKey(forkId: string): readonly string[] {
  return ["fork-mode", forkId];
}

/** Under this what a fork from a step would lack is kept. */
export function forkPreviewKey(conversationId: string, at: number): readonly unknown[] {
  return ["fork-preview", conversationId, at];
}
