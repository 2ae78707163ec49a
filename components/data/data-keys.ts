/** Query keys of erasures and retention. */
export const ERASURES_KEY = ["erasures"] as const;
export const RETENTION_KEY = ["retention"] as const;
