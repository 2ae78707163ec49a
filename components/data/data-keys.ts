/** Where the query cache has erasures, and what is removed by its age. */
export const ERASURES_KEY = ["erasures"] as const;
export const RETENTION_KEY = ["retention"] as const;
