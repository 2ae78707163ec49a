/**
 * How a page of the list is found. `walk`: rows are read in their order, and each is tested, which ends soon if many match.
 * `gather`: the matches are found first, and the first of them are sorted, which ends soon if few match. `scored`, `ranged`: the
 * same, from the few that have a score, or whose totals are in ranges. `sift`: rows are read in their order to the end of the list,
 * and are looked for among the many in which something happened: most are told by the index of the order, without the rows of those.
 */
export type Plan = "walk" | "gather" | "scored" | "ranged" | "sift";

/** Whether rows are read in the order of the list, by its index. */
export function isInOrder(plan: Plan): boolean {
  return plan === "walk" || plan === "sift";
}

/**
 * Rows that are read in their order for each of a page, before its matches are gathered: where more than one in a hundred matches,
 * the page is full by then; where fewer do, they are soon gathered.
 */
export const WALKED_FOR_ROW = 100;
