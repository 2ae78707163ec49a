/** So many characters of base64 stand for twelve bytes; an ordinary word is seldom as long. */
const RUN = /(?<![\w+/-])(?:[\w-]{16,}|[A-Za-z0-9+/]{16,})={0,2}(?![\w+/=-])/g;

/** What is in base64 can be in base64 again, as in the parts of an e-mail; further in nobody looks. */
const DEEPEST = 3;

/** A text in which `redact` went through what stands in it as base64, too: the rest of it stays as it was. */
export function withoutEncoded(text: string, redact: (text: string) => string, depth = 1): string {
  if (text.length < 16 || depth > DEEPEST) return text;
  return text.replace(RUN, (run) => {
    const decoded = decode(run);
    if (decoded === null) return run;
    const left = withoutEncoded(redact(decoded), redact, depth + 1);
    return left === decoded ? run : encode(left, run);
  });
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
