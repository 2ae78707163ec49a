/** Where the browser's cache holds the keys of programs. */
export const KEYS_KEY = ["keys"] as const;
