import type { z } from "zod";

/** Errors of a document by code: the end of a sentence that begins with the place. */
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

/** The code of an error, for translations. */
export type FaultCode = keyof typeof WORDS;

/** An error in a document: its JSON Pointer, and the end of a sentence that follows the place's name. */
export interface DocumentFault {
  path: string;
  code: FaultCode;
  message: string;
}

/** An error for a schema issue whose message is a code. */
export function faultAt(path: string, message: string): DocumentFault {
  const code = isFaultCode(message) ? message : "other";
  return { path, code, message: WORDS[code] };
}

/** The code of an issue without a code of its own. */
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

/** A schema's own code, unless the value is missing. */
export function unlessMissing(code: FaultCode): (issue: { input?: unknown }) => FaultCode | undefined {
  return ({ input }) => (input === undefined ? undefined : code);
}

function isFaultCode(text: string): text is FaultCode {
  return Object.hasOwn(WORDS, text);
}
