import type { AuditValues } from "@/lib/access/audit.ts";
import type { AuditEntry } from "@/lib/api/shapes.ts";

/** A changed field; null for a side without it. */
interface Change {
  name: string;
  before: string | null;
  after: string | null;
}

/** How a missing value is shown. */
export const NOTHING = "—";

/** The changes of an entry, field by field. */
export function changesOf({ before, after }: Pick<AuditEntry, "before" | "after">): Change[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].map((name) => ({ name, before: textOf(before, name), after: textOf(after, name) }));
}

function textOf(values: AuditValues | null, name: string): string | null {
  const value = values?.[name];
  if (value === undefined) return null;
  if (value === null) return NOTHING;
  return typeof value === "object" ? value.join(", ") || NOTHING : String(value);
}
