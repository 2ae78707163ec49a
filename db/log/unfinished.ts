/**
 * The row of the import that is being stored, among the unfinished forks: it has no conversation, and its position is the
 * one from which on all is the import's. There is one at most.
 */
export const IMPORT = "";

/** Which events are seen by those who follow the log: not those of an import that is still being stored (E11). */
export const IS_SEEN = `position < coalesce((SELECT position FROM unfinished_forks WHERE conversation_id = ''), ${Number.MAX_SAFE_INTEGER})`;

/** Which events are those of forks and imports that are complete. */
export const IS_FINISHED = `${IS_SEEN} AND coalesce(conversation_id, '') NOT IN
  (SELECT conversation_id FROM unfinished_forks WHERE conversation_id <> '')`;
