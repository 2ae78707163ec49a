import type { AuditValues } from "@/lib/access/audit.ts";
import type { AuditEntry } from "@/lib/api/shapes.ts";

/** One field of what changed; null where it is not told for that side. */
interface Change {
  name: string;
  before: string | null;
  after: string | null;
}

/** How a field without a value reads. */
export const NOTHING = "—";

/** What an entry tells of before and after, field by field. */
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
