import type { z } from "zod";

/** What can be wrong at a place of a document, by its code: the end of a sentence that begins with the place. */
const WORDS = {
  missing: "is required",
  text: "must be a string",
  list: "must be an array",
  record: "must be an object",
  flag: "must be a boolean",
  empty: "must not be empty",
  time: "must be a time in UTC such as 2024-05-01T10:00:00Z",
  id: "must be an id or null",
  status: 'must be one of "requested", "approved", "denied"',
  decision: 'must be one of "approve", "deny"',
  other: "is not valid",
};

/** What is wrong, for who tells it in another language. */
export type FaultCode = keyof typeof WORDS;

/** What is wrong in a document: where, as a JSON Pointer, and a sentence's end that follows the place's name. */
export interface DocumentFault {
  path: string;
  code: FaultCode;
  message: string;
}

/** A fault, of the message that an issue of the schema has: a code. */
export function faultAt(path: string, message: string): DocumentFault {
  const code = isFaultCode(message) ? message : "other";
  return { path, code, message: WORDS[code] };
}

/** The code of an issue for which the schema has none of its own. */
export function codeOf(issue: z.core.$ZodRawIssue): FaultCode {
  if (issue.input === undefined) return "missing";
  if (issue.code !== "invalid_type") return "other";
  switch (issue.expected) {
    case "string":
      return "text";
    case "array":
      return "list";
    case "object":
    case "record":
      return "record";
    case "boolean":
      return "flag";
    default:
      return "other";
  }
}

/** A schema's own code stands before all others; what is not there is told of as everywhere. */
export function unlessMissing(code: FaultCode): (issue: { input?: unknown }) => FaultCode | undefined {
  return ({ input }) => (input === undefined ? undefined : code);
}

function isFaultCode(text: string): text is FaultCode {
  return Object.hasOwn(WORDS, text);
}
