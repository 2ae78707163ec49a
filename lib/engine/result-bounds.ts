/** The largest result that a tool outside may give, in bytes: it stands in events and in the state. */
export const LARGEST_RESULT = 1_000_000;

/** How deep a result may nest: as a body of the API. */
export const DEEPEST_RESULT = 64;
