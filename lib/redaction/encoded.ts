/** The minimum length of base64, twelve bytes; few words are as long. */
const SHORTEST = 16;

/** The maximum depth of base64 in base64, as in parts of e-mails. */
const DEEPEST = 3;

/** Applies `redact` to base64 in a text; everything else is unchanged. */
export function withoutEncoded(text: string, redact: (text: string) => string, depth = 1): string {
  if (text.length < SHORTEST || depth > DEEPEST) return text;
  let result = "";
  let kept = 0;
  for (const { start, end } of runsIn(text)) {
    const run = text.slice(start, end);
    const decoded = decode(run);
    if (decoded === null) continue;
    const left = withoutEncoded(redact(decoded), redact, depth + 1);
    if (left === decoded) continue;
    result += text.slice(kept, start) + encode(left, run);
    kept = end;
  }
  return kept === 0 ? text : result + text.slice(kept);
}

/** Characters of both base64 alphabets, of the standard one (`+` and `/`), of the URL-safe one (`-` and `_`). */
const BOTH = 1;
const OLDER = 2;
const NEWER = 4;
const EQUALS = 0x3d;
const KINDS = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") KINDS[char.charCodeAt(0)] = BOTH;
for (const char of "+/") KINDS[char.charCodeAt(0)] = OLDER;
for (const char of "-_") KINDS[char.charCodeAt(0)] = NEWER;

/**
 * Runs of base64, with up to two `=` at their ends. Written by hand: a regular expression backtracks for each
 * character, and failed on a run of millions.
 */
function* runsIn(text: string): Generator<{ start: number; end: number }> {
  for (let at = 0; at < text.length; at += 1) {
    if (kindAt(text, at) === 0) continue;
    const start = at;
    let kinds = 0;
    for (let kind = kindAt(text, at); kind !== 0; kind = kindAt(text, at)) {
      kinds |= kind;
      at += 1;
    }
    const long = at - start >= SHORTEST;
    let end = at;
    while (end < at + 3 && text.charCodeAt(end) === EQUALS) end += 1;
    const isOne = (kinds & OLDER) === 0 || (kinds & NEWER) === 0;
    if (long && isOne && end < at + 3 && kindAt(text, end) === 0) yield { start, end };
    // The text after the run is searched again, unless it is another character of the run.
    at -= 1;
  }
}

/** 0 for other characters, and after the end. */
function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (KINDS[code] ?? 0) : 0;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text that a run of base64 encodes; null if it is no text, such as ids and images. */
function decode(run: string): string | null {
  const plain = run.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  if (plain.length % 4 === 1) return null;
  // The start decides for most: names and ids do not decode to text.
  if (!isText(atob(plain.slice(0, 16)))) return null;
  try {
    const text = utf8.decode(Uint8Array.from(atob(plain), (char) => char.charCodeAt(0)));
    return /^[^\p{Cc}]|[\t\r\n]/u.test(text) ? text : null;
  } catch {
    // Binary data.
    return null;
  }
}

/** Whether these bytes may be the start of UTF-8 text. */
function isText(bytes: string): boolean {
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes.charCodeAt(at);
    if ((byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f) return false;
    if (byte >= 0x80 && (byte === 0xc0 || byte === 0xc1 || byte > 0xf4)) return false;
  }
  return true;
}

/** In the alphabet of the replaced run. */
function encode(text: string, like: string): string {
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  const plain = btoa(bytes);
  const padded = like.endsWith("=") || like.length % 4 === 0 ? plain : plain.replace(/=+$/, "");
  return /[-_]/.test(like) ? padded.replaceAll("+", "-").replaceAll("/", "_") : padded;
}
