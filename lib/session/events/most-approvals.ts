/** How many different people may have to approve a confirmation. */
export const MOST_APPROVALS = 5;
