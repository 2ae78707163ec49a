/** No name that is known is longer, so that more of a name says nothing. */
const LONGEST = 40;

/**
 * The known name that takes the fewest changed letters to come to, case aside: what was most likely meant. A name cut
 * short counts as one change.
 */
export function nearestOf<Name extends string>(name: string, known: readonly [Name, ...Name[]]): Name {
  let [nearest] = known;
  let least = Number.POSITIVE_INFINITY;
  const from = name.slice(0, LONGEST).toLowerCase();
  for (const each of known) {
    const to = each.toLowerCase();
    const distance = to.startsWith(from) ? 1 : editDistance(from, to);
    if (distance < least) [nearest, least] = [each, distance];
  }
  return nearest;
}

/** How many letters have to be added, taken away or replaced to turn one text into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
