import type { IconName } from "@/components/ui/icons.tsx";

/**
 * What a command is about, in the order in which the palette shows them where none fits better. What the server has to be
 * asked for comes last: it must not move what is about to be chosen.
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

/** One thing that the palette can do. */
export interface Command {
  /** Unique among all that are offered together. */
  id: string;
  group: CommandGroup;
  icon: IconName;
  label: string;
  /** Tells it from others of the same name. */
  detail?: string;
  /** The key that does the same. */
  keys?: readonly string[];
  /** Words by which it is found as well, which it does not show. */
  words?: string;
  run: () => void;
}

/** Gives a page's commands as they are at the moment, for what is typed. */
export type CommandSource = (typed: string) => readonly Command[];

const sources = new Set<CommandSource>();

/** Offers commands while a page is open; what it gives back takes them away again. */
export function offerCommands(source: CommandSource): () => void {
  sources.add(source);
  return () => sources.delete(source);
}

/** What the open page offers. */
export function offeredCommands(typed: string): Command[] {
  return [...sources].flatMap((source) => source(typed));
}
