/** A step of a session. */
export function stepAddress(conversation: string, seq: number): string {
  return `/conversations/${encodeURIComponent(conversation)}?at=${seq}`;
}
