import type { IconName } from "@/components/ui/icons.tsx";

/**
 * Groups in their default order. Results from the server are last, so that they do not move the highlighted command.
 */
export const COMMAND_GROUPS = [
  "here",
  "steps",
  "calls",
  "state",
  "runs",
  "pages",
  "settings",
  "conversations",
] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

/** A command of the palette. */
export interface Command {
  /** Unique among the offered commands. */
  id: string;
  group: CommandGroup;
  icon: IconName;
  label: string;
  /** Distinguishes it from others with the same name. */
  detail?: string;
  /** The shortcut that does the same. */
  keys?: readonly string[];
  /** Additional search terms, which are not shown. */
  words?: string;
  run: () => void;
}

/** Returns a page's commands for the typed text. */
export type CommandSource = (typed: string) => readonly Command[];

const sources = new Set<CommandSource>();

/** Registers commands while a page is open; the returned function removes them. */
export function offerCommands(source: CommandSource): () => void {
  sources.add(source);
  return () => sources.delete(source);
}

/** The registered commands. */
export function offeredCommands(typed: string): Command[] {
  return [...sources].flatMap((source) => source(typed));
}
