import { hash } from "node:crypto";
import { hasDotSegment } from "../../session/dot-segments.ts";
import { identifier } from "../../session/events/catalogue.ts";
import { cut } from "../otlp/names.ts";

/** The longest identifier that an event can hold. */
const LONGEST = 200;

/** The prefix of the ids of all events from AG-UI streams. */
export const PREFIX = "ag-ui:";

/**
 * A deterministic event id from thread, run and AG-UI ids: sending a stream again changes nothing. Different lists of
 * parts have different ids.
 */
export function idOf(...parts: readonly string[]): string {
  const id = PREFIX + parts.map(encodeURIComponent).join(":");
  return id.length <= LONGEST && !hasDotSegment(id) ? id : PREFIX + hash("sha256", id);
}

/** An AG-UI id as our identifier; an invalid one is replaced by a hash. */
export function identifierOf(id: string): string {
  return identifier.safeParse(id).success ? id : idOf("id", id);
}

/** A name, shortened for a field with a maximum length. */
export function short(name: string): string {
  return cut(name.replace(/\p{Cc}+/gu, " "), LONGEST);
}

/** Milliseconds as an event's time; null if invalid. */
export function timeOf(milliseconds: number | undefined): string | null {
  if (milliseconds === undefined) return null;
  const time = new Date(milliseconds);
  const year = time.getUTCFullYear();
  return year >= 0 && year <= 9999 ? time.toISOString() : null;
}
