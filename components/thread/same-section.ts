import type { CallRow } from "./call-rows.ts";
import { isHighlighted, type Scene } from "./scene.ts";
import type { Entry, Section } from "./sections.ts";

/**
 * Creates a function that returns the previous object for each unchanged section. A step changes one run, and a long
 * thread has hundreds.
 */
export function sectionKeeper(): (sections: Section[]) => Section[] {
  let known = new Map<string, Section>();
  return (sections) => {
    const kept = sections.map((section) => {
      const before = known.get(section.id);
      return before && isSameSection(before, section) ? before : section;
    });
    known = new Map(kept.map((section) => [section.id, section]));
    return kept;
  };
}

function isSameSection({ entries, ...facts }: Section, { entries: others, ...otherFacts }: Section): boolean {
  return isShallowlySame(facts, otherFacts) && isSameList(entries, others, isSameEntry);
}

function isSameEntry(one: Entry, other: Entry): boolean {
  if (one.kind === "calls" && other.kind === "calls") return isSameList(one.rows, other.rows, isShallowlySame<CallRow>);
  if (one.kind === "check" && other.kind === "check")
    return one.seq === other.seq && isSameList(one.warnings, other.warnings, Object.is);
  return isShallowlySame(one, other);
}

function isSameList<T>(one: readonly T[], other: readonly T[], isSame: (one: T, other: T) => boolean): boolean {
  if (one.length !== other.length) return false;
  const matches = other.values();
  return one.every((item) => {
    const { value, done } = matches.next();
    return !done && isSame(item, value);
  });
}

function isShallowlySame<T extends object>(one: T, other: T): boolean {
  const entries = Object.entries(one);
  const others = new Map<string, unknown>(Object.entries(other));
  return entries.length === others.size && entries.every(([name, value]) => Object.is(value, others.get(name)));
}

/** Whether a section looks the same in two scenes. */
export function looksSame({ run, entries }: Section, before: Scene, after: Scene): boolean {
  if (before === after) return true;
  // Pending calls and confirmations depend on the session.
  if (run?.status === "running" || run?.status === "queued") return false;
  if (before.channel !== after.channel || before.onSelect !== after.onSelect) return false;
  const looked = new Set([before.current, before.selected, after.current, after.selected]);
  const isLookedAtAnew = before.current !== after.current || before.selected !== after.selected;
  return entries.every((entry) => {
    if (isHighlighted(entry, before) !== isHighlighted(entry, after)) return false;
    switch (entry.kind) {
      case "ask":
        return false;
      case "calls":
        return !isLookedAtAnew || !entry.rows.some(({ call }) => looked.has(call));
      case "message":
        return [
          ({ newestAnswer }: Scene) => newestAnswer === entry.message.id,
          ({ setFrom }: Scene) => entry.seq < setFrom,
        ].every((look) => look(before) === look(after));
      case "alert":
      case "warning":
      case "check":
      case "mark":
        return true;
      default:
        return entry satisfies never;
    }
  });
}
