import { fieldsOf } from "../field.ts";
import { shortHash } from "../short-hash.ts";
import { isBatch, plainMethod } from "./batch.ts";
import type { Action } from "./happening.ts";
import { methodOf } from "./methods.ts";
import { targetOf } from "./target.ts";

/** Keys stand in addresses and lists; the names of very many fields are hashed. */
const LONGEST_KEY = 200;

/**
 * What a person knows the confirmation of an action by (M9): `deal_123_opportunity`, `deal_new_<hash>`, `batch_<hash>`.
 * Null for any other tool: its caller makes a key of the tool and the call.
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
