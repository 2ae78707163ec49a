import { searchedTexts } from "../../lib/session/find/searched-texts.ts";
import type { Json } from "../../lib/session/json/json.ts";
import { placeOf } from "./search-place.ts";
import { isFork } from "./unsearched.ts";

/** A step of a conversation. */
export interface Step {
  position: number;
  seq: number;
  type: string;
  payload: string;
}

/**
 * The texts that the index must have for a conversation, by their places, and those of a fork's history that it may have, when
 * the log was read up to `position`.
 */
export function expectedTexts(
  conversation: number,
  steps: Iterable<Step>,
  { position: readTo }: { position: number },
): { has: Map<bigint, string>; mayHave: Map<bigint, string> } {
  const [has, history, none] = [new Map<bigint, string>(), new Map<bigint, string>(), new Map<bigint, string>()];
  let isKnown = false;
  for (const { position, seq, type, payload } of steps) {
    const place = placeOf(conversation, seq, type);
    const says: Json = JSON.parse(payload);
    if (isFork(type, says) && position >= 0) isKnown = position <= readTo;
    const texts = searchedTexts(type, says);
    if (place === null || texts.length === 0) continue;
    const text = texts.map((one) => one.text).join("\n");
    if (position < 0) history.set(place, text);
    else if (position <= readTo) has.set(place, text);
  }
  // A fork's history is indexed in parts, before the event that makes the fork visible.
  return isKnown ? { has: new Map([...has, ...history]), mayHave: none } : { has, mayHave: history };
}
