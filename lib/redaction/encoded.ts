/** So many characters of base64 stand for twelve bytes; an ordinary word is seldom as long. */
const SHORTEST = 16;

/** What is in base64 can be in base64 again, as in the parts of an e-mail; further in nobody looks. */
const DEEPEST = 3;

/** A text in which `redact` went through what stands in it as base64, too: the rest of it stays as it was. */
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

/** What base64 is written with: in both alphabets, in the older one (`+` and `/`), in the newer one (`-` and `_`). */
const BOTH = 1;
const OLDER = 2;
const NEWER = 4;
const EQUALS = 0x3d;
const KINDS = new Uint8Array(128);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") KINDS[char.charCodeAt(0)] = BOTH;
for (const char of "+/") KINDS[char.charCodeAt(0)] = OLDER;
for (const char of "-_") KINDS[char.charCodeAt(0)] = NEWER;

/**
 * Where runs of base64 stand, with up to two `=` at their ends. By hand: a regular expression keeps its way back for each character of
 * a run, and fell over one of some million.
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
    // What follows the run is looked at again, unless it is one more of its own characters.
    at -= 1;
  }
}

/** 0 for what is no base64, and behind the end. */
function kindAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (KINDS[code] ?? 0) : 0;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text that a run of base64 stands for; null where it stands for none, as ids and pictures do. */
function decode(run: string): string | null {
  const plain = run.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  if (plain.length % 4 === 1) return null;
  // Its beginning tells for most: a name or an id is not text.
  if (!isText(atob(plain.slice(0, 16)))) return null;
  try {
    const text = utf8.decode(Uint8Array.from(atob(plain), (char) => char.charCodeAt(0)));
    return /^[^\p{Cc}]|[\t\r\n]/u.test(text) ? text : null;
  } catch {
    // It is bytes, and no text.
    return null;
  }
}

/** Whether these bytes may be the beginning of a text in UTF-8. */
function isText(bytes: string): boolean {
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes.charCodeAt(at);
    if ((byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) || byte === 0x7f) return false;
    if (byte >= 0x80 && (byte === 0xc0 || byte === 0xc1 || byte > 0xf4)) return false;
  }
  return true;
}

/** In the alphabet of what it takes the place of. */
function encode(text: string, like: string): string {
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  const plain = btoa(bytes);
  const padded = like.endsWith("=") || like.length % 4 === 0 ? plain : plain.replace(/=+$/, "");
  return /[-_]/.test(like) ? padded.replaceAll("+", "-").replaceAll("/", "_") : padded;
}
