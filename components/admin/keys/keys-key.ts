/** The query key of the API keys. */
export const KEYS_KEY = ["keys"] as const;
