const DOT_SEGMENT = /(^|[\\/])\.{1,2}([\\/;]|$)/;

/** A sign that is encoded, as often as may be: at once, for going round by round would take time for each. */
const ENCODED = /%(?:25)*(2e|2f|5c|3b)/gi;

/**
 * Whether a text has `.` or `..` between slashes, which no address can hold: clients take these out of it. Also one that shows
 * when what is encoded is decoded, however often, and with parameters as some servers have them (`..;x`).
 */
export function hasDotSegment(text: string): boolean {
  return (
    DOT_SEGMENT.test(text) ||
    (text.includes("%") && DOT_SEGMENT.test(text.replaceAll(ENCODED, (_, code) => decodeURIComponent(`%${code}`))))
  );
}
