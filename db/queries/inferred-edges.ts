import { EDGE_TYPES } from "../../lib/session/find/inferred-edges.ts";

/**
 * How many bytes of what was said, asked and answered one answer goes through, the newest: under a second of a reader
 * thread on a busy machine. What stands before them is left out, and the answer says so.
 */
export const MOST_VALUE_BYTES = 4_000_000;
/** A larger payload is passed over: what is looked for are names and numbers, and nobody finds them in it by eye. */
export const LARGEST_VALUE = 1_000_000;

/** Types whose payload says nothing of values: their columns are enough. */
export const SLIM_TYPES = ["run.started", "run.iteration", "plan.proposed"];
export const VALUE_TYPES = EDGE_TYPES.filter((type) => !SLIM_TYPES.includes(type));
