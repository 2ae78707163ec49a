const OF_A_CLONE = /npm (?:run (\w+)(?: --)?|(start))/g;

/**
 * The commands in a text as the reader has them: `npm run check` in a clone, `obelus check` where Obelus was installed as a
 * package, whose start sets `OBELUS_PACKAGED`.
 */
export function ownCommands(text: string): string {
  if (process.env.OBELUS_PACKAGED !== "1") return text;
  return text.replaceAll(OF_A_CLONE, (_, run?: string, start?: string) => `obelus ${run ?? start}`);
}
