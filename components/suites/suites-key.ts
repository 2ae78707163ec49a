/** The list of suites, also prefetched on the server. */
export const SUITES_KEY = ["suites"] as const;
