import { searchedTexts } from "../../../lib/session/find/searched-texts.ts";
import type { Json } from "../../../lib/session/json/json.ts";
import { CONVERSATION_OF_PLACE, placeOf, placesOf } from "../../search/search-place.ts";
import { isFork } from "../../search/unsearched.ts";
import type { Connection } from "../connection.ts";
import { countUnsearched, readProgress } from "../search/unsearched.ts";
import { type Check, counted, type Faults } from "./check-context.ts";

interface Step {
  position: number;
  seq: number;
  type: string;
  payload: string;
}

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
    const { has, mayHave } = expectedPlaces(position, steps.iterate(id), progress);
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

/** The rows that the index must have for a conversation, and those of a fork's history that it may have. */
function expectedPlaces(conversation: number, steps: Iterable<Step>, progress: { position: number }) {
  const [has, history, mayHave] = [new Set<bigint>(), new Set<bigint>(), new Set<bigint>()];
  let isKnown = false;
  for (const { position, seq, type, payload } of steps) {
    const place = placeOf(conversation, seq, type);
    const says: Json = JSON.parse(payload);
    if (isFork(type, says) && position >= 0) isKnown = position <= progress.position;
    if (place === null || searchedTexts(type, says).length === 0) continue;
    if (position < 0) history.add(place);
    else if (position <= progress.position) has.add(place);
  }
  // A fork's history is indexed in parts, before the event that makes the fork visible.
  for (const place of history) (isKnown ? has : mayHave).add(place);
  return { has, mayHave };
}
