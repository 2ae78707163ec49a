/** The query key of a conversation's forks. */
export function forksKey(conversationId: string): readonly string[] {
  return ["forks", conversationId];
}

/** The query key of a fork's tool mode. */
export function forkModeKey(forkId: string): readonly string[] {
  return ["fork-mode", forkId];
}

/** The query key of a fork preview. */
export function forkPreviewKey(conversationId: string, at: number): readonly unknown[] {
  return ["fork-preview", conversationId, at];
}
