/** Where the browser's cache holds who signs in here. */
export const USERS_KEY = ["users"] as const;
