import { MAP_TYPES } from "../../lib/session/map/session-map.ts";

/** How many events a map is made of, the newest, and how many bytes of payload: about a second of a reader thread. */
export const MOST_MAP_EVENTS = 60_000;
export const MOST_MAP_BYTES = 32_000_000;
/** Of a larger payload only the columns are read: a card shows a few words of it. */
export const LARGEST_MAPPED = 64_000;

/** Types of which a map needs no payload. */
const BARE_TYPES = ["model.responded", "run.waiting"];
export const MAPPED_TYPES = MAP_TYPES.filter((type) => !BARE_TYPES.includes(type));
export const ALL_MAP_TYPES: readonly string[] = MAP_TYPES;
