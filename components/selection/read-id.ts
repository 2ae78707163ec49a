/** A conversation's id from the address; an invalid encoding is taken literally. */
export function readId(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
