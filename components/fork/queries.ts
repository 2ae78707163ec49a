/** Under which the forks of a conversation are kept. */
export function forksKey(conversationId: string): readonly string[] {
  return ["forks", conversationId];
}
