import { fieldsOf } from "../field.ts";
import { shortHash } from "../short-hash.ts";
import { isBatch, plainMethod } from "./batch.ts";
import type { Action } from "./happening.ts";
import { methodOf } from "./methods.ts";
import { targetOf } from "./target.ts";

/** Keys are used in addresses and lists; those with very many field names are hashed. */
const LONGEST_KEY = 200;

/**
 * The key of an action's confirmation (M9): `deal_123_opportunity`, `deal_new_<hash>`, `batch_<hash>`. Null for other
 * tools: the caller makes a key of the tool and the call.
 */
export function keyOf({ method, params }: Pick<Action, "method" | "params">): string | null {
  const known = methodOf(method);
  if (known?.verb === "add") return `${known.kind}_new_${shortHash(params)}`;
  if (known?.verb === "update") {
    const id = targetOf(known.kind, params);
    const fields = Object.keys(fieldsOf(params)).map((field) => field.toLowerCase());
    if (id === null || fields.length === 0) return null;
    const key = [known.kind, id, ...fields.sort()].join("_");
    return key.length <= LONGEST_KEY ? key : `${known.kind}_${shortHash(params)}`;
  }
  return isBatch(method) || /^event\.(bind|unbind)$/.test(plainMethod(method))
    ? `${method}_${shortHash(params)}`
    : null;
}
