/** A time in which somebody else looks after what is a user's: names of users, ISO 8601. */
export interface Absence {
  name: string;
  deputy: string;
  from: string;
  until: string;
}

/** An absence lasts at most a year, and begins within a year, ms. */
export const LONGEST_ABSENCE_MS = 366 * 86_400_000;
