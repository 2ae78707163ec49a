/** How many characters may stand before a hit: a row at 1024 px shows about 55. */
const LEAD = 24;

/** Cuts what stands before the first marked part, at a word, so that a hit shows in a row of one line. */
export function leadIn<P extends { text: string; marked: boolean }>(parts: readonly P[]): P[] {
  const [first, ...rest] = parts;
  if (!first || first.marked || first.text.length <= LEAD) return [...parts];
  const words = first.text.slice(-LEAD).replace(/^\S*\s+(?=\S)/u, "");
  return [{ ...first, text: `…${words}` }, ...rest];
}
