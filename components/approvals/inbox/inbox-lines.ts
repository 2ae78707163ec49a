import type { ListedConfirmation } from "@/lib/api/shapes.ts";
import { isOverdue } from "../waited.ts";

/** A row of the list: an approval, or the heading of a group. */
export type InboxLine =
  | { kind: "group"; key: string; overdue: boolean; count: number }
  | { kind: "item"; key: string; item: ListedConfirmation; position: number };

/** Pixels; text is larger on phones. */
const HEIGHT = {
  window: { group: 27, item: 71 },
  phone: { group: 32, item: 84 },
} as const;
export type Width = keyof typeof HEIGHT;

/** The approvals in order, with headings before and after the overdue ones; no headings without any. */
export function linesOf(items: readonly ListedConfirmation[], now: number): InboxLine[] {
  const flags = items.map((item) => isOverdue(item, now));
  const grouped = flags.includes(true);
  return items.flatMap((item, index): InboxLine[] => {
    const line = { kind: "item", key: item.id, item, position: index + 1 } as const;
    const overdue = flags[index] ?? false;
    if (!grouped || overdue === flags[index - 1]) return [line];
    const end = flags.indexOf(!overdue, index);
    const count = (end < 0 ? items.length : end) - index;
    return [{ kind: "group", key: `group ${item.id}`, overdue, count }, line];
  });
}

export function heightOf({ kind }: Pick<InboxLine, "kind">, width: Width): number {
  return HEIGHT[width][kind];
}

/** The offset of an approval's row in pixels; null when it is not listed. */
export function topOf(lines: readonly InboxLine[], id: string | null, width: Width): number | null {
  const index = lines.findIndex(({ key }) => key === id);
  return index < 0 ? null : lines.slice(0, index).reduce((top, line) => top + heightOf(line, width), 0);
}
