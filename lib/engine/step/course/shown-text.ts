/** The start of a JSON object with a key, or of text that may become one. */
const MAY_BE_PLAN = /^\s*\{\s*("|$)/;

/**
 * What of an answer that is still coming may be shown to its user: nothing of what is a plan in JSON (P19a) or one of the
 * markers (D5), or may become one. As the answer grows, what is shown only grows.
 */
export function shownText(text: string, markers: readonly string[]): string {
  return MAY_BE_PLAN.test(text) ? "" : markers.reduce(before, text).trimStart();
}

/** A text up to a marker, or up to an end that may be the start of one. */
function before(text: string, marker: string): string {
  const at = text.indexOf(marker);
  if (at >= 0) return text.slice(0, at);
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--)
    if (text.endsWith(marker.slice(0, length))) return text.slice(0, -length);
  return text;
}

/** A text as shown to its user: without markers (D5). */
export function withoutMarkers(text: string, markers: readonly string[]): string {
  if (!markers.some((marker) => text.includes(marker))) return text;
  return markers.reduce((left, marker) => left.replaceAll(marker, " "), text).trim();
}
