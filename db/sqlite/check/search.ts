import { expectedTexts, type Step } from "../../search/expected-texts.ts";
import { CONVERSATION_OF_PLACE, placesOf } from "../../search/search-place.ts";
import type { Connection } from "../connection.ts";
import { countUnsearched, readProgress } from "../search/unsearched.ts";
import { type Check, counted, type Faults } from "./check-context.ts";

const TELL_EVERY = 1_000;

/**
 * The search index has a row for each step with text, up to the position it covers (E14), and no other rows. Its words
 * cannot be checked: the index stores no text.
 */
export const checkSearch: Check = {
  name: "search",
  remedy: "Stop Obelus and run npm run rebuild; the index is rebuilt while the server runs.",
  run({ connection, tell }, faults) {
    const titles = connection.prepare<[], number>(
      `SELECT position FROM conversations WHERE position NOT IN (SELECT id FROM conversation_search_docsize)
       UNION ALL SELECT id FROM conversation_search_docsize WHERE id NOT IN (SELECT position FROM conversations)`,
    );
    for (const position of titles.pluck().iterate())
      faults.add(`titles: row ${position} is missing or has no conversation`);
    const rows = compareSteps(connection, faults, tell);
    const behind = countUnsearched(connection);
    return `${counted(rows, "row")}${behind > 0 ? `, ${counted(behind, "event")} behind` : ""}`;
  },
};

function compareSteps(connection: Connection, faults: Faults, tell: (what: string) => void): number {
  const progress = readProgress(connection);
  const steps = connection.prepare<[string], Step>(
    "SELECT position, seq, type, payload FROM events WHERE conversation_id = ? ORDER BY seq",
  );
  const indexed = connection
    .prepare<[bigint, bigint], bigint>("SELECT id FROM event_search_docsize WHERE id BETWEEN ? AND ?")
    .pluck()
    .safeIntegers();
  const conversations = connection.prepare<[], { id: string; position: number }>(
    "SELECT id, position FROM conversations ORDER BY position",
  );
  let [done, rows] = [0, 0];
  for (const { id, position } of conversations.iterate()) {
    const { has, mayHave } = expectedTexts(position, steps.iterate(id), progress);
    const [first, last] = placesOf(position);
    for (const place of indexed.iterate(first, last)) {
      rows += 1;
      if (!has.delete(place) && !mayHave.has(place)) faults.add(`${id}: the index has a step without text`);
    }
    if (has.size > 0) faults.add(`${id}: the index lacks ${counted(has.size, "step")}`);
    done += 1;
    if (done % TELL_EVERY === 0) tell(counted(done, "conversation"));
  }
  const orphans = connection
    .prepare<[], number>(
      `SELECT count(*) FROM (SELECT id AS rowid FROM event_search_docsize)
       WHERE ${CONVERSATION_OF_PLACE} NOT IN (SELECT position FROM conversations)`,
    )
    .pluck()
    .get();
  if (orphans) faults.add(`${counted(orphans, "row")} of missing conversations`);
  return rows;
}
