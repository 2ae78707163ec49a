/** The query key of the users. */
export const USERS_KEY = ["users"] as const;
