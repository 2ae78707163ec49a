import { hash } from "node:crypto";
import { identifier } from "../../session/catalogue.ts";
import { hasDotSegment } from "../../session/dot-segments.ts";
import { cut } from "../otlp/names.ts";

/** The longest identifier that an event can hold. */
const LONGEST = 200;

/** What the ids of all events begin with that AG-UI streams told. */
export const PREFIX = "ag-ui:";

/**
 * The id of something that an AG-UI stream tells, made of its thread, its run and AG-UI's own ids: telling the same again
 * changes nothing. No two lists of parts have the same id.
 */
export function idOf(...parts: readonly string[]): string {
  const id = PREFIX + parts.map(encodeURIComponent).join(":");
  return id.length <= LONGEST && !hasDotSegment(id) ? id : PREFIX + hash("sha256", id);
}

/** An id of AG-UI as our identifier; one that cannot be ours gets one that is made of it. */
export function identifierOf(id: string): string {
  return identifier.safeParse(id).success ? id : idOf("id", id);
}

/** A name in a field of bounded length. */
export function short(name: string): string {
  return cut(name.replace(/\p{Cc}+/gu, " "), LONGEST);
}

/** Milliseconds as the time of an event; null for what is no time. */
export function timeOf(milliseconds: number | undefined): string | null {
  if (milliseconds === undefined) return null;
  const time = new Date(milliseconds);
  const year = time.getUTCFullYear();
  return year >= 0 && year <= 9999 ? time.toISOString() : null;
}
