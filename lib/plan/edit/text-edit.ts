/** A range of a text, in UTF-16 units. */
export interface Range {
  from: number;
  to: number;
}

/** A change of a text: what stands in the range is replaced. */
export interface TextEdit extends Range {
  insert: string;
}

/** The text after edits, which are in order and do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let at = 0;
  let edited = "";
  for (const { from, to, insert } of edits) {
    edited += text.slice(at, from) + insert;
    at = to;
  }
  return edited + text.slice(at);
}

/** Edits in the order of the text. */
export function inTextOrder(edits: readonly TextEdit[]): TextEdit[] {
  return edits.toSorted((one, other) => one.from - other.from);
}
