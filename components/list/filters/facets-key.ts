/** The query key of the facets. */
export const FACETS_KEY = ["facets"] as const;
