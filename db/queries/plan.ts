/**
 * How a page of the list is found. `walk`: rows are read in their order, and each is tested, which ends soon if many match.
 * `gather`: the matches are found first, and the first of them are sorted, which ends soon if few match. `scored`, `ranged`: the
 * same, from the few that have a score, or whose totals are in ranges. `sift`: rows are read in their order to the end of the list,
 * and are looked for among the many in which something happened: the index of the order tells, without the rows of those. `scan`: the
 * same by an index that has what is asked, where that of the order does not; the first of the matches are sorted.
 */
export type Plan = "walk" | "gather" | "scored" | "ranged" | "sift" | "scan";

/** Whether rows are read in the order of the list, by its index. */
export function isInOrder(plan: Plan): boolean {
  return plan === "walk" || plan === "sift";
}

/**
 * Rows that are read in their order for each of a page, before its matches are gathered: where more than one in a hundred matches,
 * the page is full by then; where fewer do, they are soon gathered.
 */
export const WALKED_FOR_ROW = 100;
