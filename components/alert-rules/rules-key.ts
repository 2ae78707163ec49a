/** The list of alert rules, also prefetched on the server. */
export const RULES_KEY = ["alert-rules"] as const;
