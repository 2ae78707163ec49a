/** Where the facets stand in the browser's cache. */
export const FACETS_KEY = ["facets"] as const;
