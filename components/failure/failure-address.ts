import { currentSearch } from "@/components/client/address.ts";
import { setParam } from "@/components/selection/set-params.ts";

/** The parameter with the step of the failure that the card shows. */
export const FAILURE = "failure";

/** The newest failure, for links that do not know its step. */
export const NEWEST = "newest";

/** The query that opens the card of the newest failure. */
export const NEWEST_FAILURE = `?${FAILURE}=${NEWEST}`;

export function closeFailure(): void {
  setParam(FAILURE, "");
}

/** Reads the parameter; null: no card is open. */
export function parseFailure(text: string | null): number | typeof NEWEST | null {
  if (text === NEWEST) return NEWEST;
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
}

/** The address of a failure's card in the current conversation. */
export function failureAddress(seq: number): string {
  const { origin, pathname } = window.location;
  const params = new URLSearchParams(currentSearch());
  params.set(FAILURE, String(seq));
  return `${origin}${pathname}?${params}`;
}
