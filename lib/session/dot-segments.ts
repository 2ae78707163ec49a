const DOT_SEGMENT = /(^|[\\/])\.{1,2}([\\/;]|$)/;

/** An encoded character, at any level: decoding repeatedly would take time per level. */
const ENCODED = /%(?:25)*(2e|2f|5c|3b)/gi;

/**
 * Whether a text has `.` or `..` between slashes: HTTP clients remove these from URLs. Also in any level of encoding,
 * and with path parameters (`..;x`).
 */
export function hasDotSegment(text: string): boolean {
  return (
    DOT_SEGMENT.test(text) ||
    (text.includes("%") && DOT_SEGMENT.test(text.replaceAll(ENCODED, (_, code) => decodeURIComponent(`%${code}`))))
  );
}
