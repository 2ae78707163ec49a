/** The id of a conversation as it stands in the address; one that is not well encoded is taken as it is. */
export function readId(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
