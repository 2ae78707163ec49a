import type { Json, JsonObject } from "../../../lib/session/json/json.ts";
import type { Fields } from "../fields/field.ts";
import type { Call, Outcome } from "../method.ts";
import { objectParam, param } from "../params.ts";
import { filterRecords, orderRecords, pageOf, selectFields } from "../query.ts";

interface Listing {
  fields: Fields;
  /** The default order. */
  order: Record<string, "ASC" | "DESC">;
}

/** The result of a `*.list` call: filter, order, page, select. Throws `Refusal`. */
export function listRecords({ params }: Call, records: readonly JsonObject[], { fields, order }: Listing): Outcome {
  const given = objectParam(params, "order");
  const found = filterRecords(records, fields, objectParam(params, "filter"));
  const sorted = orderRecords(found, fields, Object.keys(given).length > 0 ? given : order);
  const { records: page, ...counts } = pageOf(sorted, param(params, "start"));
  const select: Json | undefined = param(params, "select");
  return { result: page.map((record) => selectFields(record, fields, select)), ...counts };
}
