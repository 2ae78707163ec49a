import { isKnown, type SessionEvent } from "../event.ts";

/** A failure as an event recorded it. */
export interface RecordedFailure {
  /** What failed: a call's tool, a delegate, or the model. Null for a run and a plan. */
  name: string | null;
  /** Null if its agent told none. */
  code: string | null;
  message: string;
}

/** The event types that record failures. */
export const FAILURE_TYPES = [
  "call.failed",
  "delegate.finished",
  "model.failed",
  "plan.rejected",
  "run.failed",
] as const;

/** The failure that an event recorded; null for events that record none. */
export function failureOf(event: SessionEvent): RecordedFailure | null {
  if (!isKnown(event)) return null;
  switch (event.type) {
    case "call.failed":
      return told(event.payload.tool, event.payload.error ?? event.payload.reason);
    case "delegate.finished":
      return event.payload.error ? told(event.payload.delegate, event.payload.error) : null;
    case "model.failed":
      return told(event.payload.model, event.payload.error);
    case "run.failed":
      return told(null, event.payload.error ?? event.payload.reason);
    case "plan.rejected":
      return told(null, firstProblem(event.payload.problems) ?? event.payload.reason);
    default:
      return null;
  }
}

function told(name: string | null, error: { code: string; message: string } | string | undefined): RecordedFailure {
  if (error === undefined || typeof error === "string") return { name, code: null, message: error ?? "" };
  return { name, ...error };
}

/** Problems of external agents have any shape. */
function firstProblem(problems: readonly unknown[] = []): { code: string; message: string } | undefined {
  const [first] = problems;
  if (typeof first !== "object" || first === null) return;
  const { code, message } = { code: undefined, message: undefined, ...first };
  return typeof code === "string" && typeof message === "string" ? { code, message } : undefined;
}

/** Texts are compared up to this length: a message may be a page with a stack. */
const COMPARED = 2_000;

/**
 * A text that is equal for failures of the same kind: its message without what differs from time to time. Ids, numbers,
 * dates, quoted texts, addresses and paths are replaced, as error trackers do.
 */
export function fingerprintOf({ name, code, message }: RecordedFailure): string {
  const kind = message
    .slice(0, COMPARED)
    .toLowerCase()
    .replace(/"[^"\n]*"|'[^'\n]*'|«[^»\n]*»|“[^”\n]*”|`[^`\n]*`/gu, "…")
    .split(/\s+/u)
    .map((word) => (word.includes("://") || /.@[^@]+\.[^@]/u.test(word) ? "…" : withoutNumbers(word)))
    .join(" ")
    .trim();
  return `${name ?? ""}\n${code ?? ""}\n${kind}`;
}

/** Every name of a word that has a digit becomes `#`. */
function withoutNumbers(word: string): string {
  return word.replace(/[\p{L}\p{N}_-]+(?:[.,:/]\p{N}[\p{L}\p{N}_-]*)*/gu, (name) => (/\p{N}/u.test(name) ? "#" : name));
}
