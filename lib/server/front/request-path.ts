import { hasDotSegment } from "../../session/dot-segments.ts";

/** A request's target in canonical form: the gate, the limits, the log and Next see the same text. */
export interface RequestPath {
  /** `/conversations/telegram%3A42`: each segment decoded once and encoded again. */
  path: string;
  /** `?at=3` as received, or empty. It may contain search terms. */
  query: string;
}

/** Why a path is refused, as a sentence. */
export interface RefusedPath {
  refused: string;
}

/**
 * Parses the target of a request. Everything that another program might resolve to another path is refused: dot
 * segments in any encoding, backslashes, double slashes, `#` and control characters. Ids may contain an encoded slash
 * or backslash, since they are not routed.
 */
export function readRequestPath(target = "/"): RequestPath | RefusedPath {
  if (PLAIN.test(target)) return { path: target, query: "" };
  if (!target.startsWith("/")) return { refused: "The URL is not a path; start it with /." };
  if (!VISIBLE.test(target))
    return { refused: "The URL has a character that must be percent-encoded, such as a space as %20." };
  if (target.includes("#")) return { refused: "The URL has a #; encode it as %23, or remove it." };
  const [raw = "/"] = target.split("?", 1);
  if (target.slice(raw.length).split("&", MOST_PARAMETERS + 1).length > MOST_PARAMETERS)
    return { refused: `The URL has more than ${MOST_PARAMETERS} parameters; send fewer.` };
  if (raw.includes("\\")) return { refused: "The URL has a backslash; encode it as %5C." };
  const parts = raw.slice(1).split("/");
  // A trailing slash is left to Next, which redirects.
  if (parts.slice(0, -1).includes("")) return { refused: "The URL has two consecutive slashes; send one." };
  const decoded: string[] = [];
  for (const [index, part] of parts.entries()) {
    const text = decode(part);
    const refused = text === null ? BAD_ENCODING : refusePart(text, canBeId(decoded[0], index));
    if (text === null || refused !== null) return { refused: refused ?? BAD_ENCODING };
    decoded.push(text);
  }
  return { path: `/${decoded.map(encodeURIComponent).join("/")}`, query: target.slice(raw.length) };
}

/** Most paths of the API, which are canonical as they are. */
const PLAIN = /^\/(?:api|v1)(?:\/[a-z-]+)+$/;

/** Searching for duplicates among the 4,000 parameters that fit into a URL takes Next and us 0.4 s. */
const MOST_PARAMETERS = 100;

const VISIBLE = /^[\x21-\x7e]+$/;
const BAD_ENCODING = "The URL is invalid: a % does not start an encoded character.";

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Why a segment is refused, or null. */
function refusePart(text: string, canBeId: boolean): string | null {
  if (/\p{Cc}/u.test(text)) return "The URL has a control character; remove it.";
  if (hasDotSegment(text)) return "The URL has a . or .. segment; send the resolved path.";
  if (/[\\/]/.test(text) && !canBeId) return "The URL has an encoded slash outside an id; send a plain slash.";
  return null;
}

/** Routes have ids after `/api/` and a name, and after the name of a page. */
function canBeId(first: string | undefined, index: number): boolean {
  if (first === "_next") return false;
  return index > (first === "api" || first === "v1" ? 1 : 0);
}
