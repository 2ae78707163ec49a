/** An answer has at most so many rows: it takes 60 MB while it is made. */
export const MOST_ROWS = 200_000;
