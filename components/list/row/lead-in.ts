/** Cuts what stands before the first marked part to so many characters, at a word, so that a hit shows in a row of one line. */
export function leadIn<P extends { text: string; marked: boolean }>(parts: readonly P[], lead: number): P[] {
  const [first, ...rest] = parts;
  if (!first || first.marked || first.text.length <= lead) return [...parts];
  const words = first.text.slice(-lead).replace(/^\S*\s+(?=\S)/u, "");
  return [{ ...first, text: `…${words}` }, ...rest];
}
