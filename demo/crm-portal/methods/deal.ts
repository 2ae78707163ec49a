import type { JsonObject } from "../../../lib/session/json/json.ts";
import { DEAL_FIELDS } from "../fields/deal.ts";
import { type Call, OWNER_ID } from "../method.ts";
import { crmRefusal } from "../refusal.ts";
import type { Store } from "../store.ts";
import { writeDay, writeTime } from "../times.ts";
import type { Change, Entity } from "./entity.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** The default duration of a deal. */
const DEFAULT_TERM_DAYS = 7;

export const DEAL: Entity = { kind: "deal", fields: DEAL_FIELDS, settle: settleDeal };

/** A deal's stage must belong to its pipeline; the stage determines whether it is closed. */
function settleDeal({ record: { CONTACT_IDS, ...record }, written, before }: Change, { store, now }: Call): JsonObject {
  const stages = stagesOf(record.CATEGORY_ID, store);
  const stage = stages.find(({ STATUS_ID }) => STATUS_ID === (record.STAGE_ID ?? stages[0]?.STATUS_ID));
  if (stages.length === 0) throw crmRefusal('Invalid value for the "Pipeline" field');
  if (!stage) throw crmRefusal('Invalid value for the "Deal stage" field');

  const semantics = stage.SEMANTICS ?? "P";
  const moved = before === null || before.STAGE_ID !== stage.STATUS_ID;
  const closes = semantics !== "P" && moved;
  return {
    ...record,
    TITLE: record.TITLE || `Сделка #${record.ID}`,
    STAGE_ID: stage.STATUS_ID ?? null,
    STAGE_SEMANTIC_ID: semantics,
    IS_NEW: stage === stages[0] ? "Y" : "N",
    CLOSED: semantics === "P" ? "N" : "Y",
    CONTACT_ID: Array.isArray(CONTACT_IDS) ? (CONTACT_IDS[0] ?? null) : (record.CONTACT_ID ?? null),
    BEGINDATE: record.BEGINDATE ?? writeDay(now),
    CLOSEDATE: closes && !written.CLOSEDATE ? writeDay(now) : (record.CLOSEDATE ?? defaultEnd(now)),
    ...(moved && { MOVED_BY_ID: OWNER_ID, MOVED_TIME: writeTime(now) }),
  };
}

function defaultEnd(now: Date): string {
  return writeDay(now.getTime() + DEFAULT_TERM_DAYS * DAY_MS);
}

/** The stages of a pipeline in order; none for an unknown pipeline. */
export function stagesOf(category: JsonObject[string] | undefined, store: Store): JsonObject[] {
  const directory = Number(category ?? 0) === 0 ? "DEAL_STAGE" : `DEAL_STAGE_${category}`;
  return store
    .all("status")
    .filter(({ ENTITY_ID }) => ENTITY_ID === directory)
    .sort((a, b) => Number(a.SORT) - Number(b.SORT));
}
