import { COMMAND_GROUPS, type Command, type CommandGroup } from "./command.ts";

/** The most commands per group without input. Pages are few, so all are shown. */
const SHOWN = 6;

/** A group of commands, the best first. */
export interface RankedGroup {
  group: CommandGroup;
  commands: Command[];
}

/**
 * The commands that contain all typed words, by group. Within a group, names that start with the words come first, then
 * those with a word that starts with them; groups are sorted likewise. Without input the order is kept.
 */
export function rankCommands(commands: readonly Command[], typed: string): RankedGroup[] {
  const words = typed.toLowerCase().split(/\s+/u).filter(Boolean);
  const scored = commands
    .map((command) => ({ command, score: scoreOf(command, words) }))
    .filter(({ score }) => score > 0);
  return COMMAND_GROUPS.filter((group) => words.length > 0 || group !== "settings")
    .map((group) => ({
      group,
      best: scored
        .filter(({ command }) => command.group === group)
        .sort((a, b) => b.score - a.score)
        .slice(0, group === "pages" ? undefined : SHOWN),
    }))
    .filter(({ best }) => best.length > 0)
    .sort((a, b) => (b.best[0]?.score ?? 0) - (a.best[0]?.score ?? 0))
    .map(({ group, best }) => ({ group, commands: best.map(({ command }) => command) }));
}

/** 0: a word is missing. */
function scoreOf({ label, detail = "", words: hidden = "", group }: Command, words: readonly string[]): number {
  // The server matched their contents.
  if (group === "conversations") return 1;
  const name = label.toLowerCase();
  const all = `${name} ${detail} ${hidden}`.toLowerCase();
  let score = 1;
  for (const word of words) {
    if (name.startsWith(word)) score += 4;
    else if (startsWord(name, word)) score += 3;
    else if (startsWord(all, word)) score += 2;
    else if (!all.includes(word)) return 0;
  }
  return score;
}

function startsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "")) return true;
  }
  return false;
}
