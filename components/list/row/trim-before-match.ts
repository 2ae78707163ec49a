/**
 * Cuts the text before the first match to a number of characters, at a word, so that the match is visible in one line.
 */
export function trimBeforeMatch<P extends { text: string; marked: boolean }>(parts: readonly P[], lead: number): P[] {
  const [first, ...rest] = parts;
  if (!first || first.marked || first.text.length <= lead) return [...parts];
  const words = first.text.slice(-lead).replace(/^\S*\s+(?=\S)/u, "");
  return [{ ...first, text: `…${words}` }, ...rest];
}
